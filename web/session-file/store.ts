/**
 * Sessions kept on this device: IndexedDB, one record for each session and its frames as the lines of a session file, in
 * pieces as they were written. What is kept can be seen, and deleted; no session of a page that lives is ever taken for room.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { openDatabase } from '../ui/index.ts'
import { isObject } from '../mcp/index.ts'
import { headFrom } from './head.ts'
import type { Bookmark, SessionEnd, SessionHead } from './file.ts'
import { headOf, type HeadDraft } from './write.ts'

const DATABASE = 'periscope-sessions'
/** Raised when a page of the version before could not read the records any more. */
const SCHEMA = 1

/** A session as it stands in a list. Times are in ms since the epoch. */
export interface KeptSession {
  readonly id: string
  readonly begunAt: number
  /** When something of it was written last. */
  readonly savedAt: number
  readonly frames: number
  /** UTF-16 units of all its text: what counts towards the budget. */
  readonly size: number
  /** Without `begunAt`, which stands above. */
  readonly head: SessionHead
  /** Names to search by: methods, tools, resources. Bounded. */
  readonly words: readonly string[]
  /** Its page was left as pages are. Without it the page crashed, or lives. */
  readonly closed?: true
  /** When its bookmarks were changed last, by whoever had it open. */
  readonly notedAt?: number
  /** It outgrew the budget, and its end was not kept. */
  readonly cut?: true
}

/** What a user may change. `undefined` takes it away. */
export interface KeptPatch {
  readonly name?: string | undefined
  readonly notes?: string | undefined
  readonly bookmarks?: readonly Bookmark[] | undefined
}

interface Piece {
  readonly session: string
  readonly number: number
  readonly frames: number
  /** Whole lines, each closed by its end. */
  readonly text: string
}

/** The last words of a page that was left: written without reading anything first, for there is no time for an answer. */
interface Ending {
  readonly session: string
  readonly frames: number
  readonly size: number
  readonly savedAt: number
  /** Those of its head, where its page was left while they were being written. */
  readonly bookmarks?: readonly Bookmark[]
}

interface Schema extends DBSchema {
  sessions: { key: string; value: KeptSession }
  pieces: { key: [string, number]; value: Piece }
  endings: { key: string; value: Ending }
}

/** What is written with each piece, as it stands by then. */
export interface SessionProgress {
  readonly head: HeadDraft
  readonly words: readonly string[]
  readonly closed?: true
  readonly cut?: true
}

interface LastWords {
  /** Where a change of them may not have been written yet. */
  readonly bookmarks?: readonly Bookmark[] | undefined
  /** Where there is no record of the session yet. `begunAt` is in ms since the epoch. */
  readonly beginning?: { readonly begunAt: number; readonly standing: SessionProgress } | undefined
}

export interface StoreOptions {
  readonly name?: string
  /** ms since the epoch. Default: the clock. */
  readonly now?: () => number
  /** Called when another tab wants to change the database, or it was taken from us: nothing can be done with it any more. */
  readonly lost?: () => void
}

