/* eslint-disable svelte/prefer-svelte-reactivity -- no Map, Set, Date or URL here is read by the screen as it changes */
/** The sessions stored on this device: the current one as it continues, and earlier ones. */
import { browserStorage } from '../../ui/index.ts'
import { loadSessionReader, loadMaskTyped, loadStoreWriter, loadSessionStore } from '../../session-file/lazy.ts'
import { messageOf, type Seq, type Trace } from '../../mcp/index.ts'
import type {
  Bookmark,
  OpenedSession,
  KeptPatch,
  KeptSession,
  SessionStore,
  SessionWriter,
  WriterEvent,
  HeadDraft,
} from '../../session-file/index.ts'
import { nameOf } from './session-name.ts'
import { loadKeepSettings, saveKeepSettings, someKept, tellKept, type KeepSettings } from './keep-settings.ts'

const LOCAL = browserStorage('local')
/** Characters that count as one MB, in UTF-16 units. */
const MEGABYTE = 1_000_000
/** ms between two checks of the remaining space. */
const TRIM_EVERY = 20_000

interface Bench {
  readonly trace: Trace
  readonly head: HeadDraft
}

/**
 * `unavailable`: storage is missing, as in private windows. `full`: the current session alone fills the limit.
 * `no-room`: the browser grants this origin no more space, and no older session is left to delete.
 */
export type Keeping = 'waiting' | 'on' | 'off' | 'full' | 'no-room' | 'unavailable'

/** The parts of the window that the list of stored sessions needs. */
export interface SessionHost {
  readonly sessions: Sessions
  readonly recordings: { openKept(id: string): Promise<void> }
  report(error: unknown): void
}

export class Sessions {
  readonly #bench: Bench
  #settings = $state.raw(loadKeepSettings(LOCAL))
  #keeping = $state.raw<Keeping>('waiting')
  #why = $state<string>()
  #list = $state.raw<readonly KeptSession[]>()
  #living = $state.raw<ReadonlySet<string>>(new Set())
  #bookmarks = $state.raw<readonly Bookmark[]>([])
  /** The bookmarks aren't stored yet. */
  #unwritten = false
  #present = $state<string>()
  #store: Promise<SessionStore> | undefined
  #writer: SessionWriter | undefined
  #trimmed = 0
  #trimmedForRoom = $state(0)
  #beginning = false
  readonly #own: string[] = []

  constructor(bench: Bench) {
    this.#bench = bench
    if (!this.#settings.on) this.#keeping = 'off'
  }

  get settings(): KeepSettings {
    return this.#settings
  }

  /** Older sessions that were deleted because the browser had no more space. */
  get trimmedForRoom(): number {
    return this.#trimmedForRoom
  }

  get keeping(): Keeping {
    return this.#keeping
  }

  /** Why nothing can be stored, in the browser's own words. */
  get why(): string | undefined {
    return this.#why
  }

  /** Latest first; absent until loaded. */
  get list(): readonly KeptSession[] | undefined {
    return this.#list
  }

  /** The session of this page. */
  get present(): string | undefined {
    return this.#present
  }

  /** Whether there may be stored sessions, without loading the store. */
  get some(): boolean {
    return this.#list ? this.#list.length > 0 : someKept(LOCAL)
  }

  /** Whether its page is still open, here or in another tab. */
  isLiving(id: string): boolean {
    return this.#living.has(id)
  }

  /** The bookmarks of the current session. */
  get bookmarks(): readonly Bookmark[] {
    return this.#bookmarks
  }

  /** Adds a bookmark or changes its text; `undefined` removes it. */
  bookmark(seq: Seq, text: string | undefined): void {
    this.#bookmarks = withBookmark(this.#bookmarks, seq, text)
    this.#unwritten = true
    void this.#writeBookmarks()
  }

  /** Follows the trace from its first frame. Call this once per page. */
  start(): void {
    this.#bench.trace.subscribe(() => {
      if (this.#keeping === 'waiting' && !this.#beginning) void this.#write()
    })
    // A page that unloads is hidden right afterwards. A batch started then would abort the
    // final write and never finish.
    let gone = false
    addEventListener('pagehide', () => {
      gone = true
      this.#writer?.leave()
    })
    addEventListener('pageshow', () => (gone = false))
    document.addEventListener('visibilitychange', () => {
      if (document.hidden && !gone) void this.#writer?.flush()
    })
  }

