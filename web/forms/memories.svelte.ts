/**
 * The choices made in the page's forms. They survive switching a form to JSON and are kept until the page is closed.
 */
import { same, type Value } from '../json/index.ts'
import { isDeep, isLong } from './long.ts'
import { Memory } from './memory.ts'

class Remembered {
  readonly schema: unknown
  /** The last value the form produced; any other value came from elsewhere. */
  last: Value | undefined
  readonly memory = new Memory(() => void this.#version++)
  #version = $state(0)

  constructor(schema: unknown) {
    this.schema = schema
  }

  /** Read it to be notified when the choices change. */
  get version(): number {
    return this.#version
  }
}

class Memories {
  readonly #known = new WeakMap<object, Remembered>()
  /** The latest schema of each form. */
  readonly #places = new Map<string, Remembered>()

  /** @param place identifies the form; the server may list its schema again, unchanged */
  of(schema: unknown, place: string): Remembered {
    const known = typeof schema === 'object' && schema !== null ? this.#known.get(schema) : undefined
    const before = this.#places.get(place)
    const found = known ?? (before && alike(before.schema, schema) ? before : new Remembered(schema))
    if (typeof schema === 'object' && schema !== null) this.#known.set(schema, found)
    this.#places.delete(place)
    this.#places.set(place, found)
    const [oldest] = this.#places.keys()
    if (this.#places.size > MOST) this.#places.delete(oldest!)
    return found
  }
}

/** Maximum number of forms remembered. */
const MOST = 100

const alike = (a: unknown, b: unknown): boolean =>
  a === b || (!isLong(a as Value, 200_000) && !isDeep(a as Value, 200) && same(a as Value, b as Value))

export const memories = new Memories()
