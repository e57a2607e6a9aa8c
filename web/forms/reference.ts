/**
 * Resolves a `$ref` within one schema: a JSON pointer, an `$anchor`, the `$id` of an embedded schema, or a pointer into one.
 * Nothing is ever fetched (JS-05).
 */
import { resolvePointer } from '../json/index.ts'
import { isObject } from './json-schema.ts'

/** Maximum number of objects searched for anchors and ids. */
const MOST = 20_000
const DEEPEST = 200

/** Looks up references in one schema. Collects its names once, on the first lookup of a name. */
export class References {
  readonly #root: unknown
  #names: ReadonlyMap<string, unknown> | undefined

  constructor(root: unknown) {
    this.#root = root
  }

  /** `undefined` if the schema has no such name. */
  find(reference: string): unknown {
    const hash = reference.indexOf('#')
    const document = hash < 0 ? reference : reference.slice(0, hash)
    const fragment = hash < 0 ? '' : reference.slice(hash + 1)
    const place = document === '' ? this.#root : this.#named(document)
    if (place === undefined) return undefined
    if (fragment === '' || fragment === '/') return place
    if (fragment.startsWith('/')) return follow(place, fragment)
    return this.#named(`#${fragment}`)
  }

  #named(name: string): unknown {
    this.#names ??= namesIn(this.#root)
    return this.#names.get(name) ?? (/^[a-z][a-z\d+.-]*:/i.test(name) ? undefined : this.#names.get(lastOf(name)))
  }
}

/** A pointer in a fragment, percent-encoded or not. */
const follow = (place: unknown, fragment: string): unknown => {
  let pointer: string
  try {
    pointer = decodeURIComponent(fragment)
  } catch {
    pointer = fragment
  }
  return resolvePointer(place, pointer)
}

/**
 * A relative reference matches an absolute id with the same ending. If two ids end alike, it is
 * ambiguous and matches neither.
 */
const lastOf = (id: string): string => `…${id.replace(/#$/, '').split('/').at(-1)!}`

const namesIn = (root: unknown): ReadonlyMap<string, unknown> => {
  const names = new Map<string, unknown>()
  const add = (name: string, place: unknown) => names.set(name, names.has(name) ? undefined : place)
  let left = MOST
  const walk = (place: unknown, depth: number): void => {
    if (typeof place !== 'object' || place === null || depth > DEEPEST || --left < 0) return
    if (isObject(place)) {
      const { $id: id, $anchor: anchor, $dynamicAnchor: dynamic } = place
      if (typeof id === 'string' && id !== '') {
        // Draft 7 writes an anchor as an id: `#name`.
        names.set(id.replace(/#$/, ''), place)
        if (!id.startsWith('#')) add(lastOf(id), place)
      }
      for (const name of [anchor, dynamic]) if (typeof name === 'string') add(`#${name}`, place)
    }
    // Walks all keys, not only keywords: a name found outside a schema is harmless.
    for (const inner of Object.values(place)) walk(inner, depth + 1)
  }
  walk(root, 0)
  return names
}