  /** Reloads the list. Never throws. */
  async refresh(): Promise<void> {
    await this.#with(async (store) => {
      const [list, held] = await Promise.all([store.list(), living(this.#own)])
      this.#list = list
      this.#living = held
      tellKept(LOCAL, list.length > 0)
    })
  }

  /** @throws {Error} it no longer exists, or can't be read */
  async read(id: string, signal?: AbortSignal): Promise<{ readonly opened: OpenedSession; readonly name: string }> {
    if (id === this.#present) await this.#writer?.flush()
    const store = await this.#open()
    const [{ readSession }, { withoutTyped }, kept, held] = await Promise.all([
      loadSessionReader(),
      loadMaskTyped(),
      store.get(id),
      living(this.#own),
    ])
    const opened = await withoutTyped(await readSession(store.read(id), signal ? { signal } : {}))
    return { opened: held.has(id) ? unfinished(opened) : opened, name: kept ? nameOf(kept) : id }
  }

  async change(id: string, patch: KeptPatch): Promise<void> {
    await this.#with((store) => store.change(id, patch))
    if (this.#list) await this.refresh()
  }

  async delete(id: string): Promise<void> {
    await this.#with((store) => store.delete([id]))
    this.#resume()
    await this.refresh()
  }

  async clear(): Promise<void> {
    await this.#with((store) => store.clear())
    this.#resume()
    await this.refresh()
  }

  /** There is space again: stores the current session from its start. */
  #resume(): void {
    if (this.#keeping !== 'no-room') return
    this.#keeping = 'waiting'
    void this.#write()
  }

  settle(patch: Partial<KeepSettings>): void {
    const before = this.#settings
    this.#settings = { ...before, ...patch }
    saveKeepSettings(LOCAL, this.#settings)
    if (before.on && !this.#settings.on) void this.#stop()
    else if (!before.on && this.#settings.on) {
      this.#keeping = 'waiting'
      if (this.#bench.trace.length > 0) void this.#write()
    } else void this.#trim()
  }

  async #writeBookmarks(): Promise<void> {
    // Bookmarks wait until there is a session.
    if (this.#present === undefined || !this.#unwritten) return
    const bookmarks = this.#bookmarks
    await this.change(this.#present, { bookmarks })
    if (bookmarks === this.#bookmarks) this.#unwritten = false
  }

  async #stop(): Promise<void> {
    this.#keeping = 'off'
    await this.#writer?.stop()
    this.#writer = undefined
    await this.refresh()
  }

  async #write(): Promise<void> {
    this.#beginning = true
    await this.#with(async (store) => {
      const { SessionWriter: Writer } = await loadStoreWriter()
      if (this.#writer || !this.#settings.on) return
      // The new session includes what this page stored before, so delete that.
      if (this.#present !== undefined) await store.delete([this.#present])
      this.#keeping = 'on'
      this.#writer = new Writer({
        store,
        trace: this.#bench.trace,
        head: () => this.#bench.head,
        budget: () => this.#settings.megabytes * MEGABYTE,
        unwritten: () => (this.#unwritten ? this.#bookmarks : undefined),
        makeRoom: () => this.#makeRoom(store),
        told: (event) => this.#follow(event),
      })
    })
    this.#beginning = false
  }

  #follow(event: WriterEvent): void {
    switch (event.kind) {
      case 'begun':
        this.#present = event.id
        this.#own.push(event.id)
        holdLock(event.id)
        tellKept(LOCAL, true)
        void this.#writeBookmarks()
        void this.#trim()
        break
      case 'written':
        if (performance.now() - this.#trimmed > TRIM_EVERY) void this.#trim()
        break
      case 'full':
        this.#keeping = 'full'
        break
      case 'failed':
        this.#fail(event.error, event.quota)
    }
  }

  async #makeRoom(store: SessionStore): Promise<boolean> {
    const gone = await store.dropOldest(await living(this.#own))
    if (gone === undefined) return false
    this.#trimmedForRoom++
    if (this.#list) await this.refresh()
    return true
  }

  async #trim(): Promise<void> {
    this.#trimmed = performance.now()
    await this.#with(async (store) => {
      const { megabytes, days } = this.#settings
      const gone = await store.trim(megabytes * MEGABYTE, days, await living(this.#own))
      if (gone.length > 0 && this.#list) await this.refresh()
    })
  }

  async #open(): Promise<SessionStore> {
    this.#store ??= loadSessionStore().then(({ SessionStore: Store }) =>
      Store.open({ lost: () => (this.#store = undefined) }),
    )
    return await this.#store
  }

  async #with(work: (store: SessionStore) => Promise<unknown>): Promise<void> {
    try {
      await work(await this.#open())
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Stops storing; everything else works without it. */
  #fail(error: unknown, quota = false): void {
    this.#writer = undefined
    if (quota) {
      // Stored sessions can still be read and deleted.
      this.#keeping = 'no-room'
      return
    }
    this.#store = undefined
    this.#why = reasonOf(error)
    this.#keeping = 'unavailable'
    this.#list ??= []
  }
}

/** A session that is still being recorded has no end yet, which doesn't count as damage. */
const unfinished = (opened: OpenedSession): OpenedSession => {
  const damage = opened.damage.filter(({ code }) => code !== 'truncated')
  return { ...opened, damage, damaged: opened.damaged - (opened.damage.length - damage.length) }
}

/** The bookmarks with one of this text, in the order of their frames; `undefined` removes it. */
export const withBookmark = (bookmarks: readonly Bookmark[], seq: Seq, text: string | undefined): Bookmark[] => {
  const others = bookmarks.filter((bookmark) => bookmark.seq !== seq)
  return text === undefined ? others : [...others, { seq, text }].sort((one, other) => one.seq - other.seq)
}

/** Browsers leave the message of some errors empty. */
const reasonOf = (error: unknown): string =>
  messageOf(error).trim() || (error instanceof Error || error instanceof DOMException ? error.name : 'unknown error')

/**
 * Determines which sessions belong to an open page: each page holds a lock named after its session, which the browser
 * releases even if the page crashes.
 */
const LOCK = 'periscope-session-'

/** Without locks, as outside secure contexts, only this page's own sessions are known to be open. */
const locks = (): LockManager | undefined => (globalThis.navigator as Partial<Navigator> | undefined)?.locks

const holdLock = (id: string): void => {
  // Held until the page is closed: the promise never settles.
  void locks()
    ?.request(LOCK + id, () => new Promise<void>(() => {}))
    .catch(() => {})
}

/** Sessions whose page is open. @param own sessions of this page */
const living = async (own: Iterable<string>): Promise<ReadonlySet<string>> => {
  const names = new Set(own)
  try {
    const { held = [] } = (await locks()?.query()) ?? {}
    for (const { name } of held) if (name?.startsWith(LOCK)) names.add(name.slice(LOCK.length))
  } catch {
    // Access was denied, so the others are unknown.
  }
  return names
}
