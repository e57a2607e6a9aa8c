/** One schema with what has been found out about its parts; what is found once is not looked for again. */
import type { MatchPattern } from './pattern.ts'
import { References } from './reference.ts'
import { resolve, type Resolved } from './resolve.ts'

export class Schemas {
  readonly root: unknown
  readonly matches: MatchPattern
  readonly #references: References
  readonly #resolved = new WeakMap<object, Resolved>()

  /** @param matches a page cannot match patterns itself, as they may never end; by default none is known to match */
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
