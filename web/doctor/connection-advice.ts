/** What is wrong with an open connection without breaking it, folded from the Trace, so that a recording shows it as well. */
import { type Frame, type FrameOf, headerIn, linkFold, type Seq } from '../mcp/index.ts'
import { listIn, type Exposure } from './cors.ts'

export type ConnectionAdvice =
  /** The event stream that the client asked for was refused, other than with 405, which means there is none. */
  | { readonly is: 'listen-refused'; readonly seq: Seq; readonly status: number }
  /** The token lacks a scope, or there is none (RFC 6750 section 3.1). `scope`: as the challenge names it. */
  | { readonly is: 'scope'; readonly seq: Seq; readonly scope: string }
  /** A request got no response that the page can read, although others do: CORS lacks its method or its header. */
  | { readonly is: 'listen-hidden' | 'resume-hidden' | 'delete-hidden'; readonly seq: Seq }
  /** The event stream has no response headers, although other requests get theirs: something holds them back. `ms`: for how long. */
  | { readonly is: 'listen-silent'; readonly seq: Seq; readonly ms: number }
  /** The same, but the page had as many older requests to the server `open` as browsers allow: it may not have been sent. */
  | { readonly is: 'listen-queued'; readonly seq: Seq; readonly ms: number; readonly open: number }
  /**
   * CORS hides a header that pages need: the session ID, the challenge of a 401. `seen`: the relay saw it. Otherwise the server
   * may not send it at all.
   */
  | { readonly is: 'session-hidden' | 'challenge-hidden'; readonly seq: Seq; readonly seen: boolean }
  /** Most responses took long to begin. `ms`: the longest. */
  | { readonly is: 'slow'; readonly seq: Seq; readonly ms: number }
  /** Responses broke off in the middle. */
  | { readonly is: 'cut'; readonly seq: Seq; readonly count: number }

interface OpenRequest {
  readonly at: number
  readonly purpose: string
  readonly relayed: boolean
  /** It has the ID of a session. */
  readonly inSession: boolean
  /** It waited for a connection while this many older requests were open. */
  readonly queued?: number
  /** Its response has begun: the frame, and the status. */
  readonly answered?: { readonly seq: Seq; readonly status: number; readonly crossOrigin: boolean }
}

interface State {
  readonly advice: readonly ConnectionAdvice[]
  /** Requests whose responses haven't ended. */
  readonly open: ReadonlyMap<Seq, OpenRequest>
  readonly responses: number
  readonly slow: number
  /** The slowest request. */
  readonly longest: { readonly seq: Seq; readonly ms: number }
  /** The proxy of the user's network, and its variable. */
  readonly proxy?: string | undefined
  /** The browser refused a request, so the relay sends them now, and sees every header. */
  readonly detoured?: true
  /** The names that responses expose to pages, in lower case, as the relay saw them. */
  readonly exposed?: readonly string[]
  /** A session was opened, and a 401 came, since the last attempt began. */
  readonly opened?: true
  readonly challenged?: true
  readonly over?: true
}

const NONE: State = { advice: [], open: new Map(), responses: 0, slow: 0, longest: { seq: 0, ms: 0 } }

/** ms until the headers of a response, and the number of responses before that is advice. */
const [SLOW, ENOUGH] = [2_000, 3]
/** ms without the headers of an event stream before that is advice: a slow server takes as long for other responses. */
const SILENT = 5_000
/** Requests remembered. */
const MOST_OPEN = 100

export const connectionAdviceFold = linkFold<State>(NONE, (state, frame) => step(state, frame))

/** Which proxy of the user's network the latest response came through. */
export const proxyOf = (state: State | undefined): string | undefined => state?.proxy

const HIDES: Readonly<Partial<Record<ConnectionAdvice['is'], string>>> = {
  'session-hidden': 'Mcp-Session-Id',
  'challenge-hidden': 'WWW-Authenticate',
}

/** What responses expose to pages and hide from them, once the relay has seen one with CORS headers. */
export const exposureOf = (state: State | undefined): Exposure | undefined => {
  if (!state?.exposed) return undefined
  const hidden = state.advice.flatMap((each) => ('seen' in each && each.seen ? [HIDES[each.is]!] : []))
  return { exposed: state.exposed, hidden }
}

/** The requests for an event stream whose responses haven't begun. */
const waiting = ({ open }: State): readonly (readonly [Seq, OpenRequest])[] =>
  [...open].filter(([, { purpose, answered }]) => purpose === 'listen' && !answered)

