/**
 * Removes secrets from a text, in any encoding: searches the text as written and with JSON, percent and HTML escapes
 * undone, including nested ones, and treats base64 as a text of its own. Findings are removed from the original text,
 * so that everything around them stays.
 */
import { assignedIn } from './assignments.ts'
import { secretsInCommands } from './commands.ts'
import { secretsInFiles } from './file-formats.ts'
import { chosenLikeness, isTechnical } from './chosen-words.ts'
import { isProgramLine } from './handed-over.ts'
import { bitsOf, isPlaceholder, isPublicId, markOf, hiddenIn } from './heuristics.ts'
import { secretsInProse } from './prose.ts'
import { changedIn, decoded, type DecodedText, type Encoding, originOf, runsIn, textOf } from './encodings.ts'
import { inParts, isDense, type Assigned, type FoundInText } from './found-in-text.ts'
import { namesOther } from './other-numbers.ts'
import type { Findings, Known, PlainTexts, Rules } from './redaction-pass.ts'

export interface Pass {
  readonly rules: Rules
  readonly known: Known
  readonly findings: Findings
  /** The first pass: collects values, reports nothing. */
  readonly learning: boolean
  /** Shared by both passes. */
  readonly plain: PlainTexts
  /** Made by a machine: that it looks random says nothing. */
  readonly made?: true
  /** A name without spaces: sentences say nothing of it. */
  readonly named?: true
  /** Secrets of the current frame only, known from the lines around it. */
  readonly local?: ReadonlyMap<string, LocalSecret> | undefined
}

/** What the rest of a frame, or the lines around it, say about a value. */
export interface LocalSecret {
  readonly rule: string
  /** It is only reported. */
  readonly doubtful?: true
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

/** No token of a known form is shorter, and no password is known by fewer characters around it. */
const SHORTEST_TOKEN = 10
const SHORTEST_CONTEXT = 8
/** Nested encodings to undo. */
const DEEPEST = 5
/** Limits on the decodings of one text, and on their total characters. */
const MOST_READINGS = 10
const MOST_READ = 8_000_000
const ENCODINGS: readonly Encoding[] = ['ansi', 'json', 'percent', 'html']

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
  const { rules, known, findings, learning, plain } = pass
  const isPlain = plain.has(text, known.values.spaced)
  let nothing = true
  const masks = hiddenIn(text)
  const spans: Span[] = []
  const runs = new Set<string>()
  const blocks: Span[] = []
  for (const [from, to] of jsonBlocksIn(text)) {
    const block = text.slice(from, to)
    const clean = json(block, depth + 1)
    if (clean !== undefined && clean !== block) blocks.push({ from, to, rule: '', value: block, becomes: clean })
  }
  const doubts: Doubt[] = []
  for (const reading of readingsOf(text, known.values.spaced)) {
    const { text: read } = reading
    const add = (from: number, to: number, rule: string, encoded?: string): void => {
      nothing = false
      const value = read.slice(from, to)
      const [begin, end] = originOf(reading, from, to)
      if (masks.some(([first, last]) => first < end && last > begin)) return
      if (blocks.some((one) => one.from < end && one.to > begin)) return
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
      // Its name tells more than the sentence.
      const own = rule === 'context:prose' ? (known.ruleOf(value) ?? rule) : rule
      if (learning) known.learn(value, rule)
      else if (spans.slice(-MOST_COMPARED).some((one) => covers(one, begin, end))) return
      else if (findings.takes(value, own)) spans.push({ from: begin, to: end, rule: own, value })
    }
    const sure: Assigned[] = []
    const found = (one: Assigned): void => {
      const { from, to, rule, doubtful } = one
      nothing = false
      if (!doubtful) {
        add(from, to, rule)
        sure.push(one)
      } else if (learning) known.doubts.set(read.slice(from, to), rule)
      else doubts.push({ reading, from, to, rule })
    }
    if (!isPlain)
      for (const one of plain.found(read, () => searched(reading, pass)))
        if (pass.named && one.rule === 'context:prose') nothing = false
        else found(one)
    if (!learning) for (const { from, to, rule } of repeatsOf(read, sure)) add(from, to, rule)
    for (const run of runsIn(read)) {
      // Most are the same in each reading.
      if (runs.has(run.text)) continue
      runs.add(run.text)
      const clean = cleanedText(run.text, pass, json, depth + 1)
      if (clean === run.text) continue
      const written = run.write(clean)
      add(run.from, run.to, '', reading.of ? encodeURIComponent(written) : written)
    }
    if (!learning) {
      valuesIn(read, pass, add)
      for (const [value, { rule, doubtful }] of pass.local ?? []) {
        const from = doubtful ? read.indexOf(value) : -1
        if (from >= 0) doubts.push({ reading, from, to: from + value.length, rule })
      }
    }
    if (!learning && rules.bits !== undefined && !reading.of && !pass.made) {
      suspectsIn(read, rules.bits, findings, (from, to) => spans.some((one) => one.from < to && one.to > from))
    }
  }
  if (learning && nothing && !isPlain) plain.add(text)
  const removed = doubts.length > 0 ? stretchesOf([...blocks, ...spans]) : []
  for (const doubt of doubts) for (const value of remaining(doubt, removed)) findings.suspect(value, doubt.rule)
  return [...blocks, ...spans]
}

