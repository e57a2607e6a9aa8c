/**
 * Writes a live trace into the store, in batches: at most once in a while, in slices, and when the page is left. A crash
 * costs what came since the last batch.
 */
import { isObject, pacer } from '../mcp/index.ts'
import type { Frame, Json, Seq, Trace } from '../mcp/index.ts'
import type { Bookmark } from './file.ts'
import { isQuota, type SessionStore, type SessionProgress } from './store.ts'
import type { HeadDraft } from './write.ts'

/** ms between two batches. */
const EVERY = 1_000
/** Characters of one piece. */
const PIECE = 512 * 1024
/** UTF-8 bytes of a body; what is larger would block the page while it is written down, and stays in the live trace alone. */
const LARGEST_BODY = 4 * 1024 * 1024
const MOST_WORDS = 400
const LONGEST_WORD = 200
/** Above the numbers of all pieces that a batch under way may write. */
const LAST = 1_000_000
/** Characters written when the page is left, all at once. */
const LAST_WORDS = 8 * 1024 * 1024

export interface WriterOptions {
  readonly store: SessionStore
  readonly trace: Trace
  /** The head, as it stands when a batch is written. */
  readonly head: () => HeadDraft
  /** UTF-16 units that this session may have. */
  readonly budget: () => number
  /** A name for a session, unlike any other. */
  readonly newId: () => string
  /** Bookmarks that may not have been written yet: the last word of a page that is left. */
  readonly unwritten?: () => readonly Bookmark[] | undefined
  /** Asked for room when the browser has no more. @returns whether some was made, so that it is worth another try */
  readonly makeRoom?: () => Promise<boolean>
  /** Told of each batch, and of what goes wrong. */
  readonly told?: (event: WriterEvent) => void
  /** ms between two batches. Default 1000. */
  readonly every?: number
}

