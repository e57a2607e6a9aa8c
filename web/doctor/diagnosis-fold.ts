/** What the requests of a diagnosis found, folded from the Trace, so that a recording shows it as well. */
import { type Frame, type FrameOf, headerIn, type HeaderList, isObject, linkFold, type Seq } from '../mcp/index.ts'
import { parsedUrl } from '../mcp/url.ts'
import { isBlockedPort } from './blocked-ports.ts'
import { checkedHost, NETWORK_PATH, networkStepsIn, type NetworkCheck } from './network.ts'
import { ACCEPTS_METADATA, PING, PREFLIGHT_PATIENCE } from './probes.ts'
import { corsFaults, type Answered, type CorsFault, type RefusedRequest } from './cors.ts'

/** A request that the browser refused, and its frames. */
export interface Refused extends RefusedRequest {
  readonly seq: Seq
  readonly url: string
}

/** A request of the diagnosis. `status` 0: a response that the page can't read. */
export interface Probe {
  readonly seq: Seq
  readonly method: string
  readonly headers: HeaderList
  readonly relayed: boolean
  /** Its response is hidden from the page. */
  readonly blind: boolean
  /** The final URL after redirects. */
  readonly redirectedTo?: string
  readonly response?: Answered & { readonly seq: Seq }
  readonly error?: string
  /** ms since the trace began, and until it failed. */
  readonly at: number
  readonly failedAfter?: number
}

/** Headers of a response that say why it isn't the one that was wanted, by its request. */
export interface ResponseHints {
  readonly request: Seq
  /** `Upgrade`, as it came. */
  readonly upgrade?: string
  /** What a firewall in front of the server says of itself (`X-Amzn-Waf-Action`, `Cf-Mitigated`). */
  readonly mitigated?: string
  /** `Content-Length`. */
  readonly length?: number
}

export interface MetadataResponse {
  /** Of the request, until there is a response. */
  readonly seq: Seq
  readonly request: Seq
  readonly url: string
  readonly status?: number
  readonly contentType?: string
  readonly body?: string
  readonly relayed?: true
  /** There was no response that the page can read. */
  readonly unread?: true
}

export interface Diagnosis {
  /** The request that was sent again through the local proxy. */
  readonly refused?: Omit<Refused, 'origin'>
  readonly probes: readonly Probe[]
  /** The request whose preflight got no response before that. */
  readonly silent?: Seq
  /** What the local proxy found below HTTP. */
  readonly network?: NetworkCheck
  /** The `ping` after a failure, the status of its response, and why its body can't be read. */
  readonly pinged?: { readonly seq: Seq; readonly status?: number; readonly bodyError?: string }
  /** What the server says about signing in: the last response to such a request. */
  readonly metadata?: MetadataResponse
  /** The server returned a request that this page had sent, and never said anything of its own. */
  readonly echo?: Seq
  /** Of the last responses before the connection is open. */
  readonly hints?: readonly ResponseHints[]
}

export const NO_DIAGNOSIS: Diagnosis = { probes: [] }

/** The check of this URL's host: on the same connection, the user may have checked others. */
export const networkOf = ({ network }: Diagnosis, url: string | undefined): NetworkCheck | undefined =>
  network && url !== undefined && network.host === parsedUrl(url)?.host ? network : undefined

/** Probes remembered; a diagnosis sends fewer. */
const MOST_PROBES = 20
/** Messages sent before a connection is open that are remembered. */
const MOST_SENT = 10
/** Responses with hints that are remembered. An attempt gets fewer. */
const MOST_HINTS = 8

interface State extends Diagnosis {
  /** The request of a network check. */
  readonly checking?: Omit<NetworkCheck, 'steps'>
  /** What was sent, as JSON. */
  readonly sent?: readonly string[]
  /** It sent a response of its own, whatever else it repeats: a server that logs what it gets isn't an echo. */
  readonly speaks?: true
  /** Why it can't be opened is no longer a question, and responses come without end. */
  readonly opened?: true
  /** The connection ended: the next one starts anew. */
  readonly over?: true
}

export const diagnosisFold = linkFold<Diagnosis>(NO_DIAGNOSIS, (state, frame) => stepDiagnosis(state, frame))

