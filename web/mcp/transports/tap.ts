/** The single tap: all traffic reaches the Trace through it as messages of limited depth, and secrets are masked here. */
import type { Clearance, Finding, FrameDraft, Json, JsonObject, Link, Seq } from '../frame.ts'
import { isObject, judge, notJson, type ParsedMessage, read } from '../jsonrpc.ts'
import {
  BRACE,
  BRACE_END,
  BRACKET,
  BRACKET_END,
  closingQuote,
  DEEPEST,
  LONG,
  nextMark,
  QUOTE,
  WIDEST,
} from '../../json/index.ts'
import { parseLong } from '../json-text.ts'
import { nextTask, pacer } from '../pace.ts'
import type { FrameGuard, Trace } from '../trace.ts'

// Messages in transit: what a transport sends and delivers.

/** A message as a transport delivers it: already in the Trace, with its verdict. */
export interface Received extends ParsedMessage {
  readonly seq: Seq
  /** UTF-8 bytes of its text. */
  readonly size: number
  /** The status of the HTTP response whose whole body it was. */
  readonly status?: number
}

export interface Outbound {
  readonly message: JsonObject | readonly JsonObject[]
  /** The exact text to send instead of the serialized message (the Console). */
  readonly text?: string
  /** Headers that the lifecycle requires; only transports with headers use them. */
  readonly headers?: Readonly<Record<string, string>>
  readonly limits?: { readonly idle: number; readonly total: number }
  readonly byHand?: true
  /** The request that this one continues. */
  readonly follows?: Seq
  /** How each tool call in it was approved. */
  readonly cleared?: readonly Clearance[]
  /** Called with the seq of its message frame as soon as it exists. */
  readonly captured?: (seq: Seq) => void
}

/**
 * Limits nesting: JSON can be parsed at any depth, but serializing it, and every recursive traversal, fails when the
 * stack is full. A frame must stay serializable JSON, so content that is too deep is cut from the value; the text stays
 * complete.
 */
const tooDeep: Finding = {
  rule: 'BP-01',
  keyword: 'MAY',
  explanation: `Nested more than ${DEEPEST} levels deep: the parsed value is cut off there, but the raw text is complete`,
}

const tooWide: Finding = {
  rule: 'BP-01',
  keyword: 'MAY',
  explanation: `More than ${WIDEST} members in one object: the parsed value omits the rest, but the raw text is complete`,
}

/** Whether JSON text has more levels than are retained. At most one pass. */
export const isDeep = (text: string): boolean => {
  // A level needs at least two characters.
  if (text.length < 2 * DEEPEST) return false
  let depth = 0
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at + 1)) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = closingQuote(text, at)
    else if (unit === BRACKET || unit === BRACE) {
      if (++depth > DEEPEST) return true
    } else if (unit === BRACKET_END || unit === BRACE_END) depth--
  }
  return false
}

/** The value down to the deepest retained level; content below it becomes `"…"`. */
export const shallow = (value: Json, left = DEEPEST): Json => {
  if (typeof value !== 'object' || value === null) return value
  if (left === 0) return '…'
  if (Array.isArray(value)) return value.map((part: Json) => shallow(part, left - 1))
  if (!isObject(value)) return value
  // `fromEntries` also defines `__proto__` as a property, where an assignment would set the prototype.
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shallow(part, left - 1)]))
}

export interface Capture {
  readonly carrier?: Seq
  readonly eventId?: string
  readonly eventName?: string
  /** Some bytes weren't UTF-8 and became U+FFFD. */
  readonly invalidUtf8?: boolean
}

/** A draft without its link, which the tap adds. */
type LinklessDraft = FrameDraft extends infer Draft ? (Draft extends FrameDraft ? Omit<Draft, 'link'> : never) : never

/** Above this many characters the text is always stored: comparing would cost more than it saves. */
const COMPARE_LIMIT = 64 * 1024

export class Tap {
  readonly #trace: Trace
  readonly #link: Link

  constructor(trace: Trace, link: Link) {
    this.#trace = trace
    this.#link = link
  }

  /** @param checked see `Trace.append` */
  append(draft: LinklessDraft, checked = false): Seq {
    return this.#trace.append({ ...draft, link: this.#link }, checked).seq
  }

  /** Captures an outgoing message and returns its exact text. */
  sent(outbound: Outbound, carrier?: Seq, text = textOf(outbound)): { seq: Seq; text: string } {
    const { type, message } = read(text)
    const seq = this.append({
      kind: 'message',
      direction: 'sent',
      type,
      message,
      raw: outbound.text === undefined || sameText(message, text) ? undefined : text,
      size: utf8Length(text),
      carrier,
      limits: outbound.limits,
      byHand: outbound.byHand,
      follows: outbound.follows,
      cleared: outbound.cleared,
    })
    outbound.captured?.(seq)
    return { seq, text }
  }

