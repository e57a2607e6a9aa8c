/**
 * Writes a live trace into the store, in batches: at intervals, in slices, and when the page is left. A crash loses
 * what arrived since the last batch.
 */
import { isObject, pacer, withoutBody } from '../mcp/index.ts'
import type { Frame, Json, Seq, Trace } from '../mcp/index.ts'
import type { Bookmark, OpenedSession } from './file.ts'
import { bodyOf } from './omit.ts'
import { isQuota, type SessionStore, type SessionProgress } from './store.ts'
import type { HeadDraft } from './write.ts'

/** ms between two batches. */
const EVERY = 1_000
/** Characters per piece. */
const PIECE = 512 * 1024
/** UTF-8 bytes of a body; serializing a larger one would block the page, so it stays in the live trace only. */
const LARGEST_BODY = 4 * 1024 * 1024
const MOST_WORDS = 400
const LONGEST_WORD = 200
/** Above all piece numbers that a running batch may use. */
const LAST = 1_000_000
/** Characters written at once when the page is left. */
const LAST_WORDS = 8 * 1024 * 1024

/** `randomUUID` is missing if the page is served over plain HTTP from another machine. */
export const newSessionId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export interface WriterOptions {
  readonly store: SessionStore
  readonly trace: Trace
  /** The current head when a batch is written. */
  readonly head: () => HeadDraft
  /** UTF-16 units that this session may use. */
  readonly budget: () => number
  /** A unique ID for a session. Default: a random one. */
  readonly newId?: () => string
  /** Bookmarks that may not have been written yet; written last when the page is left. */
  readonly unwritten?: () => readonly Bookmark[] | undefined
  /** Called when the browser has no more space. @returns whether some was freed, so that a retry makes sense */
  readonly makeRoom?: () => Promise<boolean>
  /** Called with each batch and each failure. */
  readonly told?: (event: WriterEvent) => void
  /** ms between two batches. Default 1000. */
  readonly every?: number
}

export type WriterEvent =
  | { readonly kind: 'begun' | 'written'; readonly id: string }
  /** The session alone fills the limit: nothing more of it is stored. */
  | { readonly kind: 'full'; readonly id: string }
  /** `quota`: the browser has no more space, and none could be freed. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly quota: boolean }

export class SessionWriter {
  readonly #options: WriterOptions
  readonly #unsubscribe: () => void
  readonly #words = new Set<string>()
  #id: string | undefined
  /** Its record exists. */
  #begun = false
  /** The next frame to write. */
  #next: Seq
  #size = 0
  #full = false
  #stopped = false
  /** Pending frames are still written, but they don't start another session. */
  #stopping = false
  #left = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<void> = Promise.resolve()

  /** Frames already in the trace are also written. */
  constructor(options: WriterOptions) {
    this.#options = options
    this.#next = 0
    this.#unsubscribe = options.trace.subscribe(() => this.#wake())
    if (options.trace.length > 0) this.#wake()
  }

  /** The session being written; absent before its first frame. */
  get id(): string | undefined {
    return this.#begun ? this.#id : undefined
  }

  /** Writes pending frames now. Never throws: failures are reported through `told`. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write()).catch((error: unknown) => this.#fail(error))
    await this.#writing
  }

  /**
   * The page is being left: writes pending frames at once, without waiting for a running batch. The page may continue
   * later (bfcache).
   */
  leave(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { store, trace, unwritten, newId = newSessionId } = this.#options
    if (this.#stopped || this.#full || trace.length === 0) return
    this.#left = true
    // Left before the first batch was written.
    const id = (this.#id ??= newId())
    const beginning = this.#begun ? undefined : { begunAt: trace.begunAt, progress: this.#progress() }
    const { text, frames } = this.#batch(LAST_WORDS)
    const ended = store.end(id, LAST + this.#next, text, frames, { bookmarks: unwritten?.(), beginning })
    ended.catch((error: unknown) => this.#fail(error))
  }

  /** What was written stays; later frames aren't written. */
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
      const id = (this.#id ??= (this.#options.newId ?? newSessionId)())
      if (!this.#begun) {
        this.#size = 0
        await this.#roomy(() => store.begin(id, trace.begunAt, this.#progress()))
        this.#begun = true
        told?.({ kind: 'begun', id })
      }
      const from = this.#next
      const batch = await this.#slices(pause)
      if (this.#size + batch.text.length > this.#options.budget()) {
        this.#full = true
        await this.#roomy(() => store.append(id, '', 0, { ...this.#progress(), cut: true, closed: true }))
        told?.({ kind: 'full', id })
        return
      }
      if (await this.#roomy(() => store.append(id, batch.text, batch.frames, this.#progress()))) {
        this.#size += batch.text.length
        told?.({ kind: 'written', id })
      } else {
        // Deleted by its user, here or in another tab: its frames stay deleted, and later ones start another session.
        this.#id = undefined
        this.#begun = false
        this.#next = from
        if (this.#stopping) return
      }
    }
  }

  /** Writes, and retries for as long as space can be freed. */
  async #roomy<Result>(write: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (!isQuota(error) || !(await this.#options.makeRoom?.())) throw error
      }
    }
  }

  /** The lines of the next frames, with pauses in between. */
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
    noteWords(this.#words, frame)
    return `${JSON.stringify(lightened(frame))}\n`
  }

  #progress(): SessionProgress {
    return { head: { ...this.#options.head(), omittedAbove: LARGEST_BODY }, words: [...this.#words] }
  }

  #fail(error: unknown): void {
    this.#stopped = true
    this.#unsubscribe()
    clearTimeout(this.#timer)
    this.#options.told?.({ kind: 'failed', error, quota: isQuota(error) })
  }
}

/** Adds what a stored session is searched by. */
const noteWords = (words: Set<string>, frame: Frame): void => {
  if (frame.kind !== 'message' || words.size >= MOST_WORDS || !isObject(frame.message)) return
  const { method, params } = frame.message
  const add = (word: Json | undefined) => {
    if (typeof word === 'string') words.add(word.slice(0, LONGEST_WORD))
  }
  add(method)
  if (isObject(params)) add(typeof params.name === 'string' ? params.name : params.uri)
}

/**
 * Stores a session that was read from a file.
 * @throws {Error} the browser refuses; nothing of it is stored then
 */
export const addSession = async (store: SessionStore, id: string, { head, frames }: OpenedSession): Promise<void> => {
  const words = new Set<string>()
  for (const frame of frames) noteWords(words, frame)
  const progress: SessionProgress = { head, words: [...words], closed: true }
  const pause = pacer()
  try {
    await store.begin(id, Date.parse(head.begunAt), progress)
    for (let next = 0; next < frames.length;) {
      let text = ''
      const from = next
      for (; text.length < PIECE && next < frames.length; next++) {
        text += `${JSON.stringify(lightened(frames[next]!))}\n`
        await pause()
      }
      await store.append(id, text, next - from, progress)
    }
  } catch (error) {
    await store.delete([id]).catch(() => {})
    throw error
  }
}

/** Drops a body that is too large; its size and identifying fields stay. */
const lightened = (frame: Frame): Frame => {
  const size = frame.kind === 'message' ? frame.size : bodyOf(frame)?.length
  return (size ?? 0) > LARGEST_BODY ? withoutBody(frame) : frame
}
