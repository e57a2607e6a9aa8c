/** A decoded text, with a mapping back to the original positions. */
import { escapedUnit, escapeLength, hexDigit } from '../json/index.ts'

/** `form` is `percent` with spaces written as `+`. */
export type Encoding = 'percent' | 'form' | 'json' | 'html' | 'ansi'

export interface DecodedText {
  readonly text: string
  /** The source text and the mapping to it; absent if the text is the original. */
  readonly of?: { readonly reading: DecodedText; readonly stretches: Stretches }
}

/**
 * Start offsets of each stretch in both texts: alternately an unchanged one, possibly empty, and an escape. Both arrays
 * have one extra entry for the end.
 */
interface Stretches {
  readonly here: readonly number[]
  readonly there: readonly number[]
}

/** The span of the original that decodes to `[from, to)`, which must not be empty. */
export const originOf = ({ of }: DecodedText, from: number, to: number): readonly [from: number, to: number] => {
  if (!of) return [from, to]
  const { reading, stretches } = of
  const { here, there } = stretches
  const [first, last] = [stretchAt(here, from), stretchAt(here, to - 1)]
  const begin = there[first]! + (isEscape(first) ? 0 : from - here[first]!)
  const end = isEscape(last) ? there[last + 1]! : there[last]! + to - here[last]!
  return originOf(reading, begin, end)
}

/** Where a reading differs from what it was read from, with so many characters on both sides: all of an original text. */
export function* changedIn({ text, of }: DecodedText, around: number): Generator<readonly [from: number, to: number]> {
  if (!of) {
    yield [0, text.length]
    return
  }
  const { here } = of.stretches
  let begin = -1
  let end = 0
  for (let at = 1; at < here.length - 1; at += 2) {
    const from = Math.max(0, here[at]! - around)
    if (begin >= 0 && from > end) {
      yield [begin, end]
      begin = -1
    }
    if (begin < 0) begin = from
    end = Math.min(text.length, here[at + 1]! + around)
  }
  if (begin >= 0) yield [begin, end]
}

const isEscape = (stretch: number): boolean => stretch % 2 === 1

/** The last stretch that begins at or before the offset. */
const stretchAt = (here: readonly number[], at: number): number => {
  let [low, high] = [0, here.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (here[middle]! <= at) low = middle
    else high = middle
  }
  return low
}

/** Undoes every escape of an encoding, anywhere in the text; `undefined` if there is none. */
export const decoded = (reading: DecodedText, encoding: Encoding): DecodedText | undefined => {
  if (!SIGNS[encoding].test(reading.text)) return undefined
  const text = encoding === 'form' ? reading.text.replaceAll('+', ' ') : reading.text
  const [mark, escape] = ESCAPES[encoding]
  const parts: string[] = []
  const here = [0]
  const there = [0]
  let length = 0
  let done = 0
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, Math.max(done, at + 1))) {
    const found = escape(text, at)
    if (found === NONE) continue
    const meant = found % WIDTH === NOTHING ? '' : String.fromCodePoint(found % WIDTH)
    const width = Math.floor(found / WIDTH)
    if (at > done) parts.push(text.slice(done, at))
    parts.push(meant)
    here.push((length += at - done), (length += meant.length))
    there.push(at, (done = at + width))
  }
  parts.push(text.slice(done))
  here.push(length + text.length - done)
  there.push(text.length)
  return { text: parts.join(''), of: { reading, stretches: { here, there } } }
}

/** The escape at an offset: its code point and width packed in one number, because there may be a million of them. */
type Escape = (text: string, at: number) => number

const NONE = -1
const WIDTH = 0x200000
/** Stands for no character: the escape is only a colour. */
const NOTHING = 0x1fffff