/** What is only reported, in one reading of a text. */
interface Doubt {
  readonly reading: DecodedText
  readonly from: number
  readonly to: number
  readonly rule: string
}

interface Stretch {
  readonly from: number
  readonly to: number
}

/** In order, and joined where they overlap. */
const stretchesOf = (spans: readonly Stretch[]): readonly Stretch[] => {
  const all: Stretch[] = []
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1)
    if (!last || from > last.to) all.push({ from, to })
    else if (to > last.to) all[all.length - 1] = { from: last.from, to }
  }
  return all
}

/** The index of the first stretch that ends behind the offset. */
const nextOf = (stretches: readonly Stretch[], at: number): number => {
  let [low, high] = [0, stretches.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (stretches[middle]!.to > at) high = middle
    else low = middle + 1
  }
  return low
}

/** Letters and digits that are worth reporting beside a removal. */
const LEAST_REMAINING = 4

/** What other rules leave of it: all, the pieces in front of, between and behind their removals, or nothing. */
const remaining = ({ reading, from, to }: Doubt, removed: readonly Stretch[]): readonly string[] => {
  const [begin, end] = originOf(reading, from, to)
  let next = nextOf(removed, begin)
  if (next === removed.length || removed[next]!.from >= end) return [reading.text.slice(from, to)]
  const pieces: string[] = []
  let piece = ''
  for (let at = from; at <= to; at++) {
    if (at < to) {
      const [first, last] = originOf(reading, at, at + 1)
      while (next < removed.length && removed[next]!.to <= first) next++
      if (next === removed.length || removed[next]!.from >= last) {
        piece += reading.text.charAt(at)
        continue
      }
    }
    const value = piece.replace(OUTSIDE, '')
    if ((value.match(/[\p{L}\p{M}\p{N}]/gu)?.length ?? 0) >= LEAST_REMAINING && !NAME.test(value)) pieces.push(value)
    piece = ''
  }
  return pieces
}
/** A word, or the name of what was removed: nothing to report on its own. */
const NAME = /^[\p{Script=Latin}_-]+$/u
/** Spaces and marks around what remains; a quotation or bracket that opens belongs to it. */
const OUTSIDE = /^[\s,.;:!?…—–-]+|[\s,;:=—–-]+$/gu

/** Blocks looked at in one text, those that turned out not to be JSON, and the characters of one. */
const MOST_BLOCKS = 200
const MOST_FAILURES = 20
const LONGEST_BLOCK = 500_000