/** The browser gives this origin no more room. Some say it in a message only, or name the wrapped error. */
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

  /** @throws {Error} there is no IndexedDB here, or it is refused */
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
   * @throws {Error} it is not there, or was deleted while it was read
   */
  async *read(id: string): AsyncGenerator<string, void> {
    const kept = await this.get(id)
    if (!kept) throw new Error('This session is no longer stored')
    yield `${JSON.stringify(kept.head)}\n`
    let frames = 0
    // A transaction of its own for each piece: who reads may take long, and a transaction waits for nobody.
    for (let number = 0; frames < kept.frames; number++) {
      const rest = IDBKeyRange.bound([id, number], [id, Infinity])
      const [piece] = await this.#base.getAll('pieces', rest, 1)
      if (!piece) break
      number = piece.number
      frames += piece.frames
      yield piece.text
    }
    const end: SessionEnd = { kind: 'end', frames }
    // A page that crashed wrote no end: whoever opens the file is told.
    if (kept.closed) yield `${JSON.stringify(end)}\n`
  }

  /**
   * Begins a session.
   * @param begunAt ms since the epoch
   */
  async begin(id: string, begunAt: number, standing: SessionProgress): Promise<void> {
    const work = this.#base.transaction('sessions', 'readwrite')
    const record = recordOf(id, begunAt, standing, { frames: 0, size: 0, savedAt: this.#now() })
    await finished([work.store.put(record)], work.done)
  }

  /**
   * Adds whole lines to a session, and says how it stands.
   * @returns false where the session is not there any more: it was deleted, here or in another tab
   */
  async append(id: string, text: string, frames: number, standing: SessionProgress): Promise<boolean> {
    const work = this.#base.transaction(['sessions', 'pieces', 'endings'], 'readwrite', { durability: 'relaxed' })
    const sessions = work.objectStore('sessions')
    const pieces = work.objectStore('pieces')
    const endings = work.objectStore('endings')
    const [found, ending] = await Promise.all([sessions.get(id), endings.get(id)])
    if (!found) {
      await work.done
      return false
    }
    // It was left, and is back again.
    const before = withEnding(found, ending)
    const last = await pieces.openKeyCursor(piecesOf(id), 'prev')
    const number = last ? last.key[1] + 1 : 0
    const after = recordOf(id, before.begunAt, withNotesOf(standing, before.head), {
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
   * The page is left: adds the last lines, and says that it was closed. Begun before it returns, for a page that goes hears
   * no answer.
   * @param at a number above all pieces that are there
   */
  async end(id: string, at: number, text: string, frames: number, more: LastWords = {}): Promise<void> {
    const { bookmarks, beginning } = more
    const stores = ['pieces', 'endings'] as const
    // What else waits for `sessions` comes to no end any more.
    const work = this.#base.transaction(beginning ? [...stores, 'sessions'] : stores, 'readwrite', {
      durability: 'relaxed',
    })
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
      const { begunAt, standing } = beginning
      const none = { frames: 0, size: 0, savedAt: ending.savedAt }
      writes.push(work.objectStore('sessions').put(recordOf(id, begunAt, standing, none)))
    }
    work.commit()
    await finished(writes, work.done)
  }

  /** @returns whether it is there */
  async change(id: string, patch: KeptPatch): Promise<boolean> {
    // Of `sessions` alone: the last words of a page do not wait for it.
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

  /** All of it, also what a later version wrote. */
  async clear(): Promise<void> {
    const stores = ['sessions', 'pieces', 'endings'] as const
    const work = this.#base.transaction(stores, 'readwrite')
    await Promise.all([...stores.map((name) => work.objectStore(name).clear()), work.done])
  }

  /**
   * Makes room where the browser has none: the oldest session goes, whatever the budget says.
   * @param living sessions whose pages live: they stay
   * @returns its id; `undefined`: there is none that may go
   */
  async dropOldest(living: ReadonlySet<string>): Promise<string | undefined> {
    const oldest = (await this.list()).toReversed().find(({ id }) => !living.has(id))
    if (oldest) await this.delete([oldest.id])
    return oldest?.id
  }

  /**
   * Makes room: sessions that are older than `days` go, and then the oldest until all fit into the budget.
   * @param budget UTF-16 units of all sessions together
   * @param living sessions whose pages live: they stay
   * @returns the ids of those that went
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
    // Written by a page that was left just after its session was deleted in another.
    const [known, ended] = await Promise.all([this.#base.getAllKeys('sessions'), this.#base.getAllKeys('endings')])
    const strays = ended.filter((id) => !known.includes(id))
    if (gone.length + strays.length > 0) await this.delete([...gone, ...strays])
    return gone
  }
}

/** Of a transaction that found no room, the writes say only that it was aborted: the reason is its own. */
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

/** What its user wrote stays, whoever writes frames: the list may be open in another tab. */
const withNotesOf = (standing: SessionProgress, { name, notes, bookmarks }: SessionHead): SessionProgress => ({
  ...standing,
  head: {
    ...standing.head,
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
