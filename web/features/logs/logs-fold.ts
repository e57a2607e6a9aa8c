/**
 * Log messages and stderr of each connection, in order: a fold over the Trace alone. A line refers to its frame and
 * holds what filters need; its text stays in the Trace.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging (SF-LOG)
 */
import {
  isErrorResponse,
  getOrInsert,
  isErrorObject,
  isObject,
  isRequestId,
  META,
  RequestsById,
} from '../../mcp/index.ts'
import type { ErrorObject, Fold, Frame, Json, JsonObject, Link, MessageFrame, RequestId, Seq } from '../../mcp/index.ts'

/** Levels of RFC 5424, least severe first (SF-LOG-05). */
export const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const
export type Level = (typeof LEVELS)[number]

/** A problem of a message, as a code for the catalogues, with its rule id. */
export interface LogMark {
  readonly code: 'unknown-level' | 'no-data' | 'bad-logger' | 'no-params' | 'below' | 'unasked'
  readonly keyword: 'MUST' | 'MAY'
  readonly rule: 'SF-LOG-02' | 'SF-LOG-03' | 'SF-LOG-04' | 'SF-LOG-05'
}

export interface LogLine {
  readonly seq: Seq
  /** ms since the trace began. */
  readonly at: number
  readonly source: 'message' | 'stderr'
  /** Index in `LEVELS`; -1 if absent or unknown. */
  readonly level: number
  readonly logger?: string
  /** Its index in a batch. */
  readonly part?: number
  /** Our request on whose stream it arrived. */
  readonly request?: Seq
  readonly marks: readonly LogMark[]
}

/** The last `logging/setLevel` request (SF-LOG-02). */
export interface LevelSet {
  readonly level: string
  readonly seq: Seq
  state: 'pending' | 'ok' | 'refused' | 'lost'
  error?: ErrorObject
}

interface PendingRequest {
  readonly seq: Seq
  /** Index in `LEVELS` of the requested level; -1 if the request had none. */
  readonly level: number
}

export interface Log {
  /** Grows in place. */
  readonly lines: LogLine[]
  /** Number of messages per level, in the order of `LEVELS`. */
  readonly counts: number[]
  /** Number of messages without a known level. */
  unknown: number
  stderr: number
  /** Number of messages per logger, for the first `LOGGERS_KEPT` loggers. */
  readonly loggers: Map<string, number>
  /** There are more loggers than that. */
  moreLoggers: boolean
  set?: LevelSet
  /** Index in `LEVELS` of the minimum level that the server accepted; -1: none was requested. */
  least: number
  /** The level that the last request carried (2026-07-28). */
  asks?: string
  stateless: boolean
  /** `logging/setLevel`. */
  readonly setting: RequestsById<LevelSet>
  /** Our requests by the HTTP exchange that carries them, and those without a response. */
  readonly byCarrier: Map<Seq, PendingRequest>
  readonly open: RequestsById<PendingRequest>
}

export type Logs = Map<Link, Log>

export const LOGGERS_KEPT = 500
const CARRIERS_KEPT = 2000

const empty = (): Log => ({
  lines: [],
  counts: LEVELS.map(() => 0),
  unknown: 0,
  stderr: 0,
  loggers: new Map(),
  moreLoggers: false,
  least: -1,
  stateless: false,
  setting: new RequestsById(),
  byCarrier: new Map(),
  open: new RequestsById(),
})

export const logsFold: Fold<Logs> = {
  initial: () => new Map(),

  step(logs, frame) {
    switch (frame.kind) {
      case 'process': {
        if (frame.event !== 'stderr') return false
        const log = logOf(logs, frame.link)
        log.stderr++
        log.lines.push({ seq: frame.seq, at: frame.at, source: 'stderr', level: -1, marks: NONE })
        return
      }
      case 'session':
        return stepSession(logs, frame)
      case 'message':
        return stepMessages(logs, frame)
      default:
        return false
    }
  },
}

const NONE: readonly LogMark[] = []

const logOf = (logs: Logs, link: Link): Log => getOrInsert(logs, link, empty)

const stepSession = (logs: Logs, frame: Frame & { kind: 'session' }): void | false => {
  if (frame.phase === 'open') {
    const log = logOf(logs, frame.link)
    log.stateless = frame.peer.era === 'stateless'
    // A session begins without a level: one set in the previous session doesn't apply.
    log.least = -1
    delete log.set
    delete log.asks
    log.setting.takeAll()
    log.open.takeAll()
    return
  }
  const log = logs.get(frame.link)
  if (!log) return false
  if (frame.phase === 'gave-up') {
    log.open.takeSent(frame.request)
    const given = log.setting.takeSent(frame.request)
    for (const set of given) set.state = 'lost'
    return given.length > 0 ? undefined : false
  }
  if (frame.phase !== 'closed' && frame.phase !== 'failed') return false
  log.open.takeAll()
  const left = log.setting.takeAll()
  for (const set of left) set.state = 'lost'
  return left.length > 0 ? undefined : false
}

