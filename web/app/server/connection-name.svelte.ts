/**
 * The name of a connection: the one set by the user or the configuration, otherwise the server's own. It is unique
 * among the connections of the window, because calls refer to it: of two with the same name, the second gets a number.
 */
import type { Peer } from '../../mcp/index.ts'
import { markHidden } from '../../ui/index.ts'

/** Maximum characters of a name. */
const LONGEST = 80

export class ConnectionName {
  #base: string
  #unique = $state('')

  /** @param base the name without its number; absent in data of older versions */
  constructor(unique: string, base = unique) {
    this.#base = base
    this.#unique = shownName(unique)
  }

  /** The name without its number. */
  get base(): string {
    return this.#base
  }

  get current(): string {
    return this.#unique
  }

  /**
   * A new name gets a new number. The same name keeps its number, so that nothing is renamed when others come and go.
   */
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

/** LC-14: the server's own title, otherwise its name. */
export const ownNameOf = (peer: Peer | undefined): string | undefined => {
  const { title, name } = peer?.info ?? {}
  for (const text of [title, name]) if (typeof text === 'string' && text.trim() !== '') return shownName(text)
  return undefined
}

export const shownName = (name: string): string => markHidden(name.trim().slice(0, LONGEST)).text.slice(0, LONGEST)
