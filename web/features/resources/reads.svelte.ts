/**
 * The user's unfinished work with resources: filters, collapsed folders, template values, reads that can still be cancelled.
 * It survives panels and reconnects, and ends with the page. Contents are in the Trace.
 */
import { SvelteSet } from 'svelte/reactivity'
import type { Call } from '../../mcp/index.ts'
import { CallRun, metaFor } from '../calls/index.svelte.ts'
import type { ServerView } from '../feature.ts'
import { Remembered } from '../remembered.ts'
import { rereadOnUpdate } from './read-on-update.ts'
import type { Layout } from './tree.ts'
import { updatesFold } from './updates-fold.ts'

export type ReadView = 'contents' | 'raw'

/** One URI of one connection. */
export class ReadRun extends CallRun {
  #end = $state.raw<() => void>()

  /** @returns the read that is under way now, if there is one */
  start({ session, link }: ServerView, uri: string): Call | undefined {
    // One at a time: who asks again while it runs is served by what comes.
    if (this.call || !session) return this.call
    const meta = metaFor(link, 'resources/read')
    return this.begin(() => session.call('resources/read', { uri, ...(meta ? { _meta: meta } : {}) }))
  }

  /** Whether it is read again when it changes. */
  get follows(): boolean {
    return this.#end !== undefined
  }

  follow(server: ServerView, uri: string, on: boolean): void {
    this.#end?.()
    if (!on) {
      this.#end = undefined
      return
    }
    const { trace, link } = server
    const read = () => this.start(server, uri)?.result
    this.#end = rereadOnUpdate({ trace, link, uri, updates: server.state(updatesFold), read })
  }
}

/** One template of one connection. */
export class TemplateDraft {
  /** What was typed, by variable. */
  values = $state.raw<Readonly<Record<string, string>>>({})
  /** Variables whose commas make a list because the user says so. */
  readonly lists = new SvelteSet<string>()
  /** The URI as the user writes it, where the template cannot be expanded. */
  own = $state('')
  /** The URI that was read last. */
  read = $state<string>()

  enter(name: string, value: string): void {
    this.values = { ...this.values, [name]: value }
  }

  clear(): void {
    this.values = {}
    this.lists.clear()
    this.own = ''
  }
}

/** What belongs to all resources of one connection. */
export class PanelState {
  filter = $state('')
  layout = $state<Layout>('tree')
  /** Folders and sections that are not as they begin. */
  readonly flipped = new SvelteSet<string>()
  /** Key of the item picked last: it is there again when one comes back from another tab. */
  picked = $state('')
  uri = $state('')
  view = $state<ReadView>('contents')
}

export const readRuns = new Remembered(() => new ReadRun())
export const drafts = new Remembered(() => new TemplateDraft())
export const panels = new Remembered(() => new PanelState())
