/** The state of one pass over a session: the compiled rules, the values of secrets, and their locations. */
import { formatPointer, parsePointer } from '../json/index.ts'
import { COMPOSED_HINTS, composedKind, isAboutPasswords } from './composed-names.ts'
import { decoded } from './encodings.ts'
import { SecretValues } from './find-by-value.ts'
import type { Assigned } from './found-in-text.ts'
import { isUnique, previewOf } from './heuristics.ts'
import { Names } from './secret-names.ts'
import type { RedactionRule } from './redaction-rules.ts'

/** A location: a JSON pointer into a frame, or into the head. */
export interface Place {
  /** The frame's seq; absent for the head. */
  readonly seq?: number
  readonly pointer: string
  readonly rule: string
  /** The part of it that may be shown. */
  readonly preview: string
  /** For the user's decision only; must not be written anywhere. */
  readonly value: string
  /** Identifies the location and its content. */
  readonly key: string
}

/** Values remembered; further ones are only found by rules. */
const MOST_VALUES = 20_000
/** Maximum number of suspects reported. */
const MOST_SUSPECTS = 5000

export interface ReadyPattern {
  readonly id: string
  readonly regexp: RegExp
  readonly pair: boolean
}

/** Characters of a text in which each hint is looked for on its own. */
const LONG = 2000
/** Hints in one text that are looked at in order. */
const MOST_HINTS = 40

export class Rules {
  /** Compiling the patterns takes as long as redacting a small session. */
  static readonly #compiled = new WeakMap<readonly RedactionRule[], Rules>()
  readonly names: Names
  /** Patterns without a literal to look for first. */
  readonly #always: readonly ReadyPattern[]
  readonly #byHint = new Map<string, ReadyPattern[]>()
  readonly #hint: RegExp | undefined
  readonly contexts: ReadonlySet<'command' | 'file' | 'prose'>
  readonly pointers: readonly { readonly id: string; readonly steps: readonly string[] }[]
  readonly values: readonly { readonly id: string; readonly value: string }[]
  readonly bits: number | undefined
  /** The ID of the rule that removes local folders, if it is on. */
  readonly paths: string | undefined

  /** @throws {SyntaxError} a pattern isn't a valid regular expression */
  static of(rules: readonly RedactionRule[]): Rules {
    const known = Rules.#compiled.get(rules)
    if (known) return known
    const compiled = new Rules(rules)
    Rules.#compiled.set(rules, compiled)
    return compiled
  }

