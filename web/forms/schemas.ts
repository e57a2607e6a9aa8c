/** One schema with what has been found out about its parts; what is found once is not looked for again. */
import { matcher, type Matcher } from './pattern.ts'
import { References } from './reference.ts'
import { resolve, type Resolved } from './resolve.ts'

export class Schemas {
  readonly root: unknown
  readonly #references: References
  readonly #resolved = new WeakMap<object, Resolved>()
  readonly #matchers = new Map<string, Matcher | undefined>()

  constructor(root: unknown) {
    this.root = root
    this.#references = new References(root)
  }

  resolve(schema: unknown): Resolved {
    if (typeof schema !== 'object' || schema === null) return resolve(schema, this.#references)
    let resolved = this.#resolved.get(schema)
    if (!resolved) this.#resolved.set(schema, (resolved = resolve(schema, this.#references)))
    return resolved
  }

  /** `undefined`: no regular expression, or one that is not judged. */
  matcher(pattern: string): Matcher | undefined {
    if (!this.#matchers.has(pattern)) this.#matchers.set(pattern, matcher(pattern))
    return this.#matchers.get(pattern)
  }
}
