/**
 * Keeps secrets out of the Trace, and so out of files, links and screens (AU-TOK-02, SEC-15, TR-HTTP-30).
 *
 * A secret is recognized by its name, or by its value wherever it recurs: unchanged, percent-encoded, in a form,
 * escaped in JSON or HTML, or in the base64 of `id:secret`. A mask replaces it, so that JSON stays JSON, a form stays a
 * form, and the reader sees that something was there and how long it was.
 */
import { closingQuote, escapeLength, jsonIn } from '../json/index.ts'
import { decoded, originOf, type Encoding, type DecodedText } from './encodings.ts'
import { maskHeaders, maskOf, masksIn, wasMasked } from './mask.ts'
import { namedSecrets, secretPairs, type Found, type Named } from './find-by-name.ts'
import { SecretValues, SHORTEST_SECRET } from './find-by-value.ts'

export class KnownSecrets {
  readonly #values = new SecretValues()

  /**
   * From now on the value is masked wherever it occurs. Values shorter than six characters are only masked by name,
   * because they also match ordinary text. For a private key, in PEM or as a JWK, its parts are registered.
   */
  know(value: string | undefined): void {
    if (value === undefined) return
    for (const part of partsOf(value)) this.#values.know(part)
  }

  knowAll(values: readonly (string | undefined)[]): void {
    for (const value of values) this.know(value)
  }

  /** Registers further values as known, then masks the text. */
  without(text: string, values: readonly string[]): string {
    this.knowAll(values)
    return this.text(text)
  }

  /** Masks by value only. */
  known(text: string): string {
    return this.#values.size === 0 || text.length < SHORTEST_SECRET ? text : this.#masked(text)
  }

  /** Whether it contains a known value, in any encoding that `known` reads. */
  holds(text: string): boolean {
    return readingsOf(text, this.#values.spaced).some(({ text: read }) => this.#values.isIn(read))
  }

  get size(): number {
    return this.#values.size
  }

  /**
   * Masks known values everywhere; then path, query and fragment by name, each separately, so that the URL stays valid.
   */
  url(url: string): string {
    const known = this.#masked(url)
    const [, place = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(known) ?? []
    const pairs = (part: string) => this.#masked(part, (found) => secretPairs(part, 1, part.length, found))
    return this.#masked(place, (found) => password(place, found)) + pairs(query) + pairs(fragment)
  }

  /** Masks by header name, as everywhere in the Trace, and by value. */
  headers(headers: Iterable<readonly [string, string]>): (readonly [string, string])[] {
    return Array.from(headers, ([name, value]) => {
      if (MASKED_HEADER.test(value)) return [name, value] as const
      const [masked] = maskHeaders([[name, value]])
      return masked && masked[1] !== value ? masked : ([name, this.text(value)] as const)
    })
  }

  /** A complete body: a secret that is cut off can't be recognized. */
  text(body: string, contentType = ''): string {
    const form = /^application\/x-www-form-urlencoded/i.test(contentType) || FORM.test(body)
    return this.#masked(body, (found) => {
      if (form) secretPairs(body, 0, body.length, found)
      if (/^text\/html\b/i.test(contentType)) hiddenFields(body, found)
    })
  }

  /** @param names finds further secrets by name; absent to mask by value only */
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
  /** Found by name, so its end is an interpretation. */
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

/** Session IDs keep their beginning. */
const MASKED_HEADER = /^(?:(?:[A-Za-z]+ )?•••• \(\d{1,5}\+? characters\)|[\x20-\x7e]{8}… \(\d{1,5} characters\))$/

const FORM = /^[\w.~%+-]{1,120}=[^\s<>{}"]*$/

/** Longer texts aren't checked for doubly nested encodings. In UTF-16 units. */
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

/** The parts of a value that are secret on their own. */
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
      // Its public parts aren't secret, so it is recognized by its private parts.
      if (texts.length > 0) return texts
    } catch {
      // Not JSON: a secret that happens to begin with a brace.
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

/** What a page sends without showing it: codes of `form_post`, tokens against forged requests. */
const hiddenFields = (page: string, found: Found): void => {
  for (const { 0: tag, index } of page.matchAll(/<input\s[^<>]{1,4000}>/gi)) {
    if (!/\stype\s?=\s?["']?(?:hidden|password)\b/i.test(tag)) continue
    const [all, before, quoted, single, bare] = /(\svalue\s?=\s?)(?:"([^"]+)"|'([^']+)'|([^\s"'<>]+))/i.exec(tag) ?? []
    const value = quoted ?? single ?? bare
    // Without quotes, a mask ends at its first space.
    if (all === undefined || value === undefined || value.startsWith('••••')) continue
    const from = index + tag.indexOf(all) + before!.length + (bare === undefined ? 1 : 0)
    found({ from, to: from + value.length, length: value.length })
  }
}

const inOrder = (spans: readonly Span[]): Span[] => spans.toSorted((a, b) => a.from - b.from || b.to - a.to)

/** Merges spans that overlap or touch, in order: two adjacent masks wouldn't be recognized as masks again. */
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

const isJson = (text: string): boolean => /^\s*["[{\d-]/.test(text) && jsonIn(text) !== undefined

/** Masks stay within strings, and numbers are masked whole. If that isn't possible, the whole text is hidden. */
const maskedJson = (text: string, spans: readonly Span[]): string => {
  const fitted = withinTokens(text, inOrder(spans))
  const result = fitted && replaced(text, fitted)
  return result !== undefined && isJson(result) ? result : JSON.stringify(maskOf(text.length))
}

/** @param spans in order */
const withinTokens = (text: string, spans: readonly Span[]): readonly Span[] | undefined => {
  const fitted: Span[] = []
  /** The current string: the offsets after its opening quote and at its closing quote. */
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
      // A known value is exact; the end of a value found by name was read at quotes that don't count here.
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
