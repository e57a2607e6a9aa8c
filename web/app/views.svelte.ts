/** The views of connections and recordings: the state determines when to load them, and the window shows them. */
import { withTexts } from '../ui/index.svelte.ts'
import type { Connected } from './connected-features.ts'
import type { Components } from './connected.svelte.ts'

export class Views {
  #current = $state.raw<Components>()

  /** Absent until loaded. */
  get current(): Components | undefined {
    return this.#current
  }

  /** @returns what the state needs from the same chunk @throws {TypeError} it can't be loaded; calling again retries */
  readonly load = async (): Promise<Connected> => {
    const { components, connected } = await withTexts(import('./connected.svelte.ts'))
    this.#current = components
    return connected
  }
}
