/** What is wrong with an open connection without breaking it, folded from the Trace, so that a recording shows it as well. */
import { type Frame, type FrameOf, headerIn, linkFold, type Seq } from '../mcp/index.ts'

export type ConnectionAdvice =
  /** The event stream that the client asked for was refused, other than with 405, which means there is none. */
  | { readonly is: 'listen-refused'; readonly seq: Seq; readonly status: number }
  /** The token lacks a scope, or there is none (RFC 6750 section 3.1). `scope`: as the challenge names it. */
  | { readonly is: 'scope'; readonly seq: Seq; readonly scope: string }
  /** A request got no response that the page can read, although others do: CORS lacks its method or its header. */
  | { readonly is: 'listen-hidden' | 'resume-hidden' | 'delete-hidden'; readonly seq: Seq }
  /** Most responses took long to begin. `ms`: the longest. */
  | { readonly is: 'slow'; readonly seq: Seq; readonly ms: number }
  /** Responses broke off in the middle. */
  | { readonly is: 'cut'; readonly seq: Seq; readonly count: number }

interface State {
  readonly advice: readonly ConnectionAdvice[]
  /** Requests whose responses haven't ended. */
  readonly open: ReadonlyMap<Seq, { readonly at: number; readonly purpose: string; readonly relayed: boolean }>
  readonly responses: number
  readonly slow: number
  /** The slowest request. */
  readonly longest: { readonly seq: Seq; readonly ms: number }
  /** The proxy of the user's network, and its variable. */
  readonly proxy?: string | undefined
  readonly over?: true
}

const NONE: State = { advice: [], open: new Map(), responses: 0, slow: 0, longest: { seq: 0, ms: 0 } }

/** ms until the headers of a response, and the number of responses before that is advice. */
const [SLOW, ENOUGH] = [2_000, 3]
/** Requests remembered. */
const MOST_OPEN = 100

export const connectionAdviceFold = linkFold<State>(NONE, (state, frame) => step(state, frame))

/** Which proxy of the user's network the latest response came through. */
export const proxyOf = (state: State | undefined): string | undefined => state?.proxy

export const adviceOf = (state: State | undefined): readonly ConnectionAdvice[] => state?.advice ?? []

const step = (state: State, frame: Frame): State => {
  if (frame.kind === 'session') {
    if (frame.phase === 'opening') return state.over ? NONE : state
    return frame.phase === 'closed' || frame.phase === 'failed' ? { ...state, over: true } : state
  }
  // A sign-in may have granted it.
  if (frame.kind === 'auth') return withoutAdvice(state, 'scope')
  if (frame.kind !== 'http') return state
  switch (frame.phase) {
    case 'request': {
      const { purpose, relayed = false, at, seq } = frame
      if (purpose === 'authorization' || purpose === 'diagnosis') return state
      const open = new Map([...state.open, [seq, { at, purpose, relayed }] as const].slice(-MOST_OPEN))
      return { ...state, open }
    }
    case 'response':
      // A sign-in may take another way.
      return answered(state.open.has(frame.request) ? withProxy(state, frame.proxy) : state, frame)
    case 'failed':
      return failed(state, frame)
    case 'end':
      return withoutOpen(state, frame.request)
    default:
      return state
  }
}

const withProxy = (state: State, proxy: State['proxy']): State => (state.proxy === proxy ? state : { ...state, proxy })

const answered = (
  state: State,
  { request, seq, at, status, headers }: FrameOf<'http'> & { readonly phase: 'response' },
): State => {
  const asked = state.open.get(request)
  if (asked?.purpose === 'listen' && status >= 400 && status !== 405)
    return withAdvice(state, { is: 'listen-refused', seq, status })
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
