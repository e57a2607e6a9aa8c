/**
 * The remedies for a fault, in the order in which to offer them: the first button is the recommended one. Also
 * determines who is to blame and what a button does to the flow. The texts are in the catalogues.
 */
import type { AuthStep, JsonObject } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { pastedTokens, type FaultCode, type SignInOptions } from '../model/index.ts'
import type { Act } from '../flow/index.ts'
import type { Supply } from '../wire/index.ts'

/** What a user can do about a fault; each is a button or a sentence. */
export type Remedy =
  | 'relay'
  | 'retry'
  | 'go-on'
  | 'paste-metadata'
  | 'enter-client'
  | 'paste-token'
  | 'retry-as-web'
  | 'retry-as-native'
  | 'omit-resource'
  | 'redirect'
  | 'sign-in-again'
  | 'start-proxy'
  | 'allow-page'
  | 'tell-server'
  /** Names another authorization server. */
  | 'other-server'
  /** The browser asks the user before a site may reach this machine. */
  | 'allow-local'

export interface Situation {
  readonly step: AuthStep
  /** What the user may supply in place of what the step couldn't get. */
  readonly takes: readonly (Supply['kind'] | 'go-on')[]
  /** The flow is waiting for its user. Otherwise it has ended or is a recording, and only a new sign-in can help. */
  readonly attended: boolean
  /** A new sign-in can be started from here. */
  readonly restarts: boolean
  /** The local proxy is available. */
  readonly hasRelay: boolean
  /** The request already went through the local proxy. */
  readonly relayed: boolean
  /** The URL requested last. */
  readonly url?: string | undefined
  /** Where this page was loaded from: browsers allow the two kinds to reach different hosts. */
  readonly page: 'https' | 'local'
  readonly canRedirect: boolean
  readonly grant: string
  /** The latest value registered or requested. */
  readonly applicationType?: 'native' | 'web' | undefined
  /** The `resource` parameter is sent. */
  readonly resource: boolean
}

export interface Offer {
  readonly remedy: Remedy
  /** `sentence`: tells what someone else must do. */
  readonly as: 'button' | 'sentence'
  /** Less prominent, because it breaks a rule. */
  readonly quiet: boolean
}

/** `by-hand`: whatever the user can supply at this step. */
type Listed = Remedy | 'by-hand'

/** Who must change something; `unknown`: a page can't tell. */
export type Blame = 'server' | 'authorization-server' | 'either' | 'browser' | 'user' | 'unknown' | 'client'

