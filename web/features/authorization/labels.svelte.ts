/** The state of the Auth tab as one code, and labels: states, form choices, form problems and credential events. */
import { type FlowRecord, type Mode, type SignIn, type Waiting, spans } from '../../oauth/index.ts'
import { visible } from '../../ui/index.ts'
import type { OptionsForm, OptionsProblem } from './options-form.ts'
import { type SignInPicture, faultWords } from '../../oauth/index.svelte.ts'
import { texts } from './text/texts.svelte.ts'
import type { Json } from '../../mcp/index.ts'
import type { HistoryEntry } from './history.ts'

/** Requested and granted scopes (AU-SCOPE-08). */
export const scopeLabel = (status: 'granted' | 'missing' | 'extra'): string => {
  const { t } = texts
  return { granted: t.scopeGranted, missing: t.scopeMissing, extra: t.scopeExtra }[status]
}

export type AuthState =
  /** A request is waiting for the user's decision. */
  | 'step-up'
  | 'signing-in'
  | 'refreshing'
  | 'revoking'
  /** The tokens have expired and only a new sign-in can replace them. */
  | 'over'
  | 'signed-in'
  /** The server rejected the current credentials, or their absence; a sign-in may help. */
  | 'needed'
  /** The user set the connection's `Authorization` header. */
  | 'by-hand'
  | 'none'

type Seen = Pick<SignIn, 'tokens' | 'stepUp' | 'busy' | 'refused' | 'options'> & {
  readonly running: boolean
  readonly byHand: boolean
  /** When the access token expires, in ms since the epoch, if known. */
  readonly ends?: number | undefined
}

/** @param now ms since the epoch */
export const authStateOf = (seen: Seen, now: number): AuthState => {
  const { tokens, stepUp, busy, refused, running, byHand } = seen
  if (stepUp) return 'step-up'
  if (running) return 'signing-in'
  if (busy) return busy === 'refresh' ? 'refreshing' : 'revoking'
  if (refused) return 'needed'
  if (tokens) return needsSignIn(seen, now) ? 'over' : 'signed-in'
  return byHand ? 'by-hand' : 'none'
}

/**
 * The default view, until the user picks one.
 * @param last the outcome of the last flow; absent: there was none, so there are no steps to show
 */
export const viewFor = (
  { tokens, running, flow }: Pick<SignIn, 'tokens' | 'flow'> & { readonly running: boolean },
  last: FlowRecord['outcome'] | undefined,
  mode: Mode,
): 'token' | 'steps' => {
  if (last === undefined) return 'token'
  const failed = last === 'failed' && !tokens
  return running || failed || (flow && mode === 'stepwise') ? 'steps' : 'token'
}

/** The tokens have expired and aren't refreshed automatically (AU-TOK-03). */
const needsSignIn = ({ tokens, options, ends }: Seen, now: number): boolean => {
  if (!tokens || tokens.refreshToken !== undefined) return false
  if (tokens.issuer !== undefined && (options.grant ?? 'authorization-code') !== 'authorization-code') return false
  return ends !== undefined && ends <= now
}

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

/** The choices of each field of the options form. */
export const choicesFor = () => {
  const { t } = texts
  return {
    grant: [
      { value: 'authorization-code', label: t.grantCode },
      { value: 'client-credentials', label: t.grantCredentials },
      { value: 'enterprise', label: t.grantEnterprise },
      { value: 'workload', label: t.grantWorkload },
    ],
    registration: [
      { value: 'rules', label: t.byRules },
      { value: 'by-hand', label: t.registrationByHand },
      { value: 'metadata-document', label: t.registrationDocument },
      { value: 'dynamic', label: t.registrationDynamic },
    ],
    method: [
      { value: '', label: t.methodAuto },
      { value: 'none', label: t.methodNone },
      { value: 'client_secret_basic', label: 'client_secret_basic' },
      { value: 'client_secret_post', label: 'client_secret_post' },
      { value: 'private_key_jwt', label: 'private_key_jwt' },
    ],
    applicationType: [
      { value: 'rules', label: t.applicationTypeRules },
      { value: 'native', label: 'native' },
      { value: 'web', label: 'web' },
    ],
    resourceBy: [
      { value: 'rules', label: t.byRules },
      { value: 'given', label: t.resourceGiven },
      { value: 'left-out', label: t.resourceLeftOut },
    ],
    dpop: [
      { value: 'rules', label: t.dpopAuto },
      { value: 'on', label: t.dpopOn },
      { value: 'off', label: t.dpopOff },
    ],
  } satisfies { [Name in keyof OptionsForm]?: readonly { value: OptionsForm[Name]; label: string }[] }
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

type Tone = 'ok' | 'warn' | 'bad' | 'plain'

const TONES: Readonly<Partial<Record<HistoryEntry['what'], Tone>>> = {
  'signed-in': 'ok',
  refreshed: 'ok',
  revoked: 'ok',
  refused: 'warn',
  'issuer-changed': 'warn',
  'step-up': 'warn',
  'sign-in-failed': 'bad',
  'refresh-failed': 'bad',
  'revocation-failed': 'bad',
  'gave-up': 'bad',
}

export const historyTone = ({ what, details }: HistoryEntry): Tone =>
  what === 'refreshed' && details.rotated === false && details.public === true ? 'warn' : (TONES[what] ?? 'plain')
