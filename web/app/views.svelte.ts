/** The views of connections and recordings: the state says when they are needed, and the window shows them. */
import type { Connected } from './connected-features.ts'
import type { Components } from './connected.svelte.ts'

export class Views {
  #current = $state.raw<Components>()

  /** Absent until they have loaded. */
  get current(): Components | undefined {
    return this.#current
  }

  /** @returns what the state needs of the same chunk @throws {TypeError} it cannot be fetched; another call tries again */
  readonly load = async (): Promise<Connected> => {
    const { components, connected } = await import('./connected.svelte.ts')
    this.#current = components
    return connected
  }
}
