/**
 * What must not reach the Trace, and with it files, links and screens (AU-TOK-02, SEC-15, TR-HTTP-30).
 *
 * A secret is known by the name it goes by, or by its value wherever it is sent back: as it is, percent-encoded, in a form,
 * escaped in JSON or HTML, in the base64 of `id:secret`. A mask takes its place, so that JSON stays JSON, a form stays a
 * form, and everybody sees that something was there, and how long it was.
 */
import { closingQuote, escapeLength } from '../json/index.ts'
import { decoded, originOf, type Encoding, type DecodedText } from './encodings.ts'
import { maskHeaders } from './headers.ts'
import { maskOf, masksIn, wasMasked } from './mask.ts'
import { namedSecrets, secretPairs, type Found, type Named } from './named.ts'
import { SecretValues, SHORTEST_SECRET } from './values.ts'

export class KnownSecrets {
  readonly #values = new SecretValues()

  /**
   * From now on the value is masked wherever it stands. What is shorter than six characters is masked by its name only,
   * for it is found in too much that is no secret. Of a private key, in PEM or as a JWK, the parts are known.
   */
  know(value: string | undefined): void {
    if (value === undefined) return
    for (const part of partsOf(value)) this.#values.know(part)
  }

  knowAll(values: readonly (string | undefined)[]): void {
    for (const value of values) this.know(value)
  }

  /** A text in which some secrets may stand, those known already among them. */
  without(text: string, values: readonly string[]): string {
    this.knowAll(values)
    return this.text(text)
  }

  /** By value alone. */
  known(text: string): string {
    return this.#values.size === 0 || text.length < SHORTEST_SECRET ? text : this.#masked(text)
  }

  /** Whether a known value stands in it, in any encoding that `known` reads. */
  holds(text: string): boolean {
    return readingsOf(text, this.#values.spaced).some(({ text: read }) => this.#values.isIn(read))
  }

  get size(): number {
    return this.#values.size
  }

  /** Everything by value; then place, query and fragment each by name, so that they stay what they are. */
  url(url: string): string {
    const known = this.#masked(url)
    const [, place = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(known) ?? []
    const pairs = (part: string) => this.#masked(part, (found) => secretPairs(part, 1, part.length, found))
    return this.#masked(place, (found) => password(place, found)) + pairs(query) + pairs(fragment)
  }

  /** By the names of headers as everywhere in the Trace, and by value. */
  headers(headers: Iterable<readonly [string, string]>): (readonly [string, string])[] {
    return Array.from(headers, ([name, value]) => {
      if (MASKED_HEADER.test(value)) return [name, value] as const
      const [masked] = maskHeaders([[name, value]])
      return masked && masked[1] !== value ? masked : ([name, this.text(value)] as const)
    })
  }

  /** A body, whole: what is cut off in the middle of a secret cannot be told from something else. */
  text(body: string, contentType = ''): string {
    const form = /^application\/x-www-form-urlencoded/i.test(contentType) || FORM.test(body)
    return this.#masked(body, (found) => {
      if (form) secretPairs(body, 0, body.length, found)
    })
  }

  /** @param names finds what else is secret by its name; absent: names tell nothing */
  #masked(text: string, names?: (found: Found) => void): string {
    const spans: Span[] = []
    const before = masksIn(text)
    names?.((span) => spans.push({ ...span, named: true }))
    for (const reading of readingsOf(text, this.#values.spaced)) {
      if (names)
        namedSecrets(reading.text, (found) => {
          const [from, to] = originOf(reading, found.from, found.to)
          spans.push({ ...found, from, to, named: true })
        })
      this.#values.find(reading.text, (begin, end) => {
        const [from, to] = originOf(reading, begin, end)
        if (!overlaps(before, from, to)) spans.push({ from, to, length: end - begin })
      })
    }
    if (spans.length === 0) return text
    return isJson(text) ? maskedJson(text, spans) : replaced(text, spans)
  }
}

interface Span extends Named {
  /** Found by a name, so that where it ends is a matter of reading. */
  readonly named?: true
}

/** @param masks in order */
const overlaps = (masks: ReturnType<typeof masksIn>, from: number, to: number): boolean => {
  let [low, high] = [0, masks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (masks[middle]![1] <= from) low = middle + 1
    else high = middle
  }
  return low < masks.length && masks[low]![0] < to
}

/** Session ids keep their beginning. */
const MASKED_HEADER = /^(?:(?:[A-Za-z]+ )?•••• \(\d{1,5}\+? characters\)|[\x20-\x7e]{8}… \(\d{1,5} characters\))$/