/** Whether time may add to the advice. */
export const mayChange = (state: State | undefined): boolean =>
  state !== undefined && !state.over && waiting(state).length > 0

/** @param now ms since the trace began */
export const adviceOf = (state: State | undefined, now = 0): readonly ConnectionAdvice[] => {
  if (!state) return []
  const silent = waiting(state).find(([, request]) => isSilent(state, request, now))
  return silent ? withSilence(state, silent[0], silent[1], now).advice : state.advice
}

const withSilence = (state: State, seq: Seq, { at, queued }: OpenRequest, now: number): State => {
  const ms = now - at
  return queued === undefined
    ? withAdvice(withoutAdvice(state, 'listen-queued'), { is: 'listen-silent', seq, ms })
    : withAdvice(withoutAdvice(state, 'listen-silent'), { is: 'listen-queued', seq, ms, open: queued })
}

const isSilent = ({ responses, longest, over }: State, { at }: OpenRequest, now: number): boolean =>
  !over && responses > 0 && now - at > Math.max(SILENT, 2 * longest.ms)

const step = (state: State, frame: Frame): State => {
  if (frame.kind === 'session') {
    // What a sign-in was needed for came before it, in an attempt that failed.
    if (frame.phase === 'opening') {
      if (!state.over) return state
      // A session without a 401 after it shows no more what a page can read of one.
      const isOutdated = state.opened === true && !state.challenged
      return { ...NONE, advice: isOutdated ? [] : state.advice.filter(({ is }) => is === 'challenge-hidden') }
    }
    if (frame.phase === 'open') return { ...state, opened: true }
    return frame.phase === 'closed' || frame.phase === 'failed' ? { ...state, over: true } : state
  }
  // A sign-in may have granted it.
  if (frame.kind === 'auth') return withoutAdvice(state, 'scope')
  if (frame.kind !== 'http') return state
  switch (frame.phase) {
    case 'request': {
      const { purpose, relayed = false, at, seq, headers, again } = frame
      if (purpose === 'authorization' || purpose === 'diagnosis') return state
      const request: OpenRequest = {
        at,
        purpose,
        relayed,
        inSession: headerIn(headers, 'mcp-session-id') !== undefined,
      }
      const open = new Map([...state.open, [seq, request] as const].slice(-MOST_OPEN))
      return { ...state, open, ...(relayed && again !== undefined ? { detoured: true as const } : {}) }
    }
    case 'queued': {
      const asked = state.open.get(frame.request)
      if (!asked) return state
      return { ...state, open: new Map(state.open).set(frame.request, { ...asked, queued: frame.open }) }
    }
    case 'response':
      // A sign-in may take another way.
      return answered(state.open.has(frame.request) ? withHidden(withProxy(state, frame.proxy), frame) : state, frame)
    case 'failed':
      return failed(state, frame)
    case 'end': {
      const asked = state.open.get(frame.request)
      const next = withoutOpen(state, frame.request)
      return asked && needsSession(asked, frame.body) ? withSessionHidden(next, asked.answered!.seq) : next
    }
    default:
      return state
  }
}

const withProxy = (state: State, proxy: State['proxy']): State => (state.proxy === proxy ? state : { ...state, proxy })

type HttpResponse = FrameOf<'http'> & { readonly phase: 'response' }

/** What a page can't read of a response, or couldn't if the relay weren't there. */
const withHidden = (
  state: State,
  { request, seq, status, headers, crossOrigin: isCrossOrigin }: HttpResponse,
): State => {
  const asked = state.open.get(request)!
  const crossOrigin = isCrossOrigin === true
  const open = new Map(state.open).set(request, { ...asked, answered: { seq, status, crossOrigin } })
  const next: State = { ...state, open, ...(status === 401 ? { challenged: true as const } : {}) }
  const challenge = headerIn(headers, 'www-authenticate')
  if (asked.relayed) {
    // Many servers send such headers only in responses to a page, so their absence alone proves nothing.
    const isCors = headerIn(headers, 'access-control-allow-origin') !== undefined
    if (!state.detoured || !isCors) return next
    const exposed = listIn(headers, 'access-control-expose-headers').map((name) => name.toLowerCase())
    const seen = { ...next, exposed }
    const hides = (name: string) =>
      headerIn(headers, name) !== undefined && !exposed.includes(name) && !exposed.includes('*')
    // Only the response to initialize has to have it. Many servers repeat it in all others.
    if (hides('mcp-session-id') && asked.purpose === 'message' && !asked.inSession)
      return withAdvice(seen, { is: 'session-hidden', seq, seen: true })
    return status === 401 && hides('www-authenticate') ? withAdvice(seen, { is: 'challenge-hidden', seq, seen: true }) : seen // prettier-ignore
  }
  if (status !== 401 || !crossOrigin) return next
  return challenge === undefined
    ? withAdvice(next, { is: 'challenge-hidden', seq, seen: false })
    : withoutAdvice(next, 'challenge-hidden')
}

