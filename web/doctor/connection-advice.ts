/** What is wrong with an open connection without breaking it, folded from the Trace, so that a recording shows it as well. */
import { type Frame, type FrameOf, linkFold, type Seq } from '../mcp/index.ts'

export type ConnectionAdvice =
  /** The event stream that the client asked for was refused, other than with 405, which means there is none. */
  | { readonly is: 'listen-refused'; readonly seq: Seq; readonly status: number }
  /** A request got no response that the page can read, although others do: CORS lacks its method or its header. */
  | { readonly is: 'listen-hidden' | 'resume-hidden' | 'delete-hidden'; readonly seq: Seq }
  /** Most responses took long to begin. `ms`: the longest. */
  | { readonly is: 'slow'; readonly seq: Seq; readonly ms: number }
  /** Responses broke off in the middle. */
  | { readonly is: 'cut'; readonly seq: Seq; readonly count: number }

interface State {
  readonly advice: readonly ConnectionAdvice[]
  /** Requests without headers of a response so far. */
  readonly open: ReadonlyMap<Seq, { readonly at: number; readonly purpose: string; readonly relayed: boolean }>
  readonly responses: number
  readonly slow: number
  /** The slowest request. */
  readonly longest: { readonly seq: Seq; readonly ms: number }
  readonly over?: true
}

const NONE: State = { advice: [], open: new Map(), responses: 0, slow: 0, longest: { seq: 0, ms: 0 } }

/** ms until the headers of a response, and the number of responses before that is advice. */
const [SLOW, ENOUGH] = [2_000, 3]
/** Requests remembered. */
const MOST_OPEN = 100

export const connectionAdviceFold = linkFold<State>(NONE, (state, frame) => step(state, frame))

export const adviceOf = (state: State | undefined): readonly ConnectionAdvice[] => state?.advice ?? []

const step = (state: State, frame: Frame): State => {
  if (frame.kind === 'session') {
    if (frame.phase === 'opening') return state.over ? NONE : state
    return frame.phase === 'closed' || frame.phase === 'failed' ? { ...state, over: true } : state
  }
  if (frame.kind !== 'http') return state
  switch (frame.phase) {
    case 'request': {
      const { purpose, relayed = false, at, seq } = frame
      if (purpose === 'authorization' || purpose === 'diagnosis') return state
      const open = new Map([...state.open, [seq, { at, purpose, relayed }] as const].slice(-MOST_OPEN))
      return { ...state, open }
    }
    case 'response':
      return answered(state, frame)
    case 'failed':
      return failed(state, frame)
    default:
      return state
  }
}

const answered = (
  state: State,
  { request, seq, at, status }: FrameOf<'http'> & { readonly phase: 'response' },
): State => {
  const asked = state.open.get(request)
  if (!asked) return state
  const open = without(state.open, request)
  if (asked.purpose === 'listen' && status >= 400 && status !== 405)
    return { ...state, open, advice: withAdvice(state.advice, { is: 'listen-refused', seq, status }) }
  // A stream may be silent for as long as nothing happens.
  if (asked.purpose !== 'message') return { ...state, open }
  const ms = at - asked.at
  const [responses, slow] = [state.responses + 1, state.slow + Number(ms > SLOW)]
  const longest = ms > state.longest.ms ? { seq: request, ms } : state.longest
  const next = { ...state, open, responses, slow, longest }
  if (slow < ENOUGH || slow * 2 <= responses) return next
  return { ...next, advice: withAdvice(state.advice, { is: 'slow', ...longest }) }
}

const HIDDEN = { listen: 'listen-hidden', resume: 'resume-hidden', 'end-session': 'delete-hidden' } as const

const failed = (state: State, frame: FrameOf<'http'> & { readonly phase: 'failed' }): State => {
  const { request, seq, stage, aborted } = frame
  const asked = state.open.get(request)
  const open = without(state.open, request)
  if (aborted !== undefined) return { ...state, open }
  if (stage === 'body') {
    const before = state.advice.find((each) => each.is === 'cut')
    return { ...state, open, advice: withAdvice(state.advice, { is: 'cut', seq, count: (before?.count ?? 0) + 1 }) }
  }
  // The relay says itself why there is no response.
  const is = asked && !asked.relayed && Object.hasOwn(HIDDEN, asked.purpose) ? HIDDEN[asked.purpose as keyof typeof HIDDEN] : undefined // prettier-ignore
  return is ? { ...state, open, advice: withAdvice(state.advice, { is, seq }) } : { ...state, open }
}

const without = (open: State['open'], seq: Seq): State['open'] => {
  const left = new Map(open)
  left.delete(seq)
  return left
}

/** One of a kind: the latest. */
const withAdvice = (advice: readonly ConnectionAdvice[], next: ConnectionAdvice): readonly ConnectionAdvice[] => [
  ...advice.filter(({ is }) => is !== next.is),
  next,
]