const SIGNS: Readonly<Record<Encoding, RegExp>> = {
  percent: /%[0-9a-f]{2}/i,
  form: /\+/,
  json: /\\/,
  html: /&(?:amp|lt|gt|quot|apos|#)/i,
  // eslint-disable-next-line no-control-regex -- the escape character of terminals
  ansi: /\x1b\[/,
}

/** `%E2%82%AC`: UTF-8 bytes; invalid ones stay unchanged. */
const percentEscape: Escape = (text, at) => {
  const first = byteAt(text, at)
  if (first < 0x80) return first < 0 ? NONE : 3 * WIDTH + first
  const count = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : 2
  if (first < 0xc2 || first >= 0xf5) return NONE
  let point = first & (0x7f >> count)
  for (let n = 1; n < count; n++) {
    const next = byteAt(text, at + 3 * n)
    if (next < 0x80 || next >= 0xc0) return NONE
    point = (point << 6) | (next & 0x3f)
  }
  return point > 0x10ffff ? NONE : 3 * count * WIDTH + point
}

const byteAt = (text: string, at: number): number => {
  if (text.charCodeAt(at) !== 0x25) return NONE
  const high = hexDigit(text, at + 1)
  const low = hexDigit(text, at + 2)
  return high < 0 || low < 0 ? NONE : high * 16 + low
}

/** A surrogate pair stays two escapes, each with its own position. */
const jsonEscape: Escape = (text, at) => {
  const unit = escapedUnit(text, at)
  return unit < 0 ? NONE : escapeLength(text, at) * WIDTH + unit
}

const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/iy
const NAMED: Readonly<Record<string, number>> = { amp: 0x26, lt: 0x3c, gt: 0x3e, quot: 0x22, apos: 0x27 }

const htmlEscape: Escape = (text, at) => {
  ENTITY.lastIndex = at
  const [all, name, decimal, hex] = ENTITY.exec(text) ?? []
  if (all === undefined) return NONE
  const point = name ? NAMED[name.toLowerCase()]! : decimal ? Number(decimal) : Number.parseInt(hex!, 16)
  return point > 0x10ffff ? NONE : all.length * WIDTH + point
}

// eslint-disable-next-line no-control-regex -- the escape character of terminals
const SEQUENCE = /\x1b\[[\d;?]{0,40}[A-Za-z]/y

/** Colours and other control sequences of terminals (ECMA-48). */
const ansiEscape: Escape = (text, at) => {
  SEQUENCE.lastIndex = at
  const length = SEQUENCE.exec(text)?.[0].length
  return length === undefined ? NONE : length * WIDTH + NOTHING
}

const ESCAPES: Readonly<Record<Encoding, readonly [mark: string, escape: Escape]>> = {
  percent: ['%', percentEscape],
  form: ['%', percentEscape],
  json: ['\\', jsonEscape],
  html: ['&', htmlEscape],
  ansi: ['\u001b', ansiEscape],
}

// Finds base64-encoded texts within a text, in either alphabet.

/** Runs that may be base64, including MIME lines. */
const RUN = /[A-Za-z0-9+/_-]{16,}(?:\r?\n[A-Za-z0-9+/_-]{4,})*={0,2}/g

interface Run {
  readonly from: number
  readonly to: number
  /** The decoded text. */
  readonly text: string
  /** Encodes another text in the same way. */
  readonly write: (text: string) => string
}

/** Runs that decode to text, unlike images and IDs. */
export function* runsIn(text: string): Generator<Run> {
  if (text.length < 16) return
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const whole = readRun(run, index)
    if (whole) yield whole
    else if (run.includes('/')) {
      // A preceding path shifts every character.
      let from = index
      for (const piece of run.split('/')) {
        const part = piece.length >= 16 ? readRun(piece, from) : undefined
        if (part) yield part
        from += piece.length + 1
      }
    }
  }
}

const readRun = (run: string, from: number): Run | undefined => {
  // The beginning is nearly always enough, and an image may be long.
  if (textOf(run.slice(0, 24)) === undefined) return undefined
  const text = textOf(run.replace(/\s/g, ''))
  if (text === undefined) return undefined
  const url = /[-_]/.test(run)
  const padded = run.endsWith('=') || (run.length % 4 === 0 && !url)
  return {
    from,
    to: from + run.length,
    text,
    write: (other) => {
      const written = encode64(other)
      const own = url ? written.replaceAll('+', '-').replaceAll('/', '_') : written
      return padded ? own : own.replace(/=+$/, '')
    },
  }
}

const encode64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))

// eslint-disable-next-line no-control-regex -- control characters distinguish bytes from text
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/

/** The decoded text, if it is text; its last character may be incomplete. */
export const textOf = (run: string): string | undefined => {
  const plain = run.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  if (plain.length % 4 === 1) return textOf(plain.slice(0, -1))
  let bytes: string
  try {
    bytes = atob(plain)
  } catch {
    return undefined
  }
  const text = new TextDecoder().decode(
    Uint8Array.from(bytes, (unit) => unit.charCodeAt(0)),
    { stream: true },
  )
  return CONTROL.test(text) || text === '' ? undefined : text
}