/** As the SDKs and those who write servers by hand refuse requests without an ID. */
const ASKS_FOR_SESSION = /session[- ]?id|no (?:valid )?session/i

/** It was refused because it isn't part of a session, although others were accepted: the page got no ID. */
const needsSession = ({ purpose, inSession, relayed, answered }: OpenRequest, body = ''): boolean =>
  purpose === 'listen' &&
  !inSession &&
  !relayed &&
  answered?.crossOrigin === true &&
  (answered.status === 400 || answered.status === 404) &&
  // The page of a site may name sessions of another kind.
  !/^\s*</.test(body) &&
  ASKS_FOR_SESSION.test(body)

const withSessionHidden = (state: State, seq: Seq): State =>
  withAdvice(withoutAdvice(state, 'listen-refused'), { is: 'session-hidden', seq, seen: false })

const answered = (state: State, { request, seq, at, status, headers }: HttpResponse): State => {
  const asked = state.open.get(request)
  if (asked?.purpose === 'listen') {
    const gone: readonly ConnectionAdvice['is'][] = ['listen-silent', 'listen-queued', ...(asked.relayed ? [] : (['listen-hidden'] as const))] // prettier-ignore
    const heard = gone.reduce(withoutAdvice, state)
    return status >= 400 && status !== 405 ? withAdvice(heard, { is: 'listen-refused', seq, status }) : heard
  }
  const scope = asked && status === 403 ? lackingScope(headerIn(headers, 'www-authenticate')) : undefined
  if (scope !== undefined) return withAdvice(state, { is: 'scope', seq, scope })
  // A stream may be silent for as long as nothing happens.
  if (asked?.purpose !== 'message') return state
  const ms = at - asked.at
  const [responses, slow] = [state.responses + 1, state.slow + Number(ms > SLOW)]
  const longest = ms > state.longest.ms ? { seq: request, ms } : state.longest
  const next = { ...state, responses, slow, longest }
  return slow < ENOUGH || slow * 2 <= responses ? next : withAdvice(next, { is: 'slow', ...longest })
}

const HIDDEN: Readonly<Record<string, 'listen-hidden' | 'resume-hidden' | 'delete-hidden'>> = {
  listen: 'listen-hidden',
  resume: 'resume-hidden',
  'end-session': 'delete-hidden',
}

const failed = (state: State, frame: FrameOf<'http'> & { readonly phase: 'failed' }): State => {
  const { request, seq, stage, aborted } = frame
  const asked = state.open.get(request)
  const next = withoutOpen(state, request)
  if (asked?.purpose === 'listen' && stage === 'headers' && isSilent(state, asked, frame.at))
    return withSilence(next, request, asked, frame.at)
  if (!asked || aborted !== undefined) return next
  if (stage === 'body') {
    const before = state.advice.find((each) => each.is === 'cut')
    return withAdvice(next, { is: 'cut', seq, count: (before?.count ?? 0) + 1 })
  }
  const is = HIDDEN[asked.purpose]
  // The relay reports the reason itself.
  return is && !asked.relayed ? withAdvice(next, { is, seq }) : next
}

const withoutOpen = (state: State, seq: Seq): State => {
  if (!state.open.has(seq)) return state
  const open = new Map(state.open)
  open.delete(seq)
  return { ...state, open }
}

const lackingScope = (challenge = ''): string | undefined =>
  /\berror="?insufficient_scope\b/i.test(challenge)
    ? (/\bscope="([^"]{1,200})"/i.exec(challenge)?.[1] ?? '')
    : undefined

const withoutAdvice = (state: State, kind: ConnectionAdvice['is']): State =>
  state.advice.some(({ is }) => is === kind)
    ? { ...state, advice: state.advice.filter(({ is }) => is !== kind) }
    : state

/** One of a kind: the latest. */
const withAdvice = (state: State, next: ConnectionAdvice): State => ({
  ...state,
  advice: [...state.advice.filter(({ is }) => is !== next.is), next],
})
