/** What happened to credentials, as sentences. */
import type { Json } from '../../mcp/index.ts'
import { faultWords } from '../../oauth/index.svelte.ts'
import { spans, visible } from '../../oauth/index.ts'
import type { HistoryEntry } from './history.ts'
import { texts } from './text/texts.svelte.ts'

/** What stands in a frame may come from a server, or a file: texts are bounded, other things are left out. */
const said = (value: Json | undefined): string =>
  typeof value === 'string' ? visible(value) : typeof value === 'number' ? String(value) : ''

/** Without the marks of its values. */
const plain = (sentence: string): string =>
  spans(sentence)
    .map(({ text }) => text)
    .join('')

export const historyText = (entry: HistoryEntry): string => {
  const { t } = texts
  const { what, details, failed } = entry
  const why = failed ? plain(faultWords(failed.fault, failed.step).what) : ''
  switch (what) {
    case 'used':
      return t.didUse(said(details.type), said(details.issuer))
    case 'refused':
      return t.didRefuse(said(details.status), said(details.operation), said(details.error))
    case 'expired':
      return t.didExpire
    case 'forgotten':
      return t.didForget
    case 'issuer-changed':
      return t.didChangeIssuer(said(details.from), said(details.to))
    case 'step-up':
      return t.didStepUp(said(details.operation), said(details.scope), said(details.attempt), said(details.most))
    case 'gave-up':
      return t.didGiveUp(said(details.operation), said(details.attempts), said(details.scope))
    case 'signing-in':
      return t.didBegin
    case 'signed-in':
      return details.why === 'insufficient-scope' ? t.didSignInMore : t.didSignIn
    case 'sign-in-failed':
      return t.didFailSignIn(why)
    case 'sign-in-stopped':
      return t.didStopSignIn
    case 'refreshing':
      return t.refreshing
    case 'refreshed':
      return details.rotated === true ? t.didRotate : details.public === true ? t.didNotRotatePublic : t.didNotRotate
    case 'refresh-failed':
      return t.didFailRefresh(why)
    case 'revoking':
      return t.revoking
    case 'revoked':
      return t.didRevoke
    case 'revocation-failed':
      return t.didFailRevoke(why)
  }
}

export const historyTone = ({ what, details }: HistoryEntry): 'ok' | 'warn' | 'bad' | 'plain' => {
  switch (what) {
    case 'signed-in':
    case 'revoked':
      return 'ok'
    case 'refreshed':
      return details.rotated === false && details.public === true ? 'warn' : 'ok'
    case 'refused':
    case 'issuer-changed':
    case 'step-up':
      return 'warn'
    case 'sign-in-failed':
    case 'refresh-failed':
    case 'revocation-failed':
    case 'gave-up':
      return 'bad'
    case 'used':
    case 'expired':
    case 'forgotten':
    case 'signing-in':
    case 'sign-in-stopped':
    case 'refreshing':
    case 'revoking':
      return 'plain'
  }
}
