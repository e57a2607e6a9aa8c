/** What the user picked from each server, until the page closes. */
import { SvelteSet } from 'svelte/reactivity'
import { Remembered } from '../remembered.ts'

class Context {
  /** URIs of the selected resources, in the order in which they were selected. */
  readonly selected = new SvelteSet<string>()

  /** @param on absent: the opposite of now */
  select(uri: string, on = !this.selected.has(uri)): void {
    if (on) this.selected.add(uri)
    else this.selected.delete(uri)
  }
}

/** By slot. */
export const contexts = new Remembered(() => new Context())
