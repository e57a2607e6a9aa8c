/**
 * Sessions stored on this device: IndexedDB, with one record per session, and its frames as the lines of a session
 * file, in pieces as they were written. Users can see and delete what is stored; sessions of open pages are never
 * deleted to free space.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { openDatabase } from '../ui/index.ts'
import { isObject } from '../mcp/index.ts'
import { headFrom } from './head.ts'
import type { Bookmark, SessionEnd, SessionHead } from './file.ts'
import { headOf, type HeadDraft } from './write.ts'

const DATABASE = 'periscope-sessions'
/** Increased when pages of the previous version can no longer read the records. */
const SCHEMA = 1

/** A session as listed. Times are in ms since the epoch. */
export interface KeptSession {
  readonly id: string
  readonly begunAt: number
  /** When it was last written. */
  readonly savedAt: number
  readonly frames: number
  /** UTF-16 units of all its text, which count towards the limit. */
  readonly size: number
  /** Without `begunAt`, which is above. */
  readonly head: SessionHead
  /** Names for the search: methods, tools, resources. Limited. */
  readonly words: readonly string[]
  /** Its page was closed normally. Otherwise the page crashed, or is still open. */
  readonly closed?: true
  /** When its bookmarks last changed, in any page that had it open. */
  readonly notedAt?: number
  /** It exceeded the limit, and its end wasn't stored. */
  readonly cut?: true
}

/** What a user may change. `undefined` removes it. */
export interface KeptPatch {
  readonly name?: string | undefined
  readonly notes?: string | undefined
  readonly bookmarks?: readonly Bookmark[] | undefined
}

interface Piece {
  readonly session: string
  readonly number: number
  readonly frames: number
  /** Complete lines, each with its line end. */
  readonly text: string
}

/** The final write of a page being left: it reads nothing first, because there is no time to wait for a result. */
interface Ending {
  readonly session: string
  readonly frames: number
  readonly size: number
  readonly savedAt: number
  /** Those of its head, if the page was left while they were being written. */
  readonly bookmarks?: readonly Bookmark[]
}

interface Schema extends DBSchema {
  sessions: { key: string; value: KeptSession }
  pieces: { key: [string, number]; value: Piece }
  endings: { key: string; value: Ending }
}

/** The current state, written with each piece. */
export interface SessionProgress {
  readonly head: HeadDraft
  readonly words: readonly string[]
  readonly closed?: true
  readonly cut?: true
}

interface LastWords {
  /** If a change of them may not have been written yet. */
  readonly bookmarks?: readonly Bookmark[] | undefined
  /** If the session has no record yet. `begunAt` is in ms since the epoch. */
  readonly beginning?: { readonly begunAt: number; readonly progress: SessionProgress } | undefined
}

export interface StoreOptions {
  readonly name?: string
  /** ms since the epoch. Default: the clock. */
  readonly now?: () => number
  /**
   * Called when another tab wants to upgrade the database, or the connection was lost: the store can't be used any
   * more.
   */
  readonly lost?: () => void
}

/** The browser has no more space for this origin. Some browsers say so only in the message, or in a wrapped error. */
export const isQuota = (error: unknown): boolean => {
  const { name = '', message = '' } = (error ?? {}) as Partial<Error>
  return (
    name === 'QuotaExceededError' ||
    name === 'NS_ERROR_DOM_QUOTA_REACHED' ||
    /quota|disk is full|full disk/i.test(message)
  )
}

const piecesOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id, 0], [id, Infinity])

export class SessionStore {
  readonly #base: IDBPDatabase<Schema>
  readonly #now: () => number

  private constructor(base: IDBPDatabase<Schema>, now: () => number) {
    this.#base = base
    this.#now = now
  }

  /** @throws {Error} IndexedDB is missing or refused */
  static async open({ name = DATABASE, now = Date.now, lost }: StoreOptions = {}): Promise<SessionStore> {
    if (typeof indexedDB === 'undefined') throw new Error("IndexedDB isn't available")
    const create = (made: IDBPDatabase<Schema>) => {
      made.createObjectStore('sessions', { keyPath: 'id' })
      made.createObjectStore('pieces', { keyPath: ['session', 'number'] })
      made.createObjectStore('endings', { keyPath: 'session' })
    }
    return new SessionStore(await openDatabase<Schema>(name, SCHEMA, create, lost), now)
  }

  close(): void {
    this.#base.close()
  }

  /** The latest first. */
  async list(): Promise<KeptSession[]> {
    const work = this.#base.transaction(['sessions', 'endings'])
    const [all, endings] = await Promise.all([
      work.objectStore('sessions').getAll(),
      work.objectStore('endings').getAll(),
    ])
    const ended = new Map(endings.map((ending) => [ending.session, ending]))
    return all
      .filter(isKept)
      .map((kept) => withEnding(kept, ended.get(kept.id)))
      .sort((one, other) => other.savedAt - one.savedAt || other.begunAt - one.begunAt)
  }