const stepMessages = (logs: Logs, frame: MessageFrame): void | false => {
  const { message } = frame
  if (!Array.isArray(message)) return isObject(message) ? stepMessage(logs, frame, message) : false
  let moved = false
  for (const [part, one] of (message as readonly Json[]).entries()) {
    if (isObject(one) && stepMessage(logs, frame, one, part) !== false) moved = true
  }
  return moved ? undefined : false
}

const stepMessage = (logs: Logs, frame: MessageFrame, message: JsonObject, part?: number): void | false => {
  if (frame.direction === 'sent') {
    return isRequestId(message.id) && typeof message.method === 'string'
      ? requestSent(logOf(logs, frame.link), frame, message, message.id)
      : false
  }
  if (message.method === 'notifications/message') return logged(logOf(logs, frame.link), frame, message, part)
  if (typeof message.method === 'string' || !isRequestId(message.id)) return false
  const log = logs.get(frame.link)
  return log ? responseReceived(log, message, message.id) : false
}

const requestSent = (log: Log, frame: MessageFrame, { method, params }: JsonObject, id: RequestId): void | false => {
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {}
  const wanted = meta[META.logLevel]
  const request: PendingRequest = { seq: frame.seq, level: levelOf(wanted) }
  log.open.add(id, request)
  if (frame.carrier !== undefined) {
    log.byCarrier.set(frame.carrier, request)
    if (log.byCarrier.size > CARRIERS_KEPT) log.byCarrier.delete(log.byCarrier.keys().next().value!)
  }
  if (method === 'logging/setLevel') {
    const level = isObject(params) && typeof params.level === 'string' ? params.level : ''
    log.set = { level, seq: frame.seq, state: 'pending' }
    log.setting.add(id, log.set)
    return
  }
  const before = log.asks
  if (typeof wanted === 'string') log.asks = wanted
  else delete log.asks
  return log.asks === before ? false : undefined
}

const responseReceived = (log: Log, message: JsonObject, id: RequestId): void | false => {
  log.open.take(id)
  const set = log.setting.take(id)
  if (!set) return false
  if (isErrorResponse(message)) {
    set.state = 'refused'
    if (isErrorObject(message.error)) set.error = message.error
    return
  }
  set.state = 'ok'
  log.least = levelOf(set.level)
}

const logged = (log: Log, frame: MessageFrame, message: JsonObject, part: number | undefined): void => {
  const marks: LogMark[] = []
  if (!isObject(message.params)) marks.push({ code: 'no-params', keyword: 'MUST', rule: 'SF-LOG-05' })
  const params = isObject(message.params) ? message.params : {}
  const level = levelOf(params.level)
  if (level < 0) {
    log.unknown++
    if (isObject(message.params)) marks.push({ code: 'unknown-level', keyword: 'MUST', rule: 'SF-LOG-05' })
  } else log.counts[level]!++
  if (isObject(message.params) && params.data === undefined) {
    marks.push({ code: 'no-data', keyword: 'MUST', rule: 'SF-LOG-05' })
  }
  const logger = typeof params.logger === 'string' ? params.logger : undefined
  if (params.logger !== undefined && logger === undefined) {
    marks.push({ code: 'bad-logger', keyword: 'MUST', rule: 'SF-LOG-05' })
  }
  if (logger !== undefined) countLogger(log, logger)
  const request = frame.carrier === undefined ? undefined : log.byCarrier.get(frame.carrier)
  const unwanted = log.stateless
    ? unrequested(log, level, request)
    : level >= 0 && level < leastOf(log)
      ? BELOW
      : undefined
  if (unwanted) marks.push(unwanted)
  log.lines.push({
    seq: frame.seq,
    at: frame.at,
    source: 'message',
    level,
    ...(logger === undefined ? {} : { logger }),
    ...(part === undefined ? {} : { part }),
    ...(request ? { request: request.seq } : {}),
    marks: marks.length > 0 ? marks : NONE,
  })
}

const BELOW: LogMark = { code: 'below', keyword: 'MAY', rule: 'SF-LOG-02' }
const BELOW_REQUEST: LogMark = { code: 'below', keyword: 'MUST', rule: 'SF-LOG-03' }
const UNASKED: LogMark = { code: 'unasked', keyword: 'MUST', rule: 'SF-LOG-03' }

/** While a level change is pending, messages of either level may arrive. */
const leastOf = (log: Log): number => {
  let least = log.least
  for (const { level } of log.setting.values()) least = Math.min(least, levelOf(level))
  return least
}

/**
 * 2026-07-28: a message belongs to a request that asked for its level or a lower one. If its request is unknown, any
 * pending one counts.
 */
const unrequested = (log: Log, level: number, request: PendingRequest | undefined): LogMark | undefined => {
  const requests = request ? [request] : [...log.open.values()]
  const levels = requests.map((one) => one.level).filter((one) => one >= 0)
  if (levels.length === 0) return UNASKED
  return level >= 0 && level < Math.min(...levels) ? BELOW_REQUEST : undefined
}

const countLogger = (log: Log, logger: string): void => {
  const count = log.loggers.get(logger)
  if (count === undefined && log.loggers.size >= LOGGERS_KEPT) log.moreLoggers = true
  else log.loggers.set(logger, (count ?? 0) + 1)
}

export const levelOf = (level: Json | undefined): number => LEVELS.indexOf(level as Level)
