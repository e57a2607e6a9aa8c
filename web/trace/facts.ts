/** Derives facts about a frame from its exchange: method, status, duration. Shared by the filter and the rows. */
import {
  type Exchange,
  type Exchanges,
  type FlowRun,
  type Frame,
  type FrameOf,
  type HttpExchange,
  type HttpExchanges,
  httpRequestOf,
  type Json,
  type JsonObject,
  type Link,
  type Seq,
  type SignIns,
  type StepRun,
  type Verdict,
  verdictOf,
} from '../mcp/index.ts'
import { findingsAt, type FindingSource } from './found.ts'
import { type LargeTexts, SEARCHED } from './large-texts.ts'
import { markHidden } from '../ui/index.ts'

/** Data around the frame itself. Everything is looked up by seq, so that a frame costs the same in any trace. */
export interface Surroundings {
  readonly exchanges: Exchanges
  readonly runs: HttpExchanges
  readonly signIns: SignIns
  readonly names: (link: Link) => string
  /** Absent until the rules are loaded. */
  readonly findings?: FindingSource | undefined
  /** The large frames that were searched for the words of the filter; absent to search them in one go. */
  readonly large?: LargeTexts
  /** The user's notes. */
  readonly notes?: ReadonlyMap<Seq, string> | undefined
}

/**
 * `unexpected`: a response without a known request. `resumed`, `gap`: of streams. `forced`, `undone`: of sign-in steps,
 * which may also be `waiting`. A number is an HTTP status. The others are the verdicts on requests.
 */
export type Status = Verdict | 'invalid' | 'unexpected' | 'resumed' | 'gap' | 'forced' | 'undone' | number

/** Of what ended badly, besides an HTTP status of 400 or more. */
const FAILED: readonly (Status | undefined)[] = ['error', 'tool-error', 'timed-out', 'lost', 'invalid', 'gap']

/** A server has no GET stream, or doesn't let clients end sessions, and says so as it should (TR-HTTP-16, TR-HTTP-27). */
export const isNotOffered = ({ status, purpose }: Pick<HttpExchange, 'status' | 'purpose'>): boolean =>
  status === 405 && (purpose === 'listen' || purpose === 'end-session')

/** Of an HTTP frame: see `isNotOffered`. */
const saysNotOffered = (frame: Frame, { runs }: Pick<Surroundings, 'runs'>): boolean => {
  const run = frame.kind === 'http' ? runs.get(httpRequestOf(frame) ?? -1) : undefined
  return run !== undefined && isNotOffered(run)
}

/** Whether it ended badly. */
export const hasFailed = (frame: Frame, around: Surroundings): boolean => {
  const status = statusOf(frame, around)
  return typeof status === 'number' ? status >= 400 && !isExpected(frame, around) : FAILED.includes(status)
}

/** Whether it ended with a refusal that is in order: nothing is wrong with the server. */
export const isExpected = (frame: Frame, around: Surroundings): boolean => {
  const status = statusOf(frame, around)
  if (typeof status !== 'number') return status === 'probe'
  return status >= 400 && (saysNotOffered(frame, around) || isProbe(frame, around))
}

/** The request that a frame reports on: the one it is or responds to, the one it carries, or the one it gave up on. */
export const requestBehind = (frame: Frame, around: Pick<Surroundings, 'exchanges'>): Exchange | undefined => {
  const { bySeq, byCarrier } = around.exchanges
  if (frame.kind === 'message') return pairOf(frame, around)
  if (frame.kind === 'session') return frame.phase === 'gave-up' ? bySeq.get(frame.request) : undefined
  return byCarrier.get(httpRequestOf(frame) ?? -1)
}

/**
 * Whether the request of a frame failed, but only to find out the protocol version, or how to reach the server. A request
 * to sign in isn't part of that.
 */
const isProbe = (frame: Frame, around: Pick<Surroundings, 'exchanges' | 'runs'>): boolean =>
  requestBehind(frame, around)?.probe === true && around.runs.get(httpRequestOf(frame) ?? -1)?.status !== 401