  async get(id: string): Promise<KeptSession | undefined> {
    const work = this.#base.transaction(['sessions', 'endings'])
    const [found, ending] = await Promise.all([
      work.objectStore('sessions').get(id),
      work.objectStore('endings').get(id),
    ])
    return found && isKept(found) ? withEnding(found, ending) : undefined
  }

  /**
   * The text of its file, in pieces.
   * @throws {Error} it doesn't exist, or was deleted while being read
   */
  async *read(id: string): AsyncGenerator<string, void> {
    const kept = await this.get(id)
    if (!kept) throw new Error('This session is no longer stored')
    yield `${JSON.stringify(kept.head)}\n`
    let frames = 0
    // Each piece has its own transaction: the reader may be slow, and a transaction doesn't wait.
    for (let number = 0; frames < kept.frames; number++) {
      const rest = IDBKeyRange.bound([id, number], [id, Infinity])
      const [piece] = await this.#base.getAll('pieces', rest, 1)
      if (!piece) break
      number = piece.number
      frames += piece.frames
      yield piece.text
    }
    const end: SessionEnd = { kind: 'end', frames }
    // A page that crashed wrote no end, so readers of the file see that it is incomplete.
    if (kept.closed) yield `${JSON.stringify(end)}\n`
  }

  /**
   * Begins a session.
   * @param begunAt ms since the epoch
   */
  async begin(id: string, begunAt: number, progress: SessionProgress): Promise<void> {
    const work = this.#base.transaction('sessions', 'readwrite')
    const record = recordOf(id, begunAt, progress, { frames: 0, size: 0, savedAt: this.#now() })
    await finished([work.store.put(record)], work.done)
  }

  /**
   * Appends complete lines to a session and updates its state.
   * @returns false if the session no longer exists: it was deleted, here or in another tab
   */
  async append(id: string, text: string, frames: number, progress: SessionProgress): Promise<boolean> {
    const work = this.#base.transaction(['sessions', 'pieces', 'endings'], 'readwrite', { durability: 'relaxed' })
    const sessions = work.objectStore('sessions')
    const pieces = work.objectStore('pieces')
    const endings = work.objectStore('endings')
    const [found, ending] = await Promise.all([sessions.get(id), endings.get(id)])
    if (!found) {
      await work.done
      return false
    }
    // The page was left, and has come back.
    const before = withEnding(found, ending)
    const last = await pieces.openKeyCursor(piecesOf(id), 'prev')
    const number = last ? last.key[1] + 1 : 0
    const after = recordOf(id, before.begunAt, withNotesOf(progress, before.head), {
      frames: before.frames + frames,
      size: before.size + text.length,
      savedAt: this.#now(),
    })
    const writes: Promise<unknown>[] = [sessions.put(after)]
    if (ending) writes.push(endings.delete(id))
    if (frames > 0) writes.push(pieces.put({ session: id, number, frames, text }))
    await finished(writes, work.done)
    return true
  }

  /**
   * The page is being left: adds the last lines, and marks the session as closed. Starts synchronously, because a
   * closing page receives no results.
   * @param at a number above those of all existing pieces
   */
  async end(id: string, at: number, text: string, frames: number, more: LastWords = {}): Promise<void> {
    const { bookmarks, beginning } = more
    const stores: ('pieces' | 'endings' | 'sessions')[] = ['pieces', 'endings']
    // Include `sessions` only if needed: earlier transactions on it may never finish now.
    if (beginning) stores.push('sessions')
    const work = this.#base.transaction(stores, 'readwrite', { durability: 'relaxed' })
    const ending: Ending = {
      session: id,
      frames,
      size: text.length,
      savedAt: this.#now(),
      ...(bookmarks ? { bookmarks } : {}),
    }
    const writes: Promise<unknown>[] = [work.objectStore('endings').put(ending)]
    if (frames > 0) writes.push(work.objectStore('pieces').put({ session: id, number: at, frames, text }))
    if (beginning) {
      const { begunAt, progress } = beginning
      const none = { frames: 0, size: 0, savedAt: ending.savedAt }
      writes.push(work.objectStore('sessions').put(recordOf(id, begunAt, progress, none)))
    }
    work.commit()
    await finished(writes, work.done)
  }

  /** @returns whether it exists */
  async change(id: string, patch: KeptPatch): Promise<boolean> {
    // Only on `sessions`, so that the final write of a page needn't wait for it.
    const work = this.#base.transaction('sessions', 'readwrite')
    const before = await work.store.get(id)
    if (before) {
      const head = { ...before.head, ...patch } as Record<string, unknown>
      for (const [key, value] of Object.entries(patch)) if (value === undefined) delete head[key]
      const noted = 'bookmarks' in patch ? { notedAt: this.#now() } : {}
      await work.store.put({ ...before, ...noted, head: head as unknown as SessionHead })
    }
    await work.done
    return before !== undefined
  }

  async delete(ids: Iterable<string>): Promise<void> {
    const work = this.#base.transaction(['sessions', 'pieces', 'endings'], 'readwrite')
    const writes: Promise<unknown>[] = []
    for (const id of ids) {
      writes.push(work.objectStore('sessions').delete(id), work.objectStore('pieces').delete(piecesOf(id)))
      writes.push(work.objectStore('endings').delete(id))
    }
    await finished(writes, work.done)
  }

  /** Everything, including what a later version wrote. */
  async clear(): Promise<void> {
    const stores = ['sessions', 'pieces', 'endings'] as const
    const work = this.#base.transaction(stores, 'readwrite')
    await Promise.all([...stores.map((name) => work.objectStore(name).clear()), work.done])
  }

  /**
   * Frees space when the browser has none: deletes the oldest session, whatever the limit is.
   * @param living sessions of open pages, which stay
   * @returns its ID; `undefined` if none may be deleted
   */
  async dropOldest(living: ReadonlySet<string>): Promise<string | undefined> {
    const oldest = (await this.list()).toReversed().find(({ id }) => !living.has(id))
    if (oldest) await this.delete([oldest.id])
    return oldest?.id
  }

  /**
   * Frees space: deletes sessions older than `days`, then the oldest until the rest fits into the limit.
   * @param budget UTF-16 units of all sessions together
   * @param living sessions of open pages, which stay
   * @returns the IDs of the deleted sessions
   */
  async trim(budget: number, days: number, living: ReadonlySet<string>): Promise<readonly string[]> {
    const all = await this.list()
    const oldest = this.#now() - days * 86_400_000
    let held = all.reduce((sum, { size }) => sum + size, 0)
    const gone: string[] = []
    for (const { id, size, savedAt } of all.toReversed()) {
      if (living.has(id) || (savedAt >= oldest && held <= budget)) continue
      gone.push(id)
      held -= size
    }
    // Written by a page that was left just after its session was deleted in another one.
    const [known, ended] = await Promise.all([this.#base.getAllKeys('sessions'), this.#base.getAllKeys('endings')])
    const strays = ended.filter((id) => !known.includes(id))
    if (gone.length + strays.length > 0) await this.delete([...gone, ...strays])
    return gone
  }
}

/**
 * In a transaction that ran out of space, the writes only say that it was aborted: the reason is on the transaction.
 */
const finished = async (writes: readonly Promise<unknown>[], done: Promise<unknown>): Promise<void> => {
  const results = await Promise.allSettled([...writes, done])
  const faults = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  if (faults.length > 0) throw faults.find(isQuota) ?? faults[0]
}

const withEnding = (kept: KeptSession, ending: Ending | undefined): KeptSession =>
  ending
    ? {
        ...kept,
        frames: kept.frames + ending.frames,
        size: kept.size + ending.size,
        savedAt: ending.savedAt,
        closed: true,
        ...(ending.bookmarks && !((kept.notedAt ?? 0) > ending.savedAt)
          ? { head: { ...kept.head, bookmarks: ending.bookmarks } }
          : {}),
      }
    : kept

const recordOf = (
  id: string,
  begunAt: number,
  { head, words, closed, cut }: SessionProgress,
  sizes: Pick<KeptSession, 'frames' | 'size' | 'savedAt'>,
): KeptSession => ({
  id,
  begunAt,
  ...sizes,
  head: headOf(head),
  words,
  ...(closed ? { closed } : {}),
  ...(cut ? { cut } : {}),
})

/**
 * The user's changes take precedence over those of the page that writes frames: the list may be open in another tab.
 */
const withNotesOf = (progress: SessionProgress, { name, notes, bookmarks }: SessionHead): SessionProgress => ({
  ...progress,
  head: {
    ...progress.head,
    ...(name === undefined ? {} : { name }),
    ...(notes === undefined ? {} : { notes }),
    ...(bookmarks === undefined ? {} : { bookmarks }),
  },
})

/** A record may have been written by another version of the page. */
const isKept = (value: KeptSession): boolean => {
  const { id, begunAt, savedAt, frames, size, head, words } = value as Partial<KeptSession>
  const numbers = [begunAt, savedAt, frames, size].every((number) => typeof number === 'number')
  if (typeof id !== 'string' || !numbers || !Array.isArray(words) || !isObject(head)) return false
  try {
    headFrom(head)
    return true
  } catch {
    return false
  }
}
