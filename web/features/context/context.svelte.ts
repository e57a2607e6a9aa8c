/** What the user picked from each server, until the page closes. */
import { SvelteSet } from 'svelte/reactivity'
import type { Seq } from '../../mcp/index.ts'
import { Remembered } from '../remembered.ts'

class Context {
  /** URIs of the selected resources, in the order in which they were selected. */
  readonly selected = new SvelteSet<string>()
  /** The requests whose results were added: prompts. */
  readonly results = new SvelteSet<Seq>()

  get size(): number {
    return this.selected.size + this.results.size
  }

  /** @param on absent: the opposite of now */
  select(uri: string, on = !this.selected.has(uri)): void {
    if (on) this.selected.add(uri)
    else this.selected.delete(uri)
  }

  addResult(seq: Seq, on = !this.results.has(seq)): void {
    if (on) this.results.add(seq)
    else this.results.delete(seq)
  }
}

/** By slot. */
export const contexts = new Remembered(() => new Context())

/** The items whose binary contents are included as Base64. */
export class Base64Choice {
  readonly ids = new SvelteSet<string>()

  choose(id: string, on: boolean): void {
    if (on) this.ids.add(id)
    else this.ids.delete(id)
  }
}
