/** Labels for the codes of the Auth tab: states, form choices, form problems and credential events. */
import { type Waiting, spans, visible } from '../../oauth/index.ts'
import type { OptionsForm, OptionsProblem } from './options-form.ts'
import { type SignInPicture, faultWords } from '../../oauth/index.svelte.ts'
import type { AuthState } from './auth-state.ts'
import { texts } from './text/texts.svelte.ts'
import type { Json } from '../../mcp/index.ts'
import type { HistoryEntry } from './history.ts'

/** Requested and granted scopes (AU-SCOPE-08). */
export const scopeLabel = (status: 'granted' | 'missing' | 'extra'): string => {
  const { t } = texts
  return { granted: t.scopeGranted, missing: t.scopeMissing, extra: t.scopeExtra }[status]
}

type Choices<Value extends string> = readonly { readonly value: Value; readonly label: string }[]

export const authStateLabel = (authState: AuthState, { refused, tokens, waiting }: SignInPicture): string => {
  const { t } = texts
  switch (authState) {
    case 'step-up':
      return t.standStepUp
    case 'signing-in':
      return waiting ? waitingText(waiting.for) : t.standSigningIn
    case 'refreshing':
      return t.refreshing
    case 'revoking':
      return t.revoking
    case 'over':
      return t.standOver
    case 'signed-in':
      return tokens?.issuer === undefined ? t.standPasted : t.standSignedIn
    case 'needed':
      return refused?.status === 403 ? t.standNarrow : t.standNeeded(refused?.status ?? 401)
    case 'by-hand':
      return t.standByHand
    case 'none':
      return t.standNone
  }
}

const waitingText = (waits: Waiting['for']): string => {
  const { t } = texts
  return {
    request: t.standYourTurn,
    leave: t.standYourTurn,
    choice: t.standYourTurn,
    consent: t.standElsewhere,
    help: t.standStuck,
  }[waits]
}

/** Class name of the status dot. */
export const authStateTone = (authState: AuthState, { waiting }: SignInPicture): string =>
  authState === 'signing-in' && waiting && waiting.for !== 'consent'
    ? 'warn'
    : {
        'step-up': 'warn',
        'signing-in': 'pending',
        refreshing: 'pending',
        revoking: 'pending',
        over: 'warn',
        'signed-in': 'open',
        needed: 'warn',
        'by-hand': 'open',
        none: 'idle',
      }[authState]

export const grantChoices = (): Choices<OptionsForm['grant']> => {
  const { t } = texts
  return [
    { value: 'authorization-code', label: t.grantCode },
    { value: 'client-credentials', label: t.grantCredentials },
    { value: 'enterprise', label: t.grantEnterprise },
    { value: 'workload', label: t.grantWorkload },
  ]
}

export const registrationChoices = (): Choices<OptionsForm['registration']> => {
  const { t } = texts
  return [
    { value: 'rules', label: t.byRules },
    { value: 'by-hand', label: t.registrationByHand },
    { value: 'metadata-document', label: t.registrationDocument },
    { value: 'dynamic', label: t.registrationDynamic },
  ]
}

export const methodChoices = (): Choices<OptionsForm['method']> => {
  const { t } = texts
  return [
    { value: '', label: t.methodAuto },
    { value: 'none', label: t.methodNone },
    { value: 'client_secret_basic', label: 'client_secret_basic' },
    { value: 'client_secret_post', label: 'client_secret_post' },
    { value: 'private_key_jwt', label: 'private_key_jwt' },
  ]
}

export const applicationTypeChoices = (): Choices<OptionsForm['applicationType']> => {
  const { t } = texts
  return [
    { value: 'rules', label: t.applicationTypeRules },
    { value: 'native', label: 'native' },
    { value: 'web', label: 'web' },
  ]
}

export const resourceChoices = (): Choices<OptionsForm['resourceBy']> => {
  const { t } = texts
  return [
    { value: 'rules', label: t.byRules },
    { value: 'given', label: t.resourceGiven },
    { value: 'left-out', label: t.resourceLeftOut },
  ]
}

export const dpopChoices = (): Choices<OptionsForm['dpop']> => {
  const { t } = texts
  return [
    { value: 'rules', label: t.dpopAuto },
    { value: 'on', label: t.dpopOn },
    { value: 'off', label: t.dpopOff },
  ]
}

export const problemText = (problem: OptionsProblem): string => {
  const { t } = texts
  return {
    'client-id-missing': t.problemClientId,
    'client-unused': t.problemClientUnused,
    'secret-missing': t.problemSecret,
    'key-missing': t.problemKey,
    'key-odd': t.problemKeyOdd,
    'document-address': t.problemDocument,
    'scope-characters': t.problemScope,
    'resource-missing': t.problemResourceMissing,
    'resource-address': t.problemResource,
    'server-address': t.problemServer,
    'idp-incomplete': t.problemIdp,
    'idp-address': t.problemServer,
    'id-token-odd': t.problemJwt,
    'assertion-missing': t.problemAssertion,
    'assertion-odd': t.problemJwt,
  }[problem]
}

/** Frames may contain anything a server or file supplied: limits the length of strings and drops other types. */
const said = (value: Json | undefined): string =>
  typeof value === 'string' ? visible(value) : typeof value === 'number' ? String(value) : ''

/** Removes the markers around values. */
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