/** Objects and arrays of JSON with text around them: behind `Response:`, or in a code block of Markdown. */
function* jsonBlocksIn(text: string): Generator<readonly [from: number, to: number]> {
  let [done, blocks, failures] = [0, 0, 0]
  for (const { index } of text.matchAll(/(?<![\w$)\]])[{[]\s{0,40}(?:"|\{\s{0,40}"|\[\s{0,40}")/g)) {
    if (index < done) continue
    const to = endOfBlock(text, index)
    if (to > 0) yield [index, (done = to)]
    else failures++
    if (++blocks >= MOST_BLOCKS || failures >= MOST_FAILURES) return
  }
}

/** @returns the offset behind the bracket that closes the one at `from`; 0 if there is none nearby */
const endOfBlock = (text: string, from: number): number => {
  let depth = 0
  const end = Math.min(text.length, from + LONGEST_BLOCK)
  for (let at = from; at < end; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) {
      for (at++; at < end && text.charCodeAt(at) !== 0x22; at++) if (text.charCodeAt(at) === 0x5c) at++
    } else if (unit === 0x7b || unit === 0x5b) depth++
    else if ((unit === 0x7d || unit === 0x5d) && --depth === 0) return at + 1
  }
  return 0
}

const covers = (one: Span, from: number, to: number): boolean =>
  one.becomes === undefined && one.from <= from && one.to >= to

/** Locations to compare with, so that none is reported twice. */
const MOST_COMPARED = 400

type Add = (from: number, to: number, rule: string) => void

/** Longer texts are searched again only around the escapes that a reading undid. */
const LONG_READING = 20_000
/** Characters around an escape that may belong to a secret, or say that it is one. */
const AROUND_ESCAPE = 1000

/** All that names, patterns and sentences find in one reading, independently of the secrets that are known. */
const searched = (reading: DecodedText, pass: Pass): readonly Assigned[] => {
  const all: Assigned[] = []
  if (reading.text.length <= LONG_READING) {
    searchIn(reading.text, pass, (one) => all.push(one))
    return all
  }
  for (const [begin, end] of changedIn(reading, AROUND_ESCAPE))
    searchIn(begin === 0 && end === reading.text.length ? reading.text : reading.text.slice(begin, end), pass, (one) =>
      all.push({ ...one, from: one.from + begin, to: one.to + begin }),
    )
  return all
}

const searchIn = (read: string, pass: Pass, found: FoundInText): void => {
  const { rules } = pass
  if (read.length >= SHORTEST_TOKEN) patternsIn(read, pass, found)
  assignedIn(read, rules.names, found)
  if (read.length < SHORTEST_CONTEXT || !/[\s:~|,;/]|\P{ASCII}/u.test(read)) return
  if (rules.contexts.has('command')) inParts(read, found, secretsInCommands)
  if (rules.contexts.has('file')) secretsInFiles(read, rules.names, found)
  if (rules.contexts.has('prose'))
    inParts(read, found, (part, add) => {
      if (!isDense(part)) secretsInProse(part, add)
    })
}

const patternsIn = (text: string, { rules, known, learning }: Pass, found: FoundInText): void => {
  for (const { id, regexp, pair } of rules.patternsFor(text)) {
    // `matchAll` copies the expression, which takes longer than to search most texts.
    regexp.lastIndex = 0
    if (!regexp.test(text)) continue
    regexp.lastIndex = 0
    for (const { 0: match, index } of text.matchAll(regexp)) {
      if (match === '') continue
      if (pair) {
        const secret = /^[^:\s]*:(.+)$/s.exec(textOf(match) ?? '')?.[1]
        if (secret === undefined) continue
        if (learning) known.learn(secret, id)
      }
      if (!isPlaceholder(match)) found({ from: index, to: index + match.length, rule: id })
    }
  }
}

const valuesIn = (text: string, { known, local }: Pass, add: Add): void => {
  for (const [value, { rule, doubtful }] of local ?? []) {
    if (doubtful) continue
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
      if (!/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) && !/[\p{L}\p{N}]/u.test(text.charAt(at + value.length)))
        add(at, at + value.length, rule)
  }
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

/** Longest text in which words of a sentence are reported. */
const LONGEST_SAID = 20_000
const SENTENCE = /\p{L}{2,}[,:]? \p{L}{1,20}[,:]? \p{L}{2,}/u
/** What people do with a code of digits. */
const ENTERED =
  /\b(?:press|enter|dial|punch|type|key in|keypad|unlocks?|opens?|door|gate|garage|safe|locker|alarm|padlock|lock|pin|card|code|authenticator|drück|tipp|eingeb|öffn|tür|tor|ouvre|porte|compose|abre|puerta|marca|apri|porta|digita)\w{0,4}\b|门|開|开|ドア|番/iu

const lineAt = (text: string, at: number): string => {
  const begin = text.lastIndexOf('\n', at) + 1
  return text.slice(begin, begin + 300).split('\n', 1)[0]!
}

/**
 * Words of a sentence that nobody says but as a secret or an ID, and digits that somebody enters: only a reader knows
 * which, so they are reported, never removed.
 */
const saidIn = (text: string, findings: Findings, isTaken: (from: number, to: number) => boolean): void => {
  if (text.length > LONGEST_SAID || !SENTENCE.test(text)) return
  for (const { 0: word, index } of text.matchAll(
    /(?<![\p{L}\p{N}_+/=.:@#$%&?-])[\p{L}\p{N}][\p{L}\p{N}_!?*-]{6,30}(?![\p{L}\p{N}_+/=@(-])(?!\.\p{L})/gu,
  )) {
    if (!/\d/.test(word) || !/\p{L}/u.test(word) || /^(?:0x)?[\da-f-]+$/i.test(word) || isTechnical(word)) continue
    if (/[`[]/.test(text.charAt(index - 1)) || isProgramLine(lineAt(text, index))) continue
    if (/[_-]/.test(word) && !/[!?*]/.test(word)) continue
    if (chosenLikeness(word) > (/\d{3}/.test(word) ? 0 : 1) && !isTaken(index, index + word.length))
      findings.suspect(word, 'said')
  }
  for (const { 0: digits, index } of text.matchAll(/(?<![\p{L}\p{N}_.,:/#$€£+-])\d{4,8}(?![\p{L}\p{N}_%:/-]|[.,]\d)/gu))
    if (
      !/^(?:19|20)\d\d$|^\d0{2,}$/.test(digits) &&
      !/(?:[Rr][Ff][Cc]|ISO|[Pp]ort|DIN|CVE|[Ii]ssue|PR|[Ll]ine|of|the|[`[*=])[\s:-]?$|\b[A-Z]{1,3}[ -]$|(?:nummer|umber|\b[Nn]o|\b[Nn]r|bib|room|seal|flight|train|case|invoice|order)[\s.:#-]{1,2}$/.test(
        text.slice(Math.max(0, index - 8), index),
      ) &&
      ENTERED.test(text.slice(Math.max(0, index - 60), index + 30)) &&
      !namesOther(text.slice(Math.max(0, index - 60), index)) &&
      // A header, an interval of time.
      !/(?:^|\n)[\w-]{0,40}[a-z]-[\w-]{1,40}: $|\d{4}[–-]$/.test(text.slice(Math.max(0, index - 84), index)) &&
      !/^[–-]\d{4}(?!\d)/.test(text.slice(index + digits.length, index + digits.length + 6)) &&
      !isProgramLine(lineAt(text, index)) &&
      !isTaken(index, index + digits.length)
    )
      findings.suspect(digits, 'said')
}

/** Public keys, pictures, digests, contexts of traces. */
const PUBLIC =
  /^(?:AAAA[BCDE]3N|AAAAE2V|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0|PHN2Zy|T2dnUw|SUkqA|UEsDB|H4sIA|nonce-|(?:sha|md)\d{1,3}[-:=]|[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-)/
/** Within a certificate, a public key or a signature. */
const isPublicBlock = (text: string, at: number): boolean => {
  const begin = text.lastIndexOf('-----BEGIN ', at)
  return begin >= 0 && !/PRIVATE/.test(text.slice(begin, begin + 50)) && text.lastIndexOf('-----END', at) < begin
}

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
  saidIn(text, findings, isTaken)
  for (const { 0: all, index: at } of text.matchAll(/(?<![\w+/=.:-])[\w+/=~-]{20,200}(?![\w+/=.-])/g)) {
    // `CI_COMMIT_SHORT_SHA=b6c5ee24`: only what is assigned. At the end of Base64, `==` are no assignment.
    const name = /^[A-Za-z][\w-]{0,60}=(?=[^=])/.exec(all)?.[0].length ?? 0
    const [word, index] = [all.slice(name), at + name]
    if (word.length < 16 || isPublicId(word)) continue
    const classes = Number(/[a-z]/.test(word)) + Number(/[A-Z]/.test(word)) + Number(/\d/.test(word))
    if (
      classes < (word.length < 28 ? 3 : 2) ||
      UUID.test(word) ||
      /^[\da-f]+$/i.test(word) ||
      /^\/|\/.*\/|\.\w{2,4}$/.test(word) ||
      !/\d.*[A-Za-z].*\d/.test(word) ||
      PUBLIC.test(word) ||
      isPublicBlock(text, index)
    )
      continue
    if (bitsOf(word) >= bits && textOf(word) === undefined && !isTaken(index, index + word.length))
      findings.suspect(word, 'entropy')
  }
}

/** Longer texts also repeat ordinary numbers. */
const LONGEST_REPEATING = 20_000
const MOST_REPEATED = 50
/** A value with this many characters is also looked for in other lines. */
const DISTINCT = 6
const YEAR = /^(?:19|20)\d\d$/

/**
 * A secret that its name tells at one place of a text, at the others: what a command repeats in its answer, a message in its
 * remark.
 *
 * @param found for sure, in this text
 */
export const repeatsOf = (text: string, found: readonly Assigned[]): readonly Assigned[] => {
  if (text.length > LONGEST_REPEATING || found.length > MOST_REPEATED) return []
  return found.flatMap(({ from, to, rule }) => {
    const value = text.slice(from, to)
    if (value.length < 4 || value.length > 200 || !/\p{Nd}/u.test(value) || YEAR.test(value)) return []
    const all: Assigned[] = []
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
      const end = at + value.length
      if (at === from || isWithin(text, at, end)) continue
      if (value.length < DISTINCT && text.slice(Math.min(from, at), Math.max(to, end)).includes('\n')) continue
      all.push({ from: at, to: end, rule })
    }
    return all
  })
}

/** Part of a longer word or number. */
const isWithin = (text: string, from: number, to: number): boolean =>
  /[\p{L}\p{M}\p{N}_]$|\p{N}[.,:/-]$/u.test(text.slice(Math.max(0, from - 2), from)) ||
  /^(?:[\p{L}\p{M}\p{N}_]|[.,:/-]\p{N})/u.test(text.slice(to, to + 2))