/** The exchange whose request or response this frame is. */
export const pairOf = (frame: Frame, { exchanges }: Pick<Surroundings, 'exchanges'>): Exchange | undefined => {
  if (frame.kind !== 'message') return undefined
  const exchange = exchanges.bySeq.get(frame.seq)
  return exchange && (exchange.request === frame.seq || exchange.response === frame.seq) ? exchange : undefined
}

/** The method in the message, otherwise that of the request it responds to. */
export const methodOf = (frame: Frame, around: Surroundings): string | undefined => {
  if (frame.kind === 'http') return frame.phase === 'request' ? frame.method : undefined
  if (frame.kind !== 'message') return undefined
  const own = (frame.message as { method?: Json } | null | undefined)?.method ?? frame.released?.method
  return typeof own === 'string' ? own : around.exchanges.bySeq.get(frame.seq)?.method
}

export const statusOf = (frame: Frame, around: Surroundings): Status | undefined => {
  const status = ownStatus(frame, around)
  return ENDS_PROBE.includes(status) && isProbe(frame, around) ? 'probe' : status
}

/** How a probe may end. A message that can't be read is a violation, whatever it responds to. */
const ENDS_PROBE: readonly (Status | undefined)[] = ['error', 'timed-out', 'lost']

const ownStatus = (frame: Frame, around: Surroundings): Status | undefined => {
  switch (frame.kind) {
    case 'message': {
      if (frame.type === 'invalid') return 'invalid'
      const pair = pairOf(frame, around)
      if (pair) return verdictOf(pair)
      if (around.exchanges.orphans.has(frame.seq)) return 'unexpected'
      return frame.type === 'error' ? 'error' : undefined
    }
    case 'http':
      if (frame.phase === 'request') {
        const run = around.runs.get(frame.seq)
        return (
          run?.status ?? (run?.outcome === 'aborted' ? 'cancelled' : run?.outcome === 'failed' ? 'error' : 'pending')
        )
      }
      if (frame.phase === 'response') return frame.status
      if (frame.phase === 'queued') return undefined
      return frame.phase === 'end' ? undefined : frame.aborted === undefined ? 'error' : 'cancelled'
    case 'stream':
      if (frame.event === 'resume') return 'resumed'
      if (frame.event === 'gap') return 'gap'
      return frame.event === 'close' && frame.why === 'broken' ? 'lost' : undefined
    case 'process':
      if (frame.event === 'spawn-failed') return 'error'
      if (frame.event === 'lost') return 'lost'
      if (frame.event === 'stdout-noise') return 'invalid'
      return frame.event === 'exit' && frame.code !== 0 ? 'error' : undefined
    case 'transport':
      if (frame.event === 'refused') return 'error'
      if (frame.event === 'lost') return 'lost'
      return frame.event === 'unusable' ? 'invalid' : undefined
    case 'session':
      if (frame.phase === 'failed') return 'error'
      if (frame.phase === 'gave-up') return endOfOpening(frame, around) ? 'error' : GAVE_UP[frame.why]
      return frame.phase === 'open' ? 'ok' : undefined
    case 'auth':
      return authStatus(frame, around)
    case 'fault':
      return undefined
    default:
      return assertNever(frame)
  }
}

const GAVE_UP = { timeout: 'timed-out', cancelled: 'cancelled', lost: 'lost', closed: 'lost' } as const

/**
 * How a request ended that would have opened the session: without any response, or without one that can be used. Nothing
 * was lost.
 */
export const endOfOpening = (
  { request }: { readonly request: Seq },
  { exchanges }: Surroundings,
): 'closed' | 'unusable' | undefined => {
  const exchange = exchanges.bySeq.get(request)
  if (exchange?.status !== 'error' || exchange.response !== undefined) return undefined
  return exchange.arrived === undefined ? 'closed' : 'unusable'
}

const CLOSE_CODES = [1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015] as const

