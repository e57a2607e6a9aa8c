/** Reading several resources, a few at a time. */
import { SvelteMap } from 'svelte/reactivity'
import type { ServerView } from '../feature.ts'
import { Remembered } from '../remembered.ts'
import { readRuns } from './reads.svelte.ts'

/** Reads that are pending at once. */
const AT_ONCE = 4

/** `done`: the trace has the outcome. `unsent`: the request couldn't be sent. */
export type ReadState = 'queued' | 'reading' | 'done' | 'unsent'

class SeveralReads {
  /** By URI, for those of the last start. */
  readonly states = new SvelteMap<string, ReadState>()
  running = $state(false)
  #ended = { current: true }

  /** Resolves when all have ended. A read that fails doesn't end the others. */
  async start(server: ServerView, uris: Iterable<string>): Promise<void> {
    if (this.running) return
    const ended = (this.#ended = { current: false })
    const queue = [...uris]
    this.states.clear()
    for (const uri of queue) this.states.set(uri, 'queued')
    this.running = true
    const readNext = async (): Promise<void> => {
      for (let uri; !ended.current && (uri = queue.shift()) !== undefined;) {
        const call = readRuns.of(server.slot, uri).start(server, uri)
        this.states.set(uri, call ? 'reading' : 'unsent')
        // Its outcome is in the trace.
        await call?.result.catch(() => {})
        if (call) this.states.set(uri, 'done')
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, readNext))
    this.running = false
  }

  /** Cancels the pending reads, and drops those that haven't begun. */
  cancel({ slot }: Pick<ServerView, 'slot'>): void {
    this.#ended.current = true
    for (const [uri, state] of [...this.states]) {
      if (state === 'queued') this.states.delete(uri)
      else if (state === 'reading') readRuns.of(slot, uri).call?.cancel()
    }
  }
}

/** By slot. */
export const severalReads = new Remembered(() => new SeveralReads())
