/** The state of the Auth tab as one code, and labels: states, form choices, form problems and credential events. */
import { type FlowRecord, isRefreshable, type Mode, type SignIn, spans } from '../../oauth/index.ts'
import { visible } from '../../ui/index.ts'
import type { OptionsForm } from './options-form.ts'
import { type SignInPicture, faultWords } from '../../oauth/index.svelte.ts'
import { texts } from './text/texts.svelte.ts'
import type { Json } from '../../mcp/index.ts'
import type { HistoryEntry } from './history.ts'

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
  if (!tokens || isRefreshable(tokens)) return false
  if (tokens.issuer !== undefined && (options.grant ?? 'authorization-code') !== 'authorization-code') return false
  return ends !== undefined && ends <= now
}

export const authStateLabel = (authState: AuthState, { refused, tokens, waiting }: SignInPicture): string => {
  const { t } = texts
  switch (authState) {
    case 'signing-in':
      if (waiting?.for === 'consent') return t.standElsewhere
      if (waiting?.for === 'help') return t.standStuck
      return waiting ? t.standYourTurn : t['state-signing-in']
    case 'refreshing':
    case 'revoking':
      return t[authState]
    case 'signed-in':
      return tokens?.issuer === undefined ? t.standPasted : t['state-signed-in']
    case 'needed':
      return refused?.status === 403 ? t.standNarrow : t.standNeeded(refused?.status ?? 401)
    default:
      return t[`state-${authState}`]
  }
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

/** The choices of the options form. Those without a text are values of the protocol, shown unchanged. */
const CHOICES = {
  grant: ['authorization-code', 'client-credentials', 'enterprise', 'workload'],
  registration: ['rules', 'by-hand', 'metadata-document', 'dynamic'],
  method: ['', 'none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  applicationType: ['rules', 'native', 'web'],
  resourceBy: ['rules', 'given', 'left-out'],
  dpop: ['rules', 'on', 'off'],
} as const satisfies { [Name in keyof OptionsForm]?: readonly OptionsForm[Name][] }

type ChoiceKey = Extract<keyof typeof texts.t, `${keyof typeof CHOICES}-${string}`>

export const choicesFor = (field: keyof typeof CHOICES) => {
  const values: readonly string[] = CHOICES[field]
  return values.map((value) => {
    const key = `${field}-${value}`
    return { value, label: Object.hasOwn(texts.t, key) ? texts.t[key as ChoiceKey] : value }
  })
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
  switch (what) {
    case 'used':
      return t.didUse(said(details.type), said(details.issuer))
    case 'refused':
      return t.didRefuse(said(details.status), said(details.operation), said(details.error))
    case 'issuer-changed':
      return t.didChangeIssuer(said(details.from), said(details.to))
    case 'step-up':
      return t.didStepUp(said(details.operation), said(details.scope), said(details.attempt), said(details.most))
    case 'gave-up':
      return t.didGiveUp(said(details.operation), said(details.attempts), said(details.scope))
    case 'signed-in':
      return details.why === 'insufficient-scope' ? t.didSignInMore : t.didSignIn
    case 'refreshed':
      return details.rotated === true ? t.didRotate : details.public === true ? t.didNotRotatePublic : t.didNotRotate
    case 'refreshing':
    case 'revoking':
      return t[what]
    case 'sign-in-failed':
    case 'refresh-failed':
    case 'revocation-failed':
      return t[`did-${what}`](failed ? plain(faultWords(failed.fault, failed.step).what) : '')
    default:
      return t[`did-${what}`]
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