/** Whether the catalogue explains the code that ended a WebSocket. */
export const isCloseCode = (code: unknown): code is (typeof CLOSE_CODES)[number] =>
  (CLOSE_CODES as readonly unknown[]).includes(code)

/** How often the response of an exchange violates a MUST, as far as it has been judged. */
export const violationsOf = (pair: Exchange | undefined, { findings }: Surroundings): number =>
  pair?.response === undefined
    ? 0
    : findingsAt(pair.response, findings).filter(({ keyword, by }) => keyword === 'MUST' && by !== 'client').length

const authStatus = (frame: FrameOf<'auth'>, { signIns }: Surroundings): Status | undefined => {
  switch (frame.event) {
    case 'flow': {
      const run = signIns.flows.get(frame.seq)
      return run && stateOfFlow(run)
    }
    case 'step': {
      const run = signIns.steps.get(frame.seq)
      return run && stateOfStep(run)
    }
    case 'done':
      return OUTCOMES[frame.outcome]
    case 'waiting': {
      // It waited for the user then; it still does only if nothing has happened since.
      const run = signIns.steps.get(frame.begun)
      return run?.waits && run.waiting === frame.seq ? 'waiting' : undefined
    }
    case 'end':
      return ENDS[frame.outcome]
    case 'credential':
      return frame.what === 'refused' || frame.what === 'gave-up' ? 'error' : undefined
    default:
      return assertNever(frame)
  }
}

const OUTCOMES = { ok: 'ok', forced: 'forced', failed: 'error', undone: 'undone', cut: 'cancelled' } as const
const ENDS = { authorized: 'ok', failed: 'error', cancelled: 'cancelled' } as const

export const stateOfStep = ({ outcome, waits }: StepRun): Exclude<Status, number> =>
  outcome === undefined ? (waits ? 'waiting' : 'pending') : OUTCOMES[outcome]

export const stateOfFlow = ({ outcome }: FlowRun): Exclude<Status, number> =>
  outcome === undefined ? 'pending' : ENDS[outcome]

/** The sign-in step of a frame: its own, or that of its HTTP exchange. */
export const stepOf = (
  frame: Frame,
  { signIns: { steps }, runs }: Pick<Surroundings, 'signIns' | 'runs'>,
): StepRun | undefined => {
  if (frame.kind === 'auth') {
    if (frame.event === 'step') return steps.get(frame.seq)
    return frame.event === 'done' || frame.event === 'waiting' ? steps.get(frame.begun) : undefined
  }
  if (frame.kind !== 'http') return undefined
  const run = runs.get(frame.phase === 'request' ? frame.seq : frame.request)
  return run?.step === undefined ? undefined : steps.get(run.step)
}

/**
 * The duration in ms of what this frame began or ended; `undefined` while it is running, and if there is nothing to
 * measure.
 */
export const tookOf = (frame: Frame, around: Surroundings): number | undefined => {
  if (frame.kind === 'message') {
    const pair = pairOf(frame, around)
    return pair?.endedAt === undefined ? undefined : pair.endedAt - pair.startedAt
  }
  if (frame.kind === 'stream') return frame.event === 'resume' || frame.event === 'retry' ? frame.delay : undefined
  if (frame.kind === 'auth') {
    const run = around.signIns.flows.get(frame.seq) ?? stepOf(frame, around)
    if (frame.event === 'waiting') return run && frame.at - run.startedAt
    return run?.endedAt === undefined ? undefined : run.endedAt - run.startedAt
  }
  if (frame.kind !== 'http') return undefined
  const run = around.runs.get(httpRequestOf(frame) ?? -1)
  if (!run) return undefined
  const until = frame.phase === 'request' ? run.endedAt : frame.at
  return until === undefined ? undefined : until - run.startedAt
}