/** Who must change something, and the remedies in order. `asked`: whoever the request went to. */
const ADVICE: Readonly<Record<FaultCode, readonly [Blame | 'asked', ...Listed[]]>> = {
  unreadable: ['asked', 'relay', 'by-hand', 'retry', 'start-proxy', 'allow-local', 'allow-page', 'go-on'],
  unreachable: ['unknown', 'retry', 'by-hand', 'go-on'],
  timeout: ['asked', 'retry', 'by-hand', 'tell-server', 'go-on'],
  'too-large': ['asked', 'by-hand', 'retry', 'tell-server', 'go-on'],
  'not-json': ['asked', 'by-hand', 'retry', 'tell-server', 'go-on'],
  'not-an-object': ['asked', 'by-hand', 'retry', 'tell-server', 'go-on'],
  'http-status': ['asked', 'by-hand', 'retry', 'tell-server', 'go-on'],
  redirected: ['asked', 'relay', 'by-hand', 'retry', 'tell-server', 'go-on'],
  'unsafe-url': ['asked', 'by-hand', 'other-server', 'tell-server', 'go-on'],
  'not-challenged': ['server', 'retry', 'go-on'],
  'no-resource-metadata': ['server', 'paste-metadata', 'other-server', 'paste-token', 'retry', 'tell-server', 'go-on'],
  'resource-mismatch': ['server', 'retry', 'tell-server', 'go-on'],
  'no-authorization-servers': ['server', 'other-server', 'paste-metadata', 'tell-server', 'go-on'],
  'no-server-metadata': ['authorization-server', 'paste-metadata', 'other-server', 'retry', 'tell-server', 'go-on'],
  'issuer-mismatch': ['authorization-server', 'other-server', 'retry', 'tell-server', 'go-on'],
  'missing-endpoint': ['authorization-server', 'paste-metadata', 'other-server', 'paste-token', 'tell-server'],
  'unsupported-grant': ['authorization-server', 'other-server', 'paste-token', 'tell-server', 'go-on'],
  'no-registration': ['authorization-server', 'enter-client', 'paste-token', 'tell-server'],
  'registration-refused': ['authorization-server', 'enter-client', 'retry', 'tell-server'],
  'redirect-uri-refused': [
    'authorization-server',
    'retry-as-web',
    'retry-as-native',
    'enter-client',
    'tell-server',
    'go-on',
  ],
  'no-client-id': ['authorization-server', 'enter-client', 'retry', 'tell-server'],
  'issuer-changed': ['user', 'enter-client', 'go-on'],
  'bad-client-document': ['user', 'enter-client', 'go-on'],
  'pkce-not-advertised': ['authorization-server', 'retry', 'tell-server', 'go-on'],
  'bad-private-key': ['user', 'enter-client'],
  'insecure-context': ['browser', 'enter-client', 'paste-token', 'go-on'],
  'popup-blocked': ['browser', 'retry', 'redirect'],
  'no-answer': ['unknown', 'retry'],
  'taken-elsewhere': ['user', 'sign-in-again'],
  'state-mismatch': ['unknown', 'sign-in-again', 'go-on'],
  'iss-missing': ['authorization-server', 'sign-in-again', 'tell-server', 'go-on'],
  'iss-mismatch': ['unknown', 'sign-in-again', 'tell-server', 'go-on'],
  denied: ['user', 'sign-in-again'],
  'authorization-error': ['authorization-server', 'sign-in-again', 'omit-resource', 'enter-client', 'tell-server'],
  'no-code': ['authorization-server', 'sign-in-again', 'tell-server'],
  'repeated-parameter': ['authorization-server', 'sign-in-again', 'tell-server'],
  'token-refused': [
    'authorization-server',
    'sign-in-again',
    'enter-client',
    'omit-resource',
    'paste-token',
    'retry',
    'tell-server',
  ],
  'no-access-token': ['authorization-server', 'sign-in-again', 'paste-token', 'tell-server'],
  'token-type': ['authorization-server', 'sign-in-again', 'paste-token', 'tell-server', 'go-on'],
  'bad-token-response': ['authorization-server', 'sign-in-again', 'paste-token', 'tell-server', 'go-on'],
  'assertion-missing': ['user', 'paste-token'],
  'token-not-accepted': ['either', 'retry', 'sign-in-again', 'omit-resource', 'paste-token', 'tell-server', 'go-on'],
  'too-many-attempts': ['unknown'],
  internal: ['client', 'retry', 'paste-token'],
}

const UNKNOWN: (typeof ADVICE)[FaultCode] = ['unknown', 'by-hand', 'retry', 'go-on']

const BY_HAND: Readonly<Partial<Record<AuthStep, readonly Remedy[]>>> = {
  'resource-metadata': ['paste-metadata', 'other-server', 'paste-token'],
  'authorization-server': ['other-server', 'paste-token'],
  'server-metadata': ['paste-metadata', 'other-server', 'paste-token'],
  registration: ['enter-client', 'paste-token'],
  assertion: ['paste-token'],
  token: ['paste-token'],
}

const SENTENCES: ReadonlySet<Remedy> = new Set(['start-proxy', 'allow-page', 'allow-local', 'tell-server'])

/** Maximum number of buttons shown; later remedies rarely help. */
const MOST_BUTTONS = 5

/** @param code one of `FaultCode`; a recording from another version may contain others */
export const remediesFor = (code: string, situation: Situation): readonly Offer[] => {
  const [, ...listed] = Object.hasOwn(ADVICE, code) ? ADVICE[code as FaultCode] : UNKNOWN
  const all = listed.flatMap((one) => (one === 'by-hand' ? (BY_HAND[situation.step] ?? []) : [one]))
  const offers = [...new Set(all)]
    .filter((remedy) => isPossible(remedy, situation))
    .map((remedy): Offer => ({
      remedy,
      as: SENTENCES.has(remedy) ? 'sentence' : 'button',
      quiet: remedy === 'go-on',
    }))
  const buttons = offers.filter(({ as, quiet }) => as === 'button' && !quiet).slice(0, MOST_BUTTONS)
  const restart: Offer[] =
    !situation.attended && situation.restarts ? [{ remedy: 'sign-in-again', as: 'button', quiet: false }] : []
  return [
    ...restart,
    ...(situation.attended ? buttons : []),
    ...offers.filter(({ quiet }) => quiet),
    ...offers.filter(({ as }) => as === 'sentence'),
  ]
}