export type WriterEvent =
  | { readonly kind: 'begun' | 'written'; readonly id: string }
  /** The session alone fills the budget: nothing more of it is kept. */
  | { readonly kind: 'full'; readonly id: string }
  /** `quota`: the browser gives no more room, and none could be made. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly quota: boolean }

export class SessionWriter {
  readonly #options: WriterOptions
  readonly #unsubscribe: () => void
  readonly #words = new Set<string>()
  #id: string | undefined
  /** Its record is there. */
  #begun = false
  /** The next frame to write. */
  #next: Seq
  #size = 0
  #full = false
  #stopped = false
  /** What waits is written, and no other session is begun for it. */
  #stopping = false
  #left = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<void> = Promise.resolve()

  /** Frames that are in the trace already are written, too. */
  constructor(options: WriterOptions) {
    this.#options = options
    this.#next = 0
    this.#unsubscribe = options.trace.subscribe(() => this.#wake())
    if (options.trace.length > 0) this.#wake()
  }

  /** The session that is being written; absent before its first frame. */
  get id(): string | undefined {
    return this.#begun ? this.#id : undefined
  }

  /** Writes what waits now. Never throws: what goes wrong is told. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write()).catch((error: unknown) => this.#fail(error))
    await this.#writing
  }

  /** The page is left: what waits is written at once, without waiting for a batch under way. It may go on (bfcache). */
  leave(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { store, trace, unwritten, newId } = this.#options
    if (this.#stopped || this.#full || trace.length === 0) return
    this.#left = true
    // So soon that the first batch was not yet written.
    const id = (this.#id ??= newId())
    const beginning = this.#begun ? undefined : { begunAt: trace.begunAt, standing: this.#standing() }
    const { text, frames } = this.#batch(LAST_WORDS)
    const ended = store.end(id, LAST + this.#next, text, frames, { bookmarks: unwritten?.(), beginning })
    ended.catch((error: unknown) => this.#fail(error))
  }

  /** What was written stays; what comes is not written any more. */
  async stop(): Promise<void> {
    this.#unsubscribe()
    this.#stopping = true
    await this.flush()
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  #wake(): void {
    if (this.#stopped || this.#full) return
    this.#timer ??= setTimeout(() => void this.flush(), this.#options.every ?? EVERY)
  }

  async #write(): Promise<void> {
    const { store, trace, told } = this.#options
    if (this.#stopped || this.#full) return
    const pause = pacer()
    while (this.#next < trace.length || this.#left) {
      this.#left = false
      const id = (this.#id ??= this.#options.newId())
      if (!this.#begun) {
        this.#size = 0
        await this.#roomy(() => store.begin(id, trace.begunAt, this.#standing()))
        this.#begun = true
        told?.({ kind: 'begun', id })
      }
      const from = this.#next
      const batch = await this.#slices(pause)
      if (this.#size + batch.text.length > this.#options.budget()) {
        this.#full = true
        await this.#roomy(() => store.append(id, '', 0, { ...this.#standing(), cut: true, closed: true }))
        told?.({ kind: 'full', id })
        return
      }
      if (await this.#roomy(() => store.append(id, batch.text, batch.frames, this.#standing()))) {
        this.#size += batch.text.length
        told?.({ kind: 'written', id })
      } else {
        // Deleted by its user, here or in another tab: what was cleared stays so, and what comes next begins another.
        this.#id = undefined
        this.#begun = false
        this.#next = from
        if (this.#stopping) return
      }
    }
  }

  /** Writes, and where the browser has no more room tries again as often as some can be made. */
  async #roomy<Result>(write: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (!isQuota(error) || !(await this.#options.makeRoom?.())) throw error
      }
    }
  }

  /** The lines of the next frames, with pauses between. */
  async #slices(pause: () => Promise<void> | undefined): Promise<{ text: string; frames: number }> {
    let text = ''
    let frames = 0
    while (text.length < PIECE && this.#next < this.#options.trace.length) {
      text += this.#line(this.#next++)
      frames++
      await pause()
    }
    return { text, frames }
  }

  #batch(most: number): { readonly text: string; readonly frames: number } {
    let text = ''
    let frames = 0
    while (text.length < most && this.#next < this.#options.trace.length) {
      text += this.#line(this.#next++)
      frames++
    }
    this.#size += text.length
    return { text, frames }
  }

  #line(seq: Seq): string {
    const frame = this.#options.trace.at(seq)!
    this.#note(frame)
    return `${JSON.stringify(lightened(frame))}\n`
  }

  #note(frame: Frame): void {
    if (frame.kind !== 'message' || this.#words.size >= MOST_WORDS || !isObject(frame.message)) return
    const { method, params } = frame.message
    this.#word(method)
    if (isObject(params)) this.#word(typeof params.name === 'string' ? params.name : params.uri)
  }

  #word(word: Json | undefined): void {
    if (typeof word === 'string') this.#words.add(word.slice(0, LONGEST_WORD))
  }

  #standing(): SessionProgress {
    return { head: { ...this.#options.head(), omittedAbove: LARGEST_BODY }, words: [...this.#words] }
  }

  #fail(error: unknown): void {
    this.#stopped = true
    this.#unsubscribe()
    clearTimeout(this.#timer)
    this.#options.told?.({ kind: 'failed', error, quota: isQuota(error) })
  }
}

/** Without a body that is too large: its size stays, and what names it. */
const lightened = (frame: Frame): Frame => {
  switch (frame.kind) {
    case 'message': {
      if (frame.size <= LARGEST_BODY) return frame
      const { message, raw: _, ...head } = frame
      if (!isObject(message)) return { ...head, released: {} }
      const { id, method } = message as { readonly id?: string | number; readonly method?: string }
      return { ...head, released: { ...(id === undefined ? {} : { id }), ...(method === undefined ? {} : { method }) } }
    }
    case 'http': {
      if (!('body' in frame) || (frame.body?.length ?? 0) <= LARGEST_BODY) return frame
      const { body: _, ...head } = frame
      return head.phase === 'end' ? { ...head, cut: true } : head
    }
    case 'stream': {
      if (frame.event !== 'data' || (frame.data?.length ?? 0) <= LARGEST_BODY) return frame
      const { data: _, ...head } = frame
      return head
    }
    default:
      return frame
  }
}
