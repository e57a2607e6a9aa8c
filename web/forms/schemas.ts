/** A schema and the cached results of resolving its parts. */
import type { MatchPattern } from './pattern.ts'
import { References } from './reference.ts'
import { resolve, type Resolved } from './resolve.ts'

export class Schemas {
  readonly root: unknown
  readonly matches: MatchPattern
  readonly #references: References
  readonly #resolved = new WeakMap<object, Resolved>()

  /**
   * @param matches a page can't match patterns itself, because they may never finish; by
   * default all matches are unknown
   */
  constructor(root: unknown, matches: MatchPattern = () => undefined) {
    this.root = root
    this.matches = matches
    this.#references = new References(root)
  }

  resolve(schema: unknown): Resolved {
    if (typeof schema !== 'object' || schema === null) return resolve(schema, this.#references)
    let resolved = this.#resolved.get(schema)
    if (!resolved) this.#resolved.set(schema, (resolved = resolve(schema, this.#references)))
    return resolved
  }
}