const stepDiagnosis = (state: State, frame: Frame): State => {
  if (frame.kind === 'session') {
    if (frame.phase === 'closed' || frame.phase === 'failed') return { ...state, over: true }
    if (frame.phase === 'open') return { ...state, hints: [], opened: true }
    return frame.phase === 'opening' && state.over ? NO_DIAGNOSIS : state
  }
  if (frame.kind === 'message') return state.opened || state.speaks ? state : stepMessage(state, frame)
  if (frame.kind !== 'http') return state
  if (frame.phase === 'request') return stepRequest(state, frame)
  if (frame.request === state.checking?.seq && frame.phase === 'end') {
    const steps = networkStepsIn(frame.body ?? '')
    return steps ? { ...state, network: { ...state.checking, steps } } : state
  }
  if (frame.request === state.pinged?.seq && frame.phase === 'response')
    return { ...state, pinged: { ...state.pinged, status: frame.status } }
  if (frame.request === state.pinged?.seq && frame.phase === 'failed' && frame.stage === 'body')
    return { ...state, pinged: { ...state.pinged, bodyError: frame.error } }
  if (frame.request === state.metadata?.request)
    return { ...state, metadata: { ...state.metadata, ...metadataIn(frame) } }
  const at = state.probes.findIndex(({ seq }) => seq === frame.request)
  if (at < 0) return frame.phase === 'response' && !state.opened ? withHints(state, frame) : state
  const probe = state.probes[at]!
  const next = { ...probe, ...outcomeOf(frame, probe.at) }
  return { ...state, probes: state.probes.with(at, next) }
}

const stepMessage = (state: State, { direction, message, seq }: FrameOf<'message'>): State => {
  if (!isObject(message)) return state
  const { sent = [], echo, ...others } = state
  if (direction === 'sent') return { ...state, sent: [...sent, JSON.stringify(message)].slice(-MOST_SENT) }
  const responds = 'result' in message || 'error' in message
  const asks = message.method === 'initialize' || message.method === 'server/discover'
  if (!responds && !asks) return state
  const returns = sent.includes(JSON.stringify(message))
  if (responds) return returns ? state : { ...others, sent, speaks: true }
  return returns && echo === undefined ? { ...state, echo: seq } : state
}

const withHints = (state: State, { request, headers }: FrameOf<'http'> & { readonly phase: 'response' }): State => {
  const [upgrade, length, waf, cloudflare] = ['upgrade', 'content-length', 'x-amzn-waf-action', 'cf-mitigated'].map(
    (name) => headerIn(headers, name),
  )
  const mitigated = waf ?? cloudflare
  if ((upgrade ?? length ?? mitigated) === undefined) return state
  const hints: ResponseHints = {
    request,
    ...(upgrade === undefined ? {} : { upgrade }),
    ...(mitigated === undefined ? {} : { mitigated }),
    ...(length === undefined ? {} : { length: Number(length) }),
  }
  return { ...state, hints: [...(state.hints ?? []), hints].slice(-MOST_HINTS) }
}

const stepRequest = (state: State, frame: FrameOf<'http'> & { readonly phase: 'request' }): State => {
  const { seq, purpose, method, headers, relayed = false, again, url, mode, body } = frame
  if (purpose === 'diagnosis' && method === 'POST') {
    if (body === PING) return { ...state, pinged: { seq } }
    return url.endsWith(NETWORK_PATH) ? { ...state, checking: { seq, host: checkedHost(body) } } : state
  }
  if (purpose === 'diagnosis' && headerIn(headers, 'accept') === ACCEPTS_METADATA)
    return { ...state, metadata: { seq, request: seq, url, ...(relayed ? { relayed } : {}) } }
  if (purpose === 'diagnosis') {
    const probe = { seq, method, headers, relayed, blind: mode !== undefined, at: frame.at }
    return { ...state, probes: [...state.probes, probe].slice(-MOST_PROBES) }
  }
  if (purpose === 'authorization') return state
  // Only the first one was refused; all later requests take the relay. It is repeated with the same headers.
  if (!relayed || again === undefined || state.refused) return state
  const silent = unansweredPreflight(state)
  return {
    ...(state.network ? { network: state.network } : {}),
    ...(silent === undefined ? {} : { silent }),
    probes: [],
    refused: { seq: again, url, method, headers: headers.map(([name]) => name.toLowerCase()) },
  }
}

const metadataIn = (frame: FrameOf<'http'>): Partial<MetadataResponse> => {
  if (frame.phase === 'response') {
    const { seq, status, headers } = frame
    const contentType = headerIn(headers, 'content-type')
    return { seq, status, ...(contentType === undefined ? {} : { contentType }) }
  }
  if (frame.phase === 'failed' && frame.stage === 'headers') return { unread: true }
  return frame.phase === 'end' ? { body: frame.body ?? '' } : {}
}