const isPossible = (remedy: Remedy, situation: Situation): boolean => {
  const { step, takes, attended, hasRelay, relayed, url, page, grant } = situation
  switch (remedy) {
    case 'start-proxy':
      return !hasRelay
    case 'allow-local':
      return page === 'https' && url !== undefined && isLocal(url)
    case 'allow-page':
    case 'tell-server':
      return true
    case 'relay':
      return attended && hasRelay && !relayed && url !== undefined
    case 'go-on':
      return attended && takes.includes('go-on')
    case 'paste-metadata':
      return attended && takes.includes('metadata')
    // The same authorization response would be judged the same way again; only a new one can help.
    case 'retry':
      return attended && step !== 'callback'
    case 'retry-as-web':
      return attended && situation.applicationType !== 'web'
    case 'retry-as-native':
      return attended && situation.applicationType !== 'native'
    case 'omit-resource':
      return attended && situation.resource
    case 'redirect':
      return attended && situation.canRedirect
    case 'sign-in-again':
      return attended && (grant === 'authorization-code' || step === 'use')
    case 'enter-client':
    case 'paste-token':
    case 'other-server':
      return attended
  }
}

const isLocal = (url: string): boolean =>
  /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[::1\])|\.local$/.test(parsedUrl(url)?.hostname ?? '')

/**
 * The acts of a button. Of two acts, the first sets the step at which the flow continues, and the
 * second sets the options.
 * @returns `undefined` if the user must enter something first, or if the remedy doesn't act on the flow
 */
export const actsFor = (remedy: Remedy, situation: Situation): readonly Act[] | undefined => {
  const { url, step, grant } = situation
  switch (remedy) {
    case 'relay':
      return url === undefined ? undefined : [{ do: 'again', relay: url }]
    case 'retry':
      return [{ do: 'again' }]
    case 'go-on':
      return [{ do: 'go-on' }]
    case 'retry-as-web':
      return withOptions('registration', { applicationType: 'web' }, step)
    case 'retry-as-native':
      return withOptions('registration', { applicationType: 'native' }, step)
    case 'omit-resource':
      return withOptions(asksAt(grant), { resource: false }, step)
    case 'sign-in-again':
      return [{ do: 'back', to: asksAt(grant) }]
    default:
      return undefined
  }
}

/** The step that gets what the token request needs. A code works only once, so that grant needs a new one. */
const asksAt = (grant: string): AuthStep =>
  grant === 'authorization-code' ? 'preparation' : grant === 'client-credentials' ? 'token' : 'assertion'

/** Goes back to a step and runs it with other options. */
export const withOptions = (to: AuthStep, options: Partial<SignInOptions>, step: AuthStep): readonly Act[] =>
  to === step
    ? [{ do: 'again', options }]
    : [
        { do: 'back', to },
        { do: 'again', options },
      ]

/** What the user entered for a remedy that needs input. */
export type Entered =
  | { readonly kind: 'metadata'; readonly document: JsonObject }
  | { readonly kind: 'client'; readonly id: string; readonly secret: string }
  | { readonly kind: 'token'; readonly access: string; readonly refresh: string }
  | { readonly kind: 'issuer'; readonly issuer: string }

/**
 * @param server the MCP endpoint
 * @param now ms since the epoch
 * @returns `undefined` for tokens that the step doesn't take: they end the flow
 */
export const actsForEntered = (
  entered: Entered,
  { step, takes }: Pick<Situation, 'step' | 'takes'>,
  server: string,
  now: number,
): readonly Act[] | undefined => {
  switch (entered.kind) {
    case 'metadata':
      return [{ do: 'supply', supply: { kind: 'metadata', document: entered.document } }]
    case 'client': {
      const client = { id: entered.id, ...(entered.secret === '' ? {} : { secret: entered.secret }) }
      return withOptions('registration', { client, registration: 'by-hand' }, step)
    }
    case 'issuer': {
      // If resource metadata is missing, the flow continues from that step; it uses the issuer that was entered.
      const to = step === 'resource-metadata' ? step : 'authorization-server'
      return withOptions(to, { authorizationServer: entered.issuer }, step)
    }
    case 'token': {
      if (!takes.includes('tokens')) return undefined
      const tokens = pastedTokens(server, entered.access, entered.refresh, now)
      return [{ do: 'supply', supply: { kind: 'tokens', tokens } }]
    }
  }
}

/** Steps whose requests go to the MCP server or depend on its responses. */
const OF_SERVER: ReadonlySet<AuthStep> = new Set(['challenge', 'resource-metadata', 'authorization-server', 'use'])

export const blameOf = (code: string, step: AuthStep): Blame => {
  const [blame] = Object.hasOwn(ADVICE, code) ? ADVICE[code as FaultCode] : UNKNOWN
  return blame === 'asked' ? (OF_SERVER.has(step) ? 'server' : 'authorization-server') : blame
}
