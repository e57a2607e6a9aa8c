/** The collections of saved calls, for the screen: shared by all servers and browser tabs. */
import { randomUuid } from '../../mcp/web-crypto.ts'
import type { Collection, Step } from '../../replay/index.ts'
import { CollectionStore, NotKept, type KeptCollection } from './collection-store.ts'

const CHANNEL = 'periscope.collections'

class Shelf {
  readonly #store = new CollectionStore()
  #all = $state.raw<readonly KeptCollection[]>([])
  #lasts = $state(true)
  #fault = $state.raw<NotKept>()
  #channel: BroadcastChannel | undefined

  get all(): readonly KeptCollection[] {
    return this.#all
  }
  /** Whether they outlive the page. */
  get lasts(): boolean {
    return this.#lasts
  }
  /** Why the last write failed. */
  get fault(): NotKept | undefined {
    return this.#fault
  }

  of(id: string): KeptCollection | undefined {
    return this.#all.find((one) => one.id === id)
  }

  /** Reads them, and then follows changes by other browser tabs. */
  async load(): Promise<void> {
    if (!this.#channel && typeof BroadcastChannel !== 'undefined') {
      try {
        this.#channel = new BroadcastChannel(CHANNEL)
        this.#channel.onmessage = () => void this.#read()
      } catch {
        // Not available in a frame with an opaque origin; there are no other tabs to follow then.
      }
    }
    await this.#read()
  }

  /** @returns its id; `undefined` if it could not be stored: `fault` says why */
  async add(collection: Collection): Promise<string | undefined> {
    const id = randomUuid()
    const kept = await this.#try(async () => {
      await this.#store.put({ ...collection, id, changed: Date.now() })
      return true
    })
    return kept ? id : undefined
  }

  async change(id: string, by: (collection: Collection) => Collection): Promise<boolean> {
    return await this.#try(async () => (await this.#store.change(id, by)) !== undefined)
  }

  /** Appends a call, with a new id if its own is already used. */
  async addStep(id: string, step: Step): Promise<boolean> {
    return await this.change(id, (known) => ({ ...known, steps: [...known.steps, step] }))
  }

  async remove(id: string): Promise<void> {
    await this.#try(async () => {
      await this.#store.remove(id)
      return true
    })
  }

  async #try(work: () => Promise<boolean>): Promise<boolean> {
    this.#fault = undefined
    try {
      const done = await work()
      this.#channel?.postMessage('changed')
      await this.#read()
      return done
    } catch (error) {
      this.#fault = error instanceof NotKept ? error : new NotKept('refused', String(error))
      return false
    }
  }

  async #read(): Promise<void> {
    this.#all = await this.#store.all()
    this.#lasts = await this.#store.lasts()
  }
}

export const shelf = new Shelf()
