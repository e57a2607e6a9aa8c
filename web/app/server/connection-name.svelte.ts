/**
 * The name of a connection: what its user or the configuration calls it, otherwise what the server calls itself. It is
 * unique among the connections of the window, because calls go by it: of two with the same name the second has a number.
 */
import type { Peer } from '../../mcp/index.ts'
import { markHidden } from '../../ui/index.ts'

/** Characters of a name. */
const LONGEST = 80

export class ConnectionName {
  #base: string
  #unique = $state('')

  /** @param base the name without its number; absent in what older versions stored */
  constructor(unique: string, base = unique) {
    this.#base = base
    this.#unique = shownName(unique)
  }

  /** What it was made from. */
  get base(): string {
    return this.#base
  }

  get current(): string {
    return this.#unique
  }

  /** Another name has another number. The same keeps its own, so that nothing is renamed when others come and go. */
  take(base: string, taken: ReadonlySet<string>): void {
    if (base === this.#base) return
    this.#base = base
    this.number(taken)
  }

  number(taken: ReadonlySet<string>): void {
    this.#unique = numbered(shownName(this.#base), taken)
  }
}

export const numbered = (name: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name} (${number})`)) number++
  return `${name} (${number})`
}

/** LC-14: the title that the server gives itself, otherwise its name. */
export const ownNameOf = (peer: Peer | undefined): string | undefined => {
  const { title, name } = peer?.info ?? {}
  for (const text of [title, name]) if (typeof text === 'string' && text.trim() !== '') return shownName(text)
  return undefined
}

export const shownName = (name: string): string => markHidden(name.trim().slice(0, LONGEST)).text.slice(0, LONGEST)