  /**
   * Captures a text in the place of a message, with its verdict. A long text is parsed asynchronously: later messages
   * must wait for it.
   */
  received(text: string, capture: Capture = {}): Received | Promise<Received> {
    if (text.length > LONG)
      return readLong(text, this.#trace.guardOf(this.#link)).then((long) => this.#received(text, long, capture))
    return this.#received(text, readShort(text), capture)
  }

  /**
   * Captures one line of a child's stdout: a message, or noise if it isn't a JSON object or array, whatever its length.
   * @returns `undefined` for noise
   */
  line(text: string, invalidUtf8: boolean): Received | undefined | Promise<Received | undefined> {
    if (!/^\uFEFF?\s*[[{]/.test(text)) return this.#line(text, undefined, invalidUtf8)
    if (text.length > LONG)
      return readLong(text, this.#trace.guardOf(this.#link)).then((long) => this.#line(text, long, invalidUtf8))
    return this.#line(text, readShort(text), invalidUtf8)
  }

  #line(text: string, reading: Taken | undefined, invalidUtf8: boolean): Received | undefined {
    if (reading?.message !== undefined) return this.#received(text, reading, { invalidUtf8 })
    this.append({ kind: 'process', event: 'stdout-noise', text, invalidUtf8: invalidUtf8 || undefined })
    return undefined
  }

  #received(text: string, { type, message, kept, size, checked, findings: found }: Taken, capture: Capture): Received {
    const { carrier, eventId, eventName, invalidUtf8 } = capture
    const marked = text.charCodeAt(0) === BYTE_ORDER_MARK
    const findings: Finding[] = [...found]
    if (marked) findings.push(encoding("The message begins with a byte order mark, which JSON doesn't allow"))
    if (invalidUtf8) findings.push(encoding("Some bytes aren't valid UTF-8. They are shown as U+FFFD"))
    const frame = {
      kind: 'message' as const,
      direction: 'received' as const,
      type,
      message: kept,
      raw: sameText(kept, text) ? undefined : text,
      size,
      carrier,
      eventId,
      eventName,
      findings: findings.length === 0 ? undefined : findings,
    }
    const seq = this.append(frame, checked)
    return { seq, type, findings, size, message }
  }
}

/** The exact text of an outgoing message: one line, as stdio requires (TR-STDIO-02). */
export const textOf = (outbound: Outbound): string => outbound.text ?? JSON.stringify(outbound.message)

const BYTE_ORDER_MARK = 0xfeff

/** A parsed message and the parts that its frame stores. */
interface Taken extends ParsedMessage {
  /** The part of the message that a frame may store. */
  readonly kept?: Json
  /** UTF-8 bytes of the text. */
  readonly size: number
  /** The text is known to contain nothing that the guard masks. */
  readonly checked?: boolean
}

/** JSON.parse refuses a byte order mark: report the violation, then parse anyway. */
const unmarked = (text: string): string => (text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text)

const readShort = (text: string): Taken => {
  const reading = read(unmarked(text))
  const { message, findings } = reading
  const size = utf8Length(text)
  if (message === undefined) return { ...reading, size }
  if (!isDeep(text)) return { ...reading, kept: message, size }
  return { ...reading, kept: shallow(message), size, findings: [...findings, tooDeep] }
}

/**
 * Never rejects. Cuts are also made in the message itself, because copying it would take the time that slicing saves.
 */
const readLong = async (text: string, guard: FrameGuard | undefined): Promise<Taken> => {
  const size = await utf8LengthInSteps(text)
  const checked = guard !== undefined && !(await holdsInSteps(text, guard))
  try {
    const { value, depth, cut } = await parseLong(unmarked(text))
    const deep = depth > DEEPEST
    const reading = judge(value)
    const findings = [...reading.findings, ...(deep ? [tooDeep] : []), ...(cut ? [tooWide] : [])]
    return { ...reading, findings, kept: value, size, checked }
  } catch (error) {
    return { ...notJson(error), size, checked }
  }
}

/** Characters that adjacent pieces share, so that a secret cut in two is complete in one of them. */
const OVERLAP = 16 * 1024

const holdsInSteps = async (text: string, guard: FrameGuard): Promise<boolean> => {
  const pause = pacer()
  for (let from = 0; from < text.length; from += LONG) {
    if (guard.holds(text.slice(from, from + LONG + OVERLAP))) return true
    await pause()
  }
  return false
}

const encoding = (explanation: string): Finding => ({ rule: 'BP-14', keyword: 'MUST', explanation })

/** Whether serializing the message gives its text, which then needn't be stored. */
export const sameText = (message: unknown, text: string): boolean =>
  message !== undefined && text.length <= COMPARE_LIMIT && JSON.stringify(message) === text

/** Bytes of a text in UTF-8, without encoding it. A lone surrogate counts as 3, because it is sent as U+FFFD. */
export const utf8Length = (text: string): number => {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    if (unit < 0x800) bytes += 1
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 2
      index++
    } else bytes += 2
  }
  return bytes
}

/** The same in slices, for long texts. */
export const utf8LengthInSteps = async (text: string): Promise<number> => {
  await nextTask()
  const pause = pacer()
  let size = 0
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + LONG)
    // Never between the two halves of a surrogate pair.
    if (to < text.length && isLowSurrogate(text.charCodeAt(to))) to--
    size += utf8Length(text.slice(from, to))
    from = to
    await pause()
  }
  return size
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000
