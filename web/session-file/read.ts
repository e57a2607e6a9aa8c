/**
 * Reads a session from a file. It opens as much as possible: damaged, missing or unknown parts are reported, and the
 * rest is available. Works in slices, so that the page stays responsive.
 */
import { LONG } from '../json/index.ts'
import { isObject, pacer, parseLong, shallow, isDeep } from '../mcp/index.ts'
import type { Frame, Json, Seq } from '../mcp/index.ts'
import { asFrame, faultOf } from './guard.ts'
import { headFrom } from './head.ts'
import { moved, referencesOf } from './references.ts'
import { FORMAT, SessionFileError, VERSION, type Damage, type OpenedSession, type SessionHead } from './file.ts'

const MOST_FRAMES = 1_000_000
/** Characters of one line, and of the whole file. */
const LONGEST_LINE = 128 * 1024 * 1024
const LARGEST = 1024 * 1024 * 1024
/** Problems listed; further ones are counted. */
const MOST_DAMAGE = 100
/** A file with more lines that aren't frames isn't read to its end. */
const MOST_DAMAGED = 100_000

export interface ReadOptions {
  /** Called occasionally with the lines read so far. */
  readonly progress?: (lines: number) => void
  readonly signal?: AbortSignal
  /** Maximum number of frames; default 1,000,000. */
  readonly most?: number
}

type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

/**
 * @param source the text, its bytes, or pieces of either, cut anywhere
 * @throws {SessionFileError} nothing in it can be opened; the reason of `signal`
 */
export const readSession = async (source: string | Chunks, options: ReadOptions = {}): Promise<OpenedSession> => {
  const reading = new SessionReader(options.most ?? MOST_FRAMES)
  const pause = pacer()
  let lines = 0
  for await (const line of linesOf(typeof source === 'string' ? [source] : source, reading)) {
    if (isBlank(line)) reading.blank()
    else reading.line(line.length > LONG ? await long(line) : short(line))
    if (reading.full) break
    if (++lines % 1000 === 0) options.progress?.(lines)
    const wait = pause()
    if (wait) {
      await wait
      options.signal?.throwIfAborted()
    }
  }
  return await reading.opened()
}

type Parsed = { readonly value: Json } | { readonly fault: string }

const isBlank = (line: string): boolean => line.length < 100 && line.trim() === ''

