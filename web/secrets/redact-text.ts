/**
 * Removes secrets from a text, in any encoding: searches the text as written and with JSON, percent and HTML escapes
 * undone, including nested ones, and treats base64 as a text of its own. Findings are removed from the original text,
 * so that everything around them stays.
 */
import { bitsOf, isPlaceholder, looksMade, markOf, masksIn, schemeLength } from './heuristics.ts'
import type { Names, Where } from './secret-names.ts'
import { decoded, type DecodedText, type Encoding, originOf, runsIn, textOf } from './encodings.ts'
import type { Findings, Known, Rules } from './redaction-pass.ts'

/**
 * Finds assignments in text: `password=…`, `"api_key": "…"`, `Authorization: Bearer …`, `--token …`, `?code=…`. In
 * prose and source code, an ordinary word often follows such a name, so the value must look generated.
 */
interface Assigned {
  readonly from: number
  readonly to: number
  readonly rule: string
  /** It is in the position of a secret but may be an ordinary word: report it without removing it. */
  readonly doubtful?: true
}

/** Longest name to search for backwards, in characters. */
const LONGEST_NAME = 64
const LONGEST_VALUE = 16_384
const PARAMETER = /[^&#\s"'<>\\`]+/y
const BARE = /[^\s"'`<>,;(){}[\]|&\\]+/y
const COOKIES = /[^\r\n"\\]+/y
const COOKIE = /[\w!#$%&*.^|~+-]{1,80}=\S/y

const assignedIn = (text: string, names: Names, found: (one: Assigned) => void): void => {
  if (!names.hint?.test(text)) return
  const form = /^[\w.~%+[\]-]{1,120}=[^\s<>{}"]*$/.test(text)
  for (let at = nextSign(text, 0); at >= 0;) {
    const one = assigned(text, at, names, form)
    if (one) found(one)
    at = nextSign(text, Math.max(at + 1, one?.to ?? 0))
  }
  if (!text.includes('-')) return
  for (const { 1: name = '', 2: value = '', index, 0: all } of text.matchAll(
    /(?:^|\s)--?([\w-]{2,40}) +([^\s"'-][^\s"']*)/g,
  )) {
    const rule = names.ruleOf(name, 'variable')
    if (rule === undefined || !looksMade(value) || isPlaceholder(value, name)) continue
    found({ from: index + all.length - value.length, to: index + all.length, rule })
  }
}

const nextSign = (text: string, from: number): number => {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x3a || unit === 0x3d) return at
  }
  return -1
}

const isName = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x30 && unit <= 0x39) ||
  unit === 0x5f ||
  unit === 0x2d ||
  unit === 0x2e ||
  unit > 0x2fff

const assigned = (text: string, sign: number, names: Names, form: boolean): Assigned | undefined => {
  let end = sign
  while (end > 0 && sign - end < 3 && /[ \t:]/.test(text.charAt(end - 1))) end--
  const quote = /["'`]/.test(text.charAt(end - 1)) ? text.charAt(--end) : ''
  let begin = end
  while (begin > 0 && end - begin < LONGEST_NAME && isName(text.charCodeAt(begin - 1))) begin--
  if (begin === end || (quote !== '' && text.charAt(begin - 1) !== quote)) return undefined
  const name = text.slice(begin, end)
  const before = text.charAt(begin - 1)
  const equals = text[sign] === '='
  const parameter = equals && quote === '' && (/[?&#;]/.test(before) || (form && begin === 0))
  const where: Where = parameter && before !== ';' ? 'parameter' : quote === '' ? 'variable' : 'key'
  const rule = names.ruleOf(name, where)
  if (rule === undefined) return undefined
  let from = sign + 1
  if (/[=>:]/.test(text.charAt(from))) return undefined
  while (from - sign <= 4 && /[ \t\n\r]/.test(text.charAt(from))) from++
  const apart = from > sign + 1 || end + quote.length < sign
  const delimiter = /^(?:"|'|`|\\")/.exec(text.slice(from, from + 2))?.[0]
  if (delimiter !== undefined) return quoted(text, from + delimiter.length, delimiter, name, rule)
  from += schemeLength(text.slice(from, from + 24))
  COOKIE.lastIndex = from
  const pattern = /cookie$/i.test(name) && COOKIE.test(text) ? COOKIES : parameter ? PARAMETER : BARE
  pattern.lastIndex = from
  const value =
    pattern
      .exec(text)?.[0]
      .slice(0, LONGEST_VALUE)
      .replace(/[.,:!?]+$/, '') ?? ''
  if (value === '' || isPlaceholder(value, name)) return undefined
  const one = { from, to: from + value.length, rule }
  if (pattern === COOKIES) return one
  // `code` and `key` in a URL are ambiguous words.
  if (parameter) return names.ruleOf(name, 'key') !== undefined || looksMade(value) ? one : undefined
  if (looksMade(value)) return isPath(value) ? undefined : one
  // `DB_PASSWORD=sunshine`, `--password=sunshine`; in source code it would be a variable.
  const given = equals && !apart && (/^[A-Z][A-Z\d_]*_[A-Z\d_]+$/.test(name) || name.startsWith('-'))
  if (given && !isPath(value) && text.charAt(from + value.length) !== '(') return one
  const alone = /^\s*(?:[\r\n]|$)/.test(text.slice(from + value.length, from + value.length + 40))
  const first = /(?:^|[\r\n])[ \t-]*$/.test(text.slice(Math.max(0, begin - 40), begin))
  return alone && first && value.length >= 6 && !isPath(value) ? { ...one, doubtful: true } : undefined
}

/** A property path in source code: `process.env.TOKEN1`. */
const isPath = (value: string): boolean =>
  /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) && value.split('.').every((part) => part.length < 20)

const quoted = (text: string, from: number, delimiter: string, name: string, rule: string): Assigned | undefined => {
  let to = from
  while (to < text.length && to - from < LONGEST_VALUE && !text.startsWith(delimiter, to))
    to += text[to] === '\\' && delimiter.length === 1 ? 2 : 1
  to = Math.min(to, text.length)
  const scheme = schemeLength(text.slice(from, from + 24))
  const value = text.slice(from + scheme, to)
  return isPlaceholder(value, name) ? undefined : { from: from + scheme, to, rule }
}

export interface Pass {
  readonly rules: Rules
  readonly known: Known
  readonly findings: Findings
  /** The first pass: collects values, reports nothing. */
  readonly learning: boolean
}

interface Span {
  readonly from: number
  readonly to: number
  readonly rule: string
  /** The decoded content. */
  readonly value: string
  /** The replacement; absent for a mark. */
  readonly becomes?: string
}

/** Nested encodings to undo. */
const DEEPEST = 5
/** Limits on the decodings of one text, and on their total characters. */
const MOST_READINGS = 10
const MOST_READ = 8_000_000
const ENCODINGS: readonly Encoding[] = ['json', 'percent', 'html']

/** @param json cleans a text that is JSON as a whole; returns `undefined` if it isn't JSON */
export const cleanedText = (
  text: string,
  pass: Pass,
  json: (text: string, depth: number) => string | undefined,
  depth = 0,
): string => {
  if (text.length < 3 || depth > DEEPEST) return text
  if (isJsonLike(text)) {
    const clean = json(text, depth + 1)
    if (clean !== undefined) return clean
  }
  const spans = spansIn(text, pass, json, depth)
  return spans.length === 0 ? text : replaced(text, spans)
}

const isJsonLike = (text: string): boolean => {
  const first = text.charCodeAt(0)
  if (first !== 0x7b && first !== 0x5b && first !== 0x22 && !(first <= 0x20 && /^\s+[[{"]/.test(text))) return false
  return /[\]}"]\s*$/.test(text.slice(-40))
}

const spansIn = (
  text: string,
  pass: Pass,
  json: (text: string, depth: number) => string | undefined,
  depth: number,
): Span[] => {
  const { rules, known, findings, learning } = pass
  const masks = masksIn(text)
  const spans: Span[] = []
  for (const reading of readingsOf(text, known.values.spaced)) {
    const { text: read } = reading
    const add = (from: number, to: number, rule: string, encoded?: string): void => {
      const value = read.slice(from, to)
      const [begin, end] = originOf(reading, from, to)
      if (masks.some(([first, last]) => first < end && last > begin)) return
      if (encoded !== undefined) {
        if (!spans.some((one) => one.from <= begin && one.to >= end))
          spans.push({ from: begin, to: end, rule, value, becomes: encoded })
        return
      }
      // Base64 here was already redacted in its decoded form.
      if (
        known.ruleOf(value) === undefined &&
        spans.some((one) => one.becomes !== undefined && one.from <= begin && one.to >= end)
      )
        return
      if (learning) known.learn(value, rule)
      else if (spans.slice(-MOST_COMPARED).some((one) => covers(one, begin, end))) return
      else if (findings.takes(value, rule)) spans.push({ from: begin, to: end, rule, value })
    }
    if (rules.mayMatch(read)) patternsIn(read, pass, add)
    assignedIn(read, rules.names, ({ from, to, rule, doubtful }) => {
      if (!doubtful) add(from, to, rule)
      else if (!learning) findings.suspect(read.slice(from, to), rule)
    })
    for (const run of runsIn(read)) {
      const clean = cleanedText(run.text, pass, json, depth + 1)
      if (clean === run.text) continue
      const written = run.write(clean)
      add(run.from, run.to, '', reading.of ? encodeURIComponent(written) : written)
    }
    if (!learning) valuesIn(read, known, add)
    if (!learning && rules.bits !== undefined && !reading.of) {
      suspectsIn(read, rules.bits, findings, (from, to) => spans.some((one) => one.from < to && one.to > from))
    }
  }
  return spans
}

const covers = (one: Span, from: number, to: number): boolean =>
  one.becomes === undefined && one.from <= from && one.to >= to

/** Locations to compare with, so that none is reported twice. */
const MOST_COMPARED = 400

type Add = (from: number, to: number, rule: string) => void

const patternsIn = (text: string, { rules, known, learning }: Pass, add: Add): void => {
  for (const { id, regexp, hint, pair } of rules.patterns) {
    if (hint && !hint.test(text)) continue
    for (const { 0: match, index } of text.matchAll(regexp)) {
      if (match === '') continue
      if (pair) {
        const secret = /^[^:\s]*:(.+)$/s.exec(textOf(match) ?? '')?.[1]
        if (secret === undefined) continue
        if (learning) known.learn(secret, id)
      }
      if (!isPlaceholder(match)) add(index, index + match.length, id)
    }
  }
}

const valuesIn = (text: string, known: Known, add: Add): void => {
  known.values.find(text, (from, to, value) => add(from, to, known.ruleOf(value) ?? 'value'))
  for (const [value, rule] of known.short)
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
      add(at, at + value.length, rule)
}

const readingsOf = (text: string, spaced: boolean): DecodedText[] => {
  const readings: DecodedText[] = [{ text }]
  const seen = new Set([text])
  let read = text.length
  for (let at = 0; at < readings.length && readings.length < MOST_READINGS; at++) {
    const encodings = spaced && at === 0 ? [...ENCODINGS, 'form' as const] : ENCODINGS
    for (const encoding of encodings) {
      const reading = decoded(readings[at]!, encoding)
      if (!reading || seen.has(reading.text) || (read += reading.text.length) > MOST_READ + text.length * 2) continue
      seen.add(reading.text)
      readings.push(reading)
    }
  }
  return readings
}

const replaced = (text: string, spans: readonly Span[]): string => {
  const order = spans.toSorted((one, other) => one.from - other.from || other.to - one.to)
  const merged: Span[] = []
  for (const span of order) {
    const last = merged.at(-1)
    if (!last || span.from >= last.to) merged.push(span)
    // If two overlap, both are removed; a nested one is removed with the outer one, and a mark is preferred to redacted
    // base64.
    else if (span.to > last.to || last.becomes !== undefined) {
      const { becomes: _, ...mark } = last.becomes !== undefined && span.becomes === undefined ? span : last
      const whole = last.becomes !== undefined && span.becomes !== undefined ? { ...mark, rule: 'base64' } : mark
      merged[merged.length - 1] = { ...whole, from: last.from, to: Math.max(last.to, span.to) }
    }
  }
  const parts: string[] = []
  let done = 0
  for (const { from, to, rule, becomes } of merged) {
    parts.push(text.slice(done, from), becomes ?? markOf(rule))
    done = to
  }
  parts.push(text.slice(done))
  return parts.join('')
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
/** Members that hold IDs, hashes, cursors, images. */
const MADE_NAMES =
  /(?:^|[^a-z])(?:ids?|hash|sha\d*|md5|digest|etag|checksum|integrity|cursor|nonce|state|data|blob|uri|url|path|trace(?:parent|id)?|span|version|commit|fingerprint|rev(?:ision)?|uuid|guid|src|challenge)$/i

/** Random-looking words: reported, never removed. */
const suspectsIn = (
  text: string,
  bits: number,
  findings: Findings,
  isTaken: (from: number, to: number) => boolean,
): void => {
  const last = findings.path.at(-1) ?? ''
  if (
    text.length < 20 ||
    text.length > 100_000 ||
    MADE_NAMES.test(last) ||
    /(?:Id|Hash|Cursor|Uri|Url|[eo]nToken|(?:page|Page|next|Next|sync|Sync|progress)Token)$/.test(last)
  )
    return
  for (const { 0: word, index } of text.matchAll(/(?<![\w+/=.:-])[\w+/=~-]{20,200}(?![\w+/=.-])/g)) {
    const classes = Number(/[a-z]/.test(word)) + Number(/[A-Z]/.test(word)) + Number(/\d/.test(word))
    if (classes < 3 || UUID.test(word) || /^\/|\/.*\/|\.\w{2,4}$/.test(word) || !/\d.*[A-Za-z].*\d/.test(word)) continue
    if (bitsOf(word) >= bits && textOf(word) === undefined && !isTaken(index, index + word.length))
      findings.suspect(word, 'entropy')
  }
}
