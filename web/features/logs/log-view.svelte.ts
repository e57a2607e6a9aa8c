/** How the log is shown: the text of its lines, read from their frames, the search for lines, and the tab's settings. */
import { Remembered } from '../remembered.ts'
import { type Frame, type Json, type JsonObject, isObject } from '../../mcp/index.ts'
import { plainOf } from './ansi.ts'
import { LEVELS, type LogLine } from './logs-fold.ts'

/** UTF-16 units per line that are searched and copied. */
const LONGEST = 20_000

type FrameAt = (seq: number) => Frame | undefined

/** The parameters of a log message; `undefined` if the body was released or there is none. */
export const paramsOf = ({ seq, part }: LogLine, frameAt: FrameAt): JsonObject | undefined => {
  const frame = frameAt(seq)
  if (frame?.kind !== 'message') return undefined
  const { message } = frame
  const one: Json | undefined =
    part === undefined ? message : Array.isArray(message) ? (message as readonly Json[])[part] : undefined
  return isObject(one) && isObject(one.params) ? one.params : undefined
}

/** The text of a line: stderr and strings unchanged, other values as JSON; `undefined` if the body was released. */
export const textOf = (line: LogLine, frameAt: FrameAt): string | undefined => {
  if (line.source === 'stderr') {
    const frame = frameAt(line.seq)
    return frame?.kind === 'process' && frame.event === 'stderr' ? frame.text : undefined
  }
  const params = paramsOf(line, frameAt)
  if (!params) return undefined
  const { data } = params
  return typeof data === 'string' ? data : data === undefined ? '' : JSON.stringify(data)
}

/** A line as text for the clipboard: time in seconds, level or `stderr`, logger, text without colours. */
export const lineText = (line: LogLine, frameAt: FrameAt): string => {
  const level = line.source === 'stderr' ? 'stderr' : (LEVELS[line.level] ?? '?')
  const text = plainOf((textOf(line, frameAt) ?? '').slice(0, LONGEST))
  return [(line.at / 1000).toFixed(3), level, line.logger, text].filter((part) => part !== undefined).join('\t')
}

export interface LogFilter {
  /** Words that must all occur in the logger or the text, ignoring case. */
  readonly text: string
  /**
   * Shows messages of this level (index in `LEVELS`) and above; 0: all. Lines without a known level are always shown.
   */
  readonly least: number
  /** `undefined`: all loggers. */
  readonly logger: string | undefined
  readonly source: 'all' | LogLine['source']
}

/** The lines that match a filter, searched in steps: 100,000 lines at once would block the page. */
export class LogMatches {
  /** Indexes into `lines`, ascending; grows in place. */
  readonly found: number[] = []
  readonly #lines: readonly LogLine[]
  readonly #filter: LogFilter
  readonly #words: readonly string[]
  readonly #frameAt: FrameAt
  #next: number

  /** @param from index of the first line to search */
  constructor(lines: readonly LogLine[], filter: LogFilter, frameAt: FrameAt, from = 0) {
    this.#lines = lines
    this.#filter = filter
    this.#words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
    this.#frameAt = frameAt
    this.#next = from
  }

  /**
   * Continues until all lines before `until` are searched, or the time is used up.
   * @param ms time limit
   * @returns whether all were searched
   */
  advance(until: number, ms: number): boolean {
    const end = Math.min(until, this.#lines.length)
    const begun = performance.now()
    while (this.#next < end) {
      const at = this.#next++
      if (this.#lets(this.#lines[at]!)) this.found.push(at)
      if (at % 256 === 0 && performance.now() - begun > ms) return this.#next >= end
    }
    return true
  }

  #lets(line: LogLine): boolean {
    const { least, logger, source } = this.#filter
    if (source !== 'all' && line.source !== source) return false
    if (line.level >= 0 && line.level < least) return false
    if (logger !== undefined && line.logger !== logger) return false
    if (this.#words.length === 0) return true
    const text = `${line.logger ?? ''}\n${(textOf(line, this.#frameAt) ?? '').slice(0, LONGEST)}`.toLowerCase()
    return this.#words.every((word) => text.includes(word))
  }
}

/**
 * The user's settings in the Logs tab of each connection. They survive switching panels and reconnecting, until the
 * page closes.
 */
export class LogsView {
  text = $state('')
  /** Index in `LEVELS`. */
  least = $state(0)
  /** `undefined`: all loggers. */
  logger = $state<string>()
  source = $state<LogFilter['source']>('all')
  /** The number of lines when the log was paused; absent: not paused. */
  pausedAt = $state<number>()
  /** The number of lines when the view was cleared. The Trace still has them. */
  clearedAt = $state(0)
  /** Index of the selected line among all lines. */
  picked = $state<number>()
}

export const logsViews = new Remembered(() => new LogsView())