const outcomeOf = (frame: FrameOf<'http'>, sentAt: number): Partial<Probe> => {
  if (frame.phase === 'response') {
    const { seq, status, headers, redirectedTo } = frame
    return { response: { seq, status, headers }, ...(redirectedTo === undefined ? {} : { redirectedTo }) }
  }
  return frame.phase === 'failed' ? { error: frame.error, failedAfter: frame.at - sentAt } : {}
}

/** What the server's response to OPTIONS lacks; `undefined` until it has arrived. */
export const preflightOf = ({
  refused,
  probes,
  silent,
}: Diagnosis):
  | { readonly request: RefusedRequest; readonly probe: Probe; readonly faults: readonly CorsFault[] }
  | undefined => {
  if (!refused) return undefined
  const probe = probes.findLast((each) => each.relayed && each.method === 'OPTIONS' && each.response !== undefined)
  const origin = probe && headerIn(probe.headers, 'origin')
  if (!probe?.response || origin === undefined) return undefined
  const request = { origin, method: refused.method, headers: refused.headers }
  if (isBlockedPort(refused.url))
    return { request, probe, faults: [{ kind: 'blocked-port', port: parsedUrl(refused.url)!.port }] }
  const faults = corsFaults(request, probe.response)
  // It allows the request, but too late: that was the reason, not the response to the request.
  return { request, probe, faults: silent === undefined ? faults : faults.filter(({ kind }) => kind !== 'response') }
}

/**
 * What the page found out by itself. `silent`: no response at all, whatever the reason. `plain`: none over TLS, but one
 * without. `closed`: the server is there, but lets no page of this origin in. `redirect`: it leads elsewhere, which a
 * browser follows only if the request needs no permission. `headers`: it refuses these headers. `preflight`: it refuses
 * all of them, so that the response to OPTIONS as a whole may be to blame. `response`: it allows everything that a GET can
 * ask, so the POST is to blame: CORS, or the server broke off.
 */
export type Reach =
  | { readonly is: 'silent' | 'plain' | 'closed' | 'response' | 'preflight' }
  | { readonly is: 'headers'; readonly missing: readonly string[] }
  /** `to`: without the values of secrets. */
  | { readonly is: 'redirect'; readonly to: string }

/** `undefined` until it is known. */
export const reachOf = ({ probes }: Diagnosis): Reach | undefined => {
  const own = probes.filter(({ relayed, method }) => !relayed && method === 'GET')
  const [there, plain] = own.filter(({ blind }) => blind)
  if (!there || !isOver(there)) return undefined
  if (!there.response) return { is: plain?.response ? 'plain' : 'silent' }
  const [simple, full, ...single] = own.filter(({ blind }) => !blind)
  if (!simple || !isOver(simple)) return undefined
  if (!simple.response) return { is: 'closed' }
  if (!full || !isOver(full)) return undefined
  if (full.response) return { is: 'response' }
  if (simple.redirectedTo !== undefined) return { is: 'redirect', to: simple.redirectedTo }
  const names = full.headers.map(([name]) => name)
  // With a single header, nothing shows whether the header is refused, or every OPTIONS request.
  if (names.length === 1) return { is: 'preflight' }
  if (single.length < names.length || !single.every(isOver)) return undefined
  const missing = single.flatMap((probe) => (probe.response ? [] : probe.headers.map(([name]) => name)))
  // Each is allowed, but not all of them together.
  if (missing.length === 0) return { is: 'response' }
  return missing.length === names.length ? { is: 'preflight' } : { is: 'headers', missing }
}

const isOver = ({ response, error }: Probe): boolean => response !== undefined || error !== undefined

/** Whether the server responds to another request than the one without a response; `undefined` until it is known. */
export const respondsToHead = ({ probes }: Diagnosis): boolean | undefined => {
  const sent = probes.filter(({ method }) => method === 'HEAD')
  // Until both are over, the preflight may be to blame.
  return sent.length > 0 && sent.every(isOver) ? sent[0]!.response !== undefined : undefined
}

/** Timers are allowed to be early. */
const EARLY = 100

/**
 * The request without a response to OPTIONS, which the browser awaits before it sends anything else, although the server
 * responds to a request that needs none.
 */
export const unansweredPreflight = ({ probes, silent }: Diagnosis): Seq | undefined => {
  if (silent !== undefined) return silent
  const [simple, full] = probes.filter(({ relayed, method }) => !relayed && method === 'HEAD')
  if (!simple?.response || full?.failedAfter === undefined) return undefined
  // A refusal is immediate.
  return full.failedAfter >= PREFLIGHT_PATIENCE - EARLY ? full.seq : undefined
}