const FORM = /^[\w.~%+-]{1,120}=[^\s<>{}"]*$/

/** Above it a text is not read through two encodings, one in the other. In UTF-16 units. */
const LONGEST_NESTED = 128 * 1024

const readingsOf = (text: string, spaced: boolean): DecodedText[] => {
  const encodings: readonly Encoding[] = spaced ? ['json', 'html', 'percent', 'form'] : ['json', 'html', 'percent']
  const once = encodings.flatMap((encoding) => decoded({ text }, encoding) ?? [])
  const twice =
    text.length <= LONGEST_NESTED
      ? once.flatMap((reading) => encodings.flatMap((encoding) => decoded(reading, encoding) ?? []))
      : []
  return [{ text }, ...once, ...twice]
}

/** What of a value is secret by itself. */
const partsOf = (value: string): readonly string[] => {
  const trimmed = value.trim()
  if (trimmed.includes('-----BEGIN ')) {
    return [value, trimmed, ...trimmed.split(/\s*\n\s*/).filter((line) => !line.startsWith('-----'))]
  }
  if (trimmed.startsWith('{')) {
    try {
      const key = JSON.parse(trimmed) as Readonly<Record<string, unknown>>
      const parts = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].map((name) => key[name])
      const texts = parts.filter((part) => typeof part === 'string').filter((part) => part.length >= SHORTEST_SECRET)
      // Its public parts are no secret, so the whole is known by the private ones.
      if (texts.length > 0) return texts
    } catch {
      // A secret that begins with a brace.
    }
  }
  return trimmed === value ? [value] : [value, trimmed]
}

/** `https://name:password@host`. */
const password = (url: string, found: Found): void => {
  const [all, before, secret] = /^([a-z][a-z0-9+.-]{0,40}:\/\/[^/?#@:]*:)([^/?#@]+)@/i.exec(url) ?? []
  if (all === undefined || before === undefined || secret === undefined || masksIn(secret).length > 0) return
  found({ from: before.length, to: before.length + secret.length, length: secret.length })
}

const inOrder = (spans: readonly Span[]): Span[] => spans.toSorted((a, b) => a.from - b.from || b.to - a.to)

/** In order; those that overlap or touch as one, for two masks side by side would not be read as masks again. */
const merged = (spans: readonly Span[]): Span[] => {
  const result: Span[] = []
  for (const span of inOrder(spans)) {
    const last = result.at(-1)
    if (!last || span.from > last.to) result.push(span)
    else if (span.to > last.to)
      result[result.length - 1] = { from: last.from, to: span.to, length: span.to - last.from }
  }
  return result
}

const replaced = (text: string, spans: readonly Span[]): string => {
  const parts: string[] = []
  let done = 0
  for (const { from, to, length, bare } of merged(spans)) {
    parts.push(text.slice(done, from), bare ? JSON.stringify(maskOf(length)) : maskOf(length))
    done = to
  }
  parts.push(text.slice(done))
  return parts.join('')
}

const isJson = (text: string): boolean => {
  if (!/^\s*["[{\d-]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Masks stay within strings, and numbers go whole. Where that cannot be, nothing of the text is shown. */
const maskedJson = (text: string, spans: readonly Span[]): string => {
  const fitted = withinTokens(text, inOrder(spans))
  const result = fitted && replaced(text, fitted)
  return result !== undefined && isJson(result) ? result : JSON.stringify(maskOf(text.length))
}

/** @param spans in order */
const withinTokens = (text: string, spans: readonly Span[]): readonly Span[] | undefined => {
  const fitted: Span[] = []
  /** The string that is being looked at: past its opening quotation mark, and at its closing one. */
  let begin = 0
  let end = -1
  /** How far its escapes were read. */
  let read = 0
  for (const span of spans) {
    while (end < span.from) {
      const quote = text.indexOf('"', end + 1)
      if (quote < 0 || quote >= span.from) break
      begin = quote + 1
      read = begin
      end = closingQuote(text, quote)
    }
    let { from, to, length } = span
    if (from < begin || from > end) {
      const number = numberAround(text, span)
      if (number) fitted.push(number)
      else if (!span.named) return undefined
      continue
    }
    if (to > end) {
      // A value is known exactly; where a name's value ends was read in quotes that are none here.
      if (!span.named) return undefined
      to = end
      length = to - from
      if (length === 0 || wasMasked(text, from)) continue
    }
    while (read < to) {
      const width = text[read] !== '\\' ? 1 : escapeLength(text, read)
      if (read < from && read + width > from) from = read
      if (read + width > to) to = read + width
      read += width
    }
    fitted.push({ from, to, length })
  }
  return fitted
}

const numberAround = (text: string, { from, to }: Span): Span | undefined => {
  let [begin, end] = [from, to]
  while (begin > 0 && NUMERIC.test(text[begin - 1]!)) begin--
  while (end < text.length && NUMERIC.test(text[end]!)) end++
  for (let at = from; at < to; at++) if (!NUMERIC.test(text[at]!)) return undefined
  return { from: begin, to: end, length: end - begin, bare: true }
}

const NUMERIC = /[-+.\deE]/