/** Seen from Periscope; absent for what happens within it. */
export const directionOf = (frame: Frame): 'sent' | 'received' | undefined => {
  if (frame.kind === 'message') return frame.direction
  if (frame.kind === 'http')
    return frame.phase === 'request' ? 'sent' : frame.phase === 'queued' ? undefined : 'received'
  if (frame.kind === 'stream') return 'received'
  if (frame.kind === 'transport') return frame.event === 'opening' || frame.event === 'closing' ? 'sent' : 'received'
  if (frame.kind !== 'process') return undefined
  return frame.event.startsWith('std') || frame.event === 'exit' ? 'received' : undefined
}

/** Bytes that the frame carried. */
export const sizeOf = (frame: Frame): number | undefined => {
  if ('size' in frame && typeof frame.size === 'number') return frame.size
  // Accurate enough for lines of text: one byte per UTF-16 unit.
  return frame.kind === 'process' && 'text' in frame ? frame.text.length : undefined
}

/** The text of a frame for searching, at most `SEARCHED` units: larger ones are read in pieces. */
export const textOf = (frame: Frame): string => {
  if (frame.kind !== 'message') return jsonHead(frame as unknown as Json, SEARCHED)
  if (frame.raw !== undefined) return frame.raw.slice(0, SEARCHED)
  if (frame.message === undefined) return ''
  return frame.size <= SEARCHED ? JSON.stringify(frame.message) : jsonHead(frame.message, SEARCHED)
}

/** The beginning of `JSON.stringify(value)`, without serializing the rest: values may have 20 MB. */
export const jsonHead = (value: Json, limit: number): string => {
  const parts: string[] = []
  let room = limit
  const put = (text: string) => {
    parts.push(text)
    room -= text.length
  }
  const walk = (item: Json | undefined): void => {
    if (room <= 0) return
    if (typeof item === 'string') return put(JSON.stringify(item.length > room ? item.slice(0, room) : item))
    if (item === null || typeof item !== 'object') return put(String(item))
    const list = Array.isArray(item)
    put(list ? '[' : '{')
    let first = true
    if (list) {
      for (const part of item as readonly Json[]) {
        if (room <= 0) return
        if (!first) put(',')
        first = false
        walk(part)
      }
    } else {
      // Not Object.entries: an object with a million keys must cost no more than the part that is read.
      const members = item as JsonObject
      for (const key in members) {
        if (room <= 0) return
        const part = members[key]
        if (part === undefined) continue
        put(`${first ? '' : ','}${JSON.stringify(key)}:`)
        first = false
        walk(part)
      }
    }
    put(list ? ']' : '}')
  }
  walk(value)
  return parts.join('').slice(0, limit)
}

export const assertNever = (value: never): never => {
  throw new TypeError(`No such frame: ${JSON.stringify(value)}`)
}

// Formats values from the wire as short texts: peers may send anything, of any length.

/** Longest text from the wire in a row, in UTF-16 units. */
const CLIP = 300

/** Line breaks and tabs would break a row, and bidi controls would reverse it; the detail shows the original text. */
export const clip = (text: string): string => {
  const line = markHidden(text.slice(0, CLIP).replace(/\s+/g, ' ').trim()).text
  return text.length > CLIP ? `${line}…` : line
}

export const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

export const stringOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** Values other than strings and numbers are shown as JSON. */
export const scalar = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : brief(value)

export const brief = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : jsonHead(value, CLIP + 1)

/** A code as words: `iss-mismatch` and `issMismatch` are "iss mismatch". */
export const readable = (code: string): string =>
  clip(code)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[-_]+/g, ' ')
    .toLowerCase()

/** Pairs per list, and UTF-16 units per value. */
const MOST_PAIRS = 100
const LONGEST_VALUE = 4_000

/** The members of an object, each as a line of text; values other than strings are JSON. */
export const valuePairs = (values: JsonObject | undefined): readonly (readonly [name: string, value: string])[] => {
  const pairs: (readonly [string, string])[] = []
  for (const name in values) {
    if (pairs.length >= MOST_PAIRS) break
    const value = values[name]
    if (value === undefined) continue
    const text = typeof value === 'string' ? value : jsonHead(value, LONGEST_VALUE + 1)
    pairs.push([name, text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text])
  }
  return pairs
}
