/**
 * Validates values against a server's schemas within a time limit (JS-08). Runs can be terminated: they are
 * in a worker of the page, or under a time limit in Node. A hostile schema costs at most the limit, and a
 * hostile pattern is skipped.
 */
import { type Json, type Value, isList, isRecord, plain } from '../json/index.ts'
import { uncheckedVerdict, type Verdict } from './verdict.ts'
import { unfinishedIn } from './value.ts'

/** A value prepared for validation: plain JSON, so that it can be sent to a worker. */
export interface Instance {
  /** Absent if there is no value, or if it is too large. */
  readonly value: Json | undefined
  /** JSON pointers to text that isn't valid JSON. */
  readonly unfinished: readonly string[]
  readonly tooLarge: boolean
}

const MOST_VALUES = 100_000
const DEEPEST = 400

/** @param scale the value may have this many times as many parts as an edited one. Default 1. */
export const instanceOf = (value: Value | undefined, scale = 1): Instance => {
  const unfinished = unfinishedIn(value)
  const tooLarge = isTooLarge(value, scale * MOST_VALUES)
  return { value: tooLarge || value === undefined ? undefined : plain(value), unfinished, tooLarge }
}

const isTooLarge = (value: Value | undefined, most: number): boolean => {
  let count = 0
  const walk = (value: Value | undefined, depth: number): boolean => {
    if (++count > most || depth > DEEPEST) return true
    if (isList(value)) return value.some((item) => walk(item, depth + 1))
    return isRecord(value) && Object.values(value).some((inner) => walk(inner, depth + 1))
  }
  return walk(value, 0)
}

/** Every string and key of a value, the length of the longest string, and of the longest array. */
export const measure = (value: Json | undefined) => {
  const strings = new Set<string>()
  let longest = 0
  let widest = 0
  const walk = (value: Json | undefined): void => {
    if (typeof value === 'string') {
      strings.add(value)
      longest = Math.max(longest, value.length)
    } else if (isList(value)) {
      widest = Math.max(widest, value.length)
      for (const item of value) walk(item)
    } else if (isRecord(value)) {
      for (const [key, inner] of Object.entries(value)) {
        strings.add(key)
        walk(inner)
      }
    }
  }
  walk(value)
  return { strings, longest, widest }
}

interface Skipping {
  /** Patterns that took too long in an earlier attempt. */
  readonly skip: readonly string[]
}

export type ValidationRequest = Skipping &
  (
    | { readonly kind: 'value'; readonly schema: unknown; readonly instance: Instance }
    /** The value is at `pointer` in the text of a message; passing a string to a worker is cheap. */
    | { readonly kind: 'text'; readonly schema: unknown; readonly text: string; readonly pointer: string }
    | { readonly kind: 'patterns'; readonly pairs: readonly PatternPair[] }
  )

export type PatternPair = readonly [pattern: string, text: string]

export interface TextVerdict {
  readonly verdict: Verdict
  /** Number of errors; the verdict contains only the first ones. */
  readonly total: number
  /** There may be more errors than `total`. */
  readonly more: boolean
}

export type ValidationResult =
  | { readonly kind: 'value'; readonly verdict: Verdict }
  | ({ readonly kind: 'text' } & TextVerdict)
  | { readonly kind: 'patterns'; readonly matches: readonly (boolean | undefined)[] }

/** The run was terminated. `pattern`: the pattern being matched at that moment, if any. */
export interface Ended {
  readonly kind: 'ended'
  readonly pattern: string | undefined
}

/** Runs a request for at most `limit` ms. Never rejects. @param signal terminates it earlier */
export type RunValidation = (
  request: ValidationRequest,
  limit: number,
  signal?: AbortSignal,
) => Promise<ValidationResult | Ended>

export interface Limits {
  /** Values may have this many times as many parts as an edited one. */
  readonly scale: number
  /** ms for a value. */
  readonly limit: number
  /** Bytes of the largest message that is validated as a parsed value rather than as text. */
  readonly largest: number
}

/** ms for a value of several megabytes. */
const TEXT_LIMIT = 10_000
/** Maximum number of attempts; each one skips one more pattern. */
const ATTEMPTS = 4

export class TimedValidator {
  readonly limits: Limits
  readonly #run: RunValidation

  constructor(run: RunValidation, limits: Limits) {
    this.#run = run
    this.limits = limits
  }

  /** Never rejects because of the schema or the value. */
  async validate(schema: unknown, value: Value | undefined, signal?: AbortSignal): Promise<Verdict> {
    const instance = instanceOf(value, this.limits.scale)
    const result = await this.#attempt({ kind: 'value', schema, instance, skip: [] }, this.limits.limit, signal)
    return result.kind === 'value' ? result.verdict : uncheckedVerdict(schema, instance.unfinished, { code: 'time' })
  }

  /** @param pointer to the value in the message @returns `undefined` if it timed out */
  async validateText(
    schema: unknown,
    text: string,
    pointer: string,
    signal?: AbortSignal,
  ): Promise<TextVerdict | undefined> {
    const request = { kind: 'text' as const, schema, text, pointer, skip: [] }
    const result = await this.#attempt(request, TEXT_LIMIT, signal)
    return result.kind === 'text' ? result : undefined
  }

  /** Whether each pair matches; `undefined`: unknown. */
  async match(pairs: readonly PatternPair[]): Promise<readonly (boolean | undefined)[]> {
    const result = await this.#attempt({ kind: 'patterns', pairs, skip: [] }, this.limits.limit)
    return result.kind === 'patterns' ? result.matches : []
  }

  async #attempt(request: ValidationRequest, limit: number, signal?: AbortSignal): Promise<ValidationResult | Ended> {
    const skip: string[] = []
    for (let attempt = 1; ; attempt++) {
      const result = await this.#run({ ...request, skip: [...skip] }, limit, signal)
      if (result.kind !== 'ended' || result.pattern === undefined || attempt === ATTEMPTS) return result
      if (signal?.aborted) return result
      skip.push(result.pattern)
    }
  }
}