  private constructor(rules: readonly RedactionRule[]) {
    const on = rules.filter(({ off }) => !off)
    this.names = new Names(on, { hints: COMPOSED_HINTS, kindOf: composedKind, isAbout: isAboutPasswords })
    const always: ReadyPattern[] = []
    for (const rule of on) {
      if (rule.kind !== 'pattern') continue
      const { id, pattern, flags = '', hints = [], check } = rule
      const regexp = new RegExp(pattern, `g${flags.replaceAll('g', '')}`)
      const ready = { id, regexp, pair: check === 'pair' }
      for (const hint of hints) this.#byHint.set(hint, [...(this.#byHint.get(hint) ?? []), ready])
      if (hints.length === 0) always.push(ready)
    }
    this.#always = always
    // A hint within another one is only found as part of it, because the longest come first.
    const own = new Map([...this.#byHint].map(([hint, patterns]) => [hint, [...patterns]] as const))
    for (const [hint, patterns] of this.#byHint)
      for (const [other, more] of own) if (hint !== other && hint.includes(other)) patterns.push(...more)
    const literals = [...this.#byHint.keys()].toSorted((one, other) => other.length - one.length).map(escaped)
    if (literals.length > 0) this.#hint = new RegExp(literals.join('|'), 'g')
    this.contexts = new Set(on.flatMap((rule) => (rule.kind === 'context' ? [rule.context] : [])))
    this.pointers = on.flatMap((rule) =>
      rule.kind === 'pointer' ? [{ id: rule.id, steps: parsePointer(rule.pointer) }] : [],
    )
    this.values = on.flatMap((rule) =>
      rule.kind === 'value' && rule.value !== '' ? [{ id: rule.id, value: rule.value }] : [],
    )
    this.paths = on.find((rule) => rule.kind === 'paths')?.id
    this.bits = on.find((rule) => rule.kind === 'entropy')?.bits
  }

  /** The patterns that may match. */
  patternsFor(text: string): Iterable<ReadyPattern> {
    if (!this.#hint) return this.#always
    if (text.length > LONG) return this.#patternsIn(text)
    this.#hint.lastIndex = 0
    if (!this.#hint.test(text)) return this.#always
    this.#hint.lastIndex = 0
    const found = new Set(this.#always)
    let matches = 0
    for (let match = this.#hint.exec(text); match; match = this.#hint.exec(text)) {
      for (const pattern of this.#byHint.get(match[0])!) found.add(pattern)
      // Hints overlap, as `sk_` and `k_live_` do.
      this.#hint.lastIndex = match.index + 1
      // An encoded picture is full of them: it is faster to look for each of the others.
      if (++matches > MOST_HINTS) return this.#patternsIn(text)
    }
    return found
  }

  /** Looks for each hint on its own, which is faster in a long text than for all at once. */
  #patternsIn(text: string): ReadonlySet<ReadyPattern> {
    const found = new Set(this.#always)
    const triples = triplesIn(text)
    for (const [hint, patterns] of this.#byHint)
      if (mayHold(triples, hint) && text.includes(hint)) for (const pattern of patterns) found.add(pattern)
    return found
  }

  /** Whether any pattern may match. */
  mayMatch(text: string): boolean {
    if (this.contexts.size > 0 || this.#always.length > 0 || !this.#hint) return true
    this.#hint.lastIndex = 0
    return this.#hint.test(text)
  }
}

/** 2^16 buckets are enough: a text of megabytes has some 10,000 different ones. */
const bucketOf = (text: string, at: number): number =>
  (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2) * 7919) & 0xffff

/** The sequences of three characters in a text. */
const triplesIn = (text: string): Uint8Array => {
  const found = new Uint8Array(0x10000)
  for (let at = 0; at < text.length - 2; at++) found[bucketOf(text, at)] = 1
  return found
}

const mayHold = (triples: Uint8Array, hint: string): boolean => {
  for (let at = 0; at < hint.length - 2; at++) if (triples[bucketOf(hint, at)] === 0) return false
  return true
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

export class Known {
  readonly values = new SecretValues()
  readonly #rules = new Map<string, string>()
  /** Too common to be removed wherever they occur. */
  readonly weak = new Map<string, string>()
  /** Values that may be ordinary words: only reported. */
  readonly doubts = new Map<string, string>()
  /** The user's own values that are too short for the general search. */
  readonly short = new Map<string, string>()

  learn(value: string, rule: string, own = false): void {
    if (this.#rules.size >= MOST_VALUES && !own) return
    for (const one of spellings(value)) {
      if (own && one.length < 6) this.short.set(one, rule)
      else if (own || isUnique(one)) {
        if (this.#rules.has(one)) continue
        this.#rules.set(one, rule)
        this.values.know(one)
      } else if (one.length >= 6 && this.weak.size < MOST_VALUES) this.weak.set(one, rule)
    }
  }

  /** Everything learnt, with its rule. */
  *all(): Generator<readonly [value: string, rule: string]> {
    yield* this.#rules
    yield* this.weak
    yield* this.short
  }

  ruleOf(value: string): string | undefined {
    return this.#rules.get(value)
  }
}

/** The decoded forms of a value written for a URL or within quotes. */
const spellings = (value: string): ReadonlySet<string> => {
  const all = new Set([value, value.trim()])
  for (const encoding of ['percent', 'form', 'json', 'html'] as const) {
    let reading = decoded({ text: value }, encoding)
    for (let level = 0; reading && level < 4; level++) {
      all.add(reading.text)
      reading = decoded(reading, encoding)
    }
  }
  return all
}

/** Texts that are remembered, and their characters in total. */
const MOST_PLAIN = 100_000
const MOST_PLAIN_CHARACTERS = 64_000_000

/**
 * Texts in which no pattern, name or context occurs, and what occurs in the others. The second pass meets the texts of the first, and sessions repeat
 * theirs, so these searches run once per text; known values are looked for every time.
 */
export class PlainTexts {
  readonly #texts = new Set<string>()
  readonly #found = new Map<string, readonly Assigned[]>()
  #characters = 0
  #spaced = false

  /** @param spaced values with spaces are known, so `+` is read as a space too: earlier searches didn't */
  has(text: string, spaced: boolean): boolean {
    if (spaced !== this.#spaced) {
      this.#texts.clear()
      this.#characters = 0
      this.#spaced = spaced
    }
    return this.#texts.has(text)
  }

  /** What a search of a text finds: the second pass, and the next frame with the same text, need not search again. */
  found(text: string, search: () => readonly Assigned[]): readonly Assigned[] {
    const known = this.#found.get(text)
    if (known) return known
    const found = search()
    if (this.#found.size < MOST_PLAIN && this.#characters + text.length <= MOST_PLAIN_CHARACTERS) {
      this.#found.set(text, found)
      this.#characters += text.length
    }
    return found
  }

  add(text: string): void {
    if (this.#texts.size >= MOST_PLAIN || this.#characters + text.length > MOST_PLAIN_CHARACTERS) return
    this.#texts.add(text)
    this.#characters += text.length
  }
}

/** The locations found by one pass. */
export class Findings {
  readonly changes: Place[] = []
  readonly suspects: Place[] = []
  readonly #suspected = new Set<string>()
  readonly #changed = new Set<string>()
  readonly #kept: ReadonlySet<string>
  readonly #harmless: ReadonlySet<string>
  /** The current position of the pass. */
  seq: number | undefined
  readonly path: string[] = []
  /** The number of path segments that lead to a text; further segments are within the text. */
  within: number | undefined
  /** Findings at this position are already counted elsewhere. */
  quiet = false

  constructor(kept: ReadonlySet<string>, harmless: ReadonlySet<string>) {
    this.#kept = kept
    this.#harmless = harmless
  }

  get pointer(): string {
    return formatPointer(this.path.slice(0, this.within))
  }

  /** Runs `work` one step below the current position. */
  at<Result>(step: string, work: () => Result): Result {
    this.path.push(step)
    const result = work()
    this.path.pop()
    return result
  }

  /** @returns whether it is removed */
  takes(value: string, rule: string): boolean {
    if (this.#harmless.has(value)) return false
    const place = this.#place(value, rule)
    if (this.#kept.has(place.key)) return false
    // Two occurrences in one text are reported, and reverted, together.
    if (this.quiet || this.#changed.has(place.key)) return true
    this.#changed.add(place.key)
    this.changes.push(place)
    return true
  }

  suspect(value: string, rule: string): void {
    if (this.quiet || this.suspects.length >= MOST_SUSPECTS || this.#harmless.has(value)) return
    const place = this.#place(value, rule)
    if (this.#suspected.has(place.key)) return
    this.#suspected.add(place.key)
    this.suspects.push(place)
  }

  #place(value: string, rule: string): Place {
    const { seq, pointer } = this
    const key = `${seq ?? 'head'} ${pointer} ${value}`
    return { seq, pointer, rule, preview: previewOf(value), value, key }
  }
}
