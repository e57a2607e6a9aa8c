/**
 * The user's work in progress with resources: filters, collapsed folders, template values, reads that can still be
 * cancelled. It survives switching panels and reconnecting, until the page closes. Contents are in the Trace.
 */
import { SvelteSet } from 'svelte/reactivity'
import type { Call } from '../../mcp/index.ts'
import { masksIn } from '../../secrets/index.ts'
import { CallRun, metaFor } from '../calls/index.svelte.ts'
import type { ServerView } from '../feature.ts'
import { Remembered } from '../remembered.ts'
import { rereadOnUpdate } from './reads.ts'
import { updatesFold } from './subscriptions.ts'
import type { Layout } from './tree.ts'

export type ReadView = 'contents' | 'raw'

/** One URI of one connection. */
export class ReadRun extends CallRun {
  #end = $state.raw<() => void>()

  /** @returns the pending read, if any */
  start({ session, link }: ServerView, uri: string): Call | undefined {
    // One read at a time: a second caller gets the result of the pending one.
    if (this.call || !session) return this.call
    // From the trace: the server would take the mask for the value.
    if (masksIn(uri).length > 0) return undefined
    const meta = metaFor(link, 'resources/read')
    return this.begin(() => session.call('resources/read', { uri, ...(meta ? { _meta: meta } : {}) }))
  }

  /** Whether updates trigger another read. */
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
  /** Values as typed, by variable. */
  values = $state.raw<Readonly<Record<string, string>>>({})
  /** Variables whose commas separate list items because the user chose so. */
  readonly lists = new SvelteSet<string>()
  /** The URI written by the user, if the template can't be expanded. */
  own = $state('')
  /** The last URI that was read, as it was sent, and its call. */
  read = $state<string>()
  call = $state.raw<Call>()

  enter(name: string, value: string): void {
    this.values = { ...this.values, [name]: value }
  }

  clear(): void {
    this.values = {}
    this.lists.clear()
    this.own = ''
  }
}

/** State shared by all resources of one connection. */
class PanelState {
  filter = $state('')
  layout = $state<Layout>('tree')
  /** Folders and sections that the user expanded or collapsed against the default. */
  readonly flipped = new SvelteSet<string>()
  /** Ids of the chips that filter the list. */
  readonly chips = new SvelteSet<string>()
  chipsOpen = $state(false)
  /** Resources have checkboxes. */
  selecting = $state(false)
  /** Key of the last selected item, restored when the user returns to the tab. */
  picked = $state('')
  uri = $state('')
  view = $state<ReadView>('contents')
}

export const readRuns = new Remembered(() => new ReadRun())
export const drafts = new Remembered(() => new TemplateDraft())
export const panels = new Remembered(() => new PanelState())
