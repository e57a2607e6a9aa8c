/**
 * Which strings the patterns in the forms' schemas match. The page can't match them itself, because a hostile pattern
 * may never finish. The validator's worker does it, and dependent fields are rendered again when the result arrives.
 */
import type { MatchPattern } from './json-schema.ts'
import { pageValidator } from './page-validator.ts'
import type { PatternPair } from './timed-validation.ts'

/** Maximum number of cached pairs, and maximum characters of a string to match. */
const MOST_PAIRS = 20_000
const LONGEST = 10_000

class PatternMatches {
  /** By pattern and string; `undefined`: requested but not known yet. */
  readonly #known = new Map<string, boolean | undefined>()
  #waiting: PatternPair[] = []
  #matching: Promise<void> | undefined
  #version = $state(0)

  readonly matches: MatchPattern = (pattern, text) => {
    if (text.length > LONGEST || pattern.length > LONGEST) return undefined
    const key = JSON.stringify([pattern, text])
    const known = this.#known.get(key)
    if (known !== undefined) return known
    void this.#version
    if (this.#known.has(key) || this.#known.size >= MOST_PAIRS) return undefined
    this.#known.set(key, undefined)
    this.#waiting.push([pattern, text])
    this.#matching ??= Promise.resolve().then(() => this.#matchAll())
    return undefined
  }

  /** Resolves once all requested pairs are known. */
  async settled(): Promise<void> {
    await this.#matching
  }

  async #matchAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const pairs = this.#waiting
      this.#waiting = []
      const matches = await pageValidator.match(pairs)
      for (const [at, pair] of pairs.entries()) this.#known.set(JSON.stringify(pair), matches[at])
      this.#version++
    }
    this.#matching = undefined
  }
}

export const patternMatches = new PatternMatches()
