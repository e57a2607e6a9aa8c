/** Recently used servers, for the first screen. They are stored beyond the tab, but secret values are not. */
import { browserStorage } from '../browser-storage.ts'
import { loadRecent, saveRecent, type Recent } from '../remembered.ts'
import type { withRecent } from '../storable.ts'

const LOCAL = browserStorage('local')

export class Recents {
  #list = $state.raw<readonly Recent[]>([])

  get list(): readonly Recent[] {
    return this.#list
  }

  load(): void {
    this.#list = loadRecent(LOCAL)
  }

  /** @param add creates the list without secrets */
  remember(server: Parameters<typeof withRecent>[1], add: typeof withRecent): void {
    this.#keep(add(this.#list, server, Date.now()))
  }

  forget(recent: Recent): void {
    this.#keep(this.#list.filter((other) => other !== recent))
  }

  #keep(list: readonly Recent[]): void {
    this.#list = list
    saveRecent(LOCAL, list)
  }
}