const short = (line: string): Parsed => {
  // Skip lines that can't be an object without throwing: a file may have millions of them.
  if (!/^\s*\{/.test(line)) return { fault: "the line isn't a JSON object" }
  try {
    const value = JSON.parse(line) as Json
    return { value: isDeep(line) ? shallow(value) : value }
  } catch (error) {
    return { fault: error instanceof Error ? error.message.slice(0, 200) : "the line isn't JSON" }
  }
}

const long = async (line: string): Promise<Parsed> => {
  try {
    const { value } = await parseLong(line)
    return { value: isDeep(line) ? shallow(value) : value }
  } catch (error) {
    return { fault: error instanceof Error ? error.message.slice(0, 200) : "the line isn't JSON" }
  }
}

class SessionReader {
  #head: SessionHead | undefined
  readonly #frames: Frame[] = []
  readonly #damage: Damage[] = []
  #damaged = 0
  #number = 0
  /** Since the last frame. */
  #ended = false
  #sorted = true
  readonly #most: number
  full = false

  constructor(most: number) {
    this.#most = most
  }

  harm(damage: Damage): void {
    this.#damaged++
    if (this.#damage.length < MOST_DAMAGE) this.#damage.push(damage)
    if (this.#damaged < MOST_DAMAGED || this.full) return
    this.full = true
    this.#damage.push({ code: 'too-large', limit: MOST_DAMAGED })
  }

  get number(): number {
    return this.#number
  }

  blank(): void {
    this.#number++
  }

  line(parsed: Parsed): void {
    const line = ++this.#number
    if ('fault' in parsed) {
      if (!this.#head) throw new SessionFileError('not-a-session', "The first line isn't JSON", { why: parsed.fault })
      return this.harm({ code: 'not-json', line, why: parsed.fault })
    }
    const { value } = parsed
    if (!this.#head) {
      this.#head = headFrom(value)
      if (this.#head.version > VERSION) this.harm({ code: 'newer-version', version: this.#head.version })
      return
    }
    if (isObject(value) && value.kind === 'end') {
      this.#ended = true
      return
    }
    const fault = faultOf(value)
    if (fault !== undefined) return this.harm({ code: 'no-frame', line, why: fault })
    if (this.#frames.length >= this.#most) {
      this.full = true
      return this.harm({ code: 'too-many-frames', limit: this.#most })
    }
    const frame = unlimited(asFrame(value))
    const before = this.#frames.at(-1)
    if (before && frame.seq <= before.seq) this.#sorted = false
    this.#frames.push(frame)
    this.#ended = false
  }

  async opened(): Promise<OpenedSession> {
    if (!this.#head) throw new SessionFileError('empty', 'The file is empty')
    if (!this.#ended && !this.full) this.harm({ code: 'truncated', line: this.#number })
    const frames = await this.#placed()
    return { head: this.#head, frames, damage: this.#damage, damaged: this.#damaged }
  }

  /** Frames in order and without gaps; duplicates are dropped. */
  async #placed(): Promise<Frame[]> {
    const frames = this.#frames
    if (!this.#sorted) frames.sort((one, other) => one.seq - other.seq)
    if (frames.every((frame, at) => frame.seq === at)) return frames
    const places = new Map<Seq, Seq>()
    const unique = frames.filter(({ seq }, at) => at === 0 || frames[at - 1]!.seq !== seq)
    unique.forEach(({ seq }, place) => places.set(seq, place))
    const pause = pacer()
    const placed: Frame[] = []
    let missing = 0
    for (const frame of unique) {
      missing += referencesOf(frame).filter((seq) => !places.has(seq)).length
      placed.push(moved(frame, placed.length, (seq) => places.get(seq)))
      await pause()
    }
    // A partial session has gaps on purpose, and says so.
    if ((this.#head?.part ?? 'session') === 'session' || missing > 0) {
      const last = unique.at(-1)?.seq ?? -1
      this.harm({ code: 'holes', missing: Math.max(missing, last + 1 - unique.length) })
    }
    return placed
  }
}

/** `null` represents an infinite limit. */
const unlimited = (frame: Frame): Frame => {
  if (frame.kind === 'message' && frame.limits && (frame.limits.idle === null || frame.limits.total === null)) {
    const { idle, total } = frame.limits
    return { ...frame, limits: { idle: idle ?? Infinity, total: total ?? Infinity } }
  }
  if (frame.kind === 'session' && frame.phase === 'extended')
    return { ...frame, idle: frame.idle ?? Infinity, total: frame.total ?? Infinity }
  if (frame.kind === 'session' && frame.phase === 'opening' && frame.limit === null)
    return { ...frame, limit: Infinity }
  return frame
}

/** Lines without their ends, however the pieces were cut. */
async function* linesOf(chunks: Chunks, reading: SessionReader): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const parts: string[] = []
  let held = 0
  let skipping = false
  let total = 0
  /** Count blank lines instead of yielding thousands of them, which would be slow. */
  let blank = 0
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    total += text.length
    if (total > LARGEST) {
      reading.harm({ code: 'too-large', limit: LARGEST })
      reading.full = true
      return
    }
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const rest = text.slice(from, end)
      from = end + 1
      if (rest === '' && parts.length === 0 && !skipping && ++blank % 1000 !== 0) reading.blank()
      else if (!skipping) yield parts.length > 0 ? parts.join('') + rest : rest
      skipping = false
      parts.length = 0
      held = 0
      // A file may be nothing but line ends.
      for (; text.charCodeAt(from) === 0x0a && ++blank % 1_000_000 !== 0; from++) reading.blank()
    }
    const left = text.slice(from)
    held += left.length
    if (held > LONGEST_LINE && !skipping) {
      reading.harm({ code: 'too-long', line: reading.number + 1, why: `the line is over ${LONGEST_LINE} characters` })
      skipping = true
      parts.length = 0
    }
    if (left !== '' && !skipping) parts.push(left)
  }
  const last = parts.join('') + decoder.decode()
  if (last !== '' && !skipping) yield last
}

/** Reads a JSON array of the lines. @returns `undefined` if it isn't a session file */
export const sessionOfJson = async (list: readonly Json[]): Promise<OpenedSession | undefined> => {
  const [head] = list
  if (!isObject(head) || head.format !== FORMAT) return undefined
  return await readSession(textsOf(list))
}

function* textsOf(list: readonly Json[]): Generator<string> {
  for (const value of list) yield `${JSON.stringify(value)}\n`
}
