/* eslint-disable svelte/prefer-svelte-reactivity -- no Map here is read by the screen */
/** What each kind of stored data amounts to, and how it is deleted. */
import { keptFeatures } from '../../features/server-features/index.ts'
import { type NotKept, shelf } from '../../features/saved-calls/index.svelte.ts'
import type { TypedValues, Vault } from '../../oauth/index.ts'
import { loadMaskTyped, loadSessionReader, loadSessionStore, loadSessionWriter } from '../../session-file/lazy.ts'
import { loadOutgoing, loadRedaction } from '../../share/lazy.ts'
import { browserStorage, browserStorageKeys } from '../../ui/index.ts'
import { environments } from '../environments/index.svelte.ts'
import { redactedFile } from '../sessions/index.ts'
import type { Sessions } from '../sessions/index.svelte.ts'
import {
  changedTests,
  newRecordings,
  withFreeIds,
  type DataFile,
  type Known,
  type StoredRecording,
} from './data-file.ts'
import { amountsIn, KINDS, keysOf, STAYS, type Amount, type KindId } from './kinds.ts'
import { storeRecordings } from './recordings.ts'

const LOCAL = browserStorage('local')
const SESSION = browserStorage('session')
/** Characters that count as one MB. */
const MEGABYTE = 1_000_000

export interface DataHost {
  readonly sessions: Sessions
  readonly signIns: { load(): Promise<{ readonly vault: Vault; readonly values: TypedValues }> }
  readonly servers: { readonly recents: { load(): void }; clearTab(): void }
}

export interface Stored extends Amount {
  readonly id: KindId
}

export const storedAmounts = async ({ sessions }: DataHost): Promise<readonly Stored[]> => {
  const local = amountsIn('local', LOCAL, browserStorageKeys('local'))
  const tab = amountsIn('session', SESSION, browserStorageKeys('session'))
  const [history] = await Promise.all([keptFeatures.amount(), shelf.load(), sessions.refresh()])
  const list = sessions.list ?? []
  const databases = new Map<KindId, Amount>([
    ['recordings', { count: list.length, size: list.reduce((sum, { size }) => sum + size, 0) }],
    ['tests', { count: shelf.all.length, size: JSON.stringify(shelf.all).length }],
    ['history', history],
  ])
  return KINDS.map(({ id }) => {
    const { count, size } = databases.get(id) ?? tab.get(id) ?? local.get(id) ?? { count: 0, size: 0 }
    return { id, count, size: count === 0 ? 0 : size }
  })
}

/** Deletes all data of a kind. What the page holds in memory follows, except settings, which last until a reload. */
export const clearKind = async (id: KindId, { sessions, signIns, servers }: DataHost): Promise<void> => {
  if (id === 'recordings') await sessions.clear()
  if (id === 'tests') await shelf.clear()
  if (id === 'history') await keptFeatures.clear()
  if (id === 'credentials') {
    const { vault, values } = await signIns.load()
    vault.forgetAll()
    values.forgetAll()
  }
  // With their stored secrets. What is in memory must not be written again.
  if (id === 'environments') {
    const store = await environments.load()
    for (const { id: each } of store.all) store.remove(each)
  }
  if (id === 'tab') {
    servers.clearTab()
    for (const key of keysOf(id, browserStorageKeys('session'), 'session')) if (key !== STAYS) SESSION.removeItem(key)
  }
  for (const key of keysOf(id, browserStorageKeys('local'))) LOCAL.removeItem(key)
  if (id === 'servers') servers.recents.load()
}

/**
 * The chosen recordings as a file has them, redacted by the rules for sharing.
 * @param told which one is being read
 * @returns also how many can't be read, so that one that is damaged doesn't keep the others from the file
 * @throws {Error} none of them can be read
 */
export const recordingsFor = async (
  sessions: Pick<Sessions, 'read'>,
  ids: readonly string[],
  told: (number: number) => void,
): Promise<{ readonly recordings: readonly StoredRecording[]; readonly unreadable: number }> => {
  if (ids.length === 0) return { recordings: [], unreadable: 0 }
  // Code that doesn't load isn't a fault of the recordings.
  await Promise.all([loadSessionReader(), loadMaskTyped(), loadRedaction(), loadOutgoing(), loadSessionWriter()])
  const recordings: StoredRecording[] = []
  let fault: unknown
  for (const [at, id] of ids.entries()) {
    told(at + 1)
    try {
      recordings.push({ id, text: (await redactedFile(sessions, id)).pieces.join('') })
    } catch (error) {
      fault = error
    }
  }
  // The browser refuses, or something else keeps all of them from being read.
  if (recordings.length === 0) throw fault
  return { recordings, unreadable: ids.length - recordings.length }
}

/** @param values those that are remembered */
export const knownTo = ({ sessions }: DataHost, values: Known['values']): Known => ({
  values,
  tests: shelf.all,
  recordings: (sessions.list ?? []).map(({ id }) => id),
})

/** What an import couldn't store. */
export interface NotImported {
  /** Recordings that aren't valid. */
  readonly unreadable: number
  /** Recordings beyond the limit of all of them. */
  readonly left: number
  /** Why a test isn't stored. */
  readonly tests?: NotKept['code'] | undefined
}

/** Stores the tests of a file. @returns why one of them isn't stored */
export const importTests = async (file: DataFile, known: Known): Promise<NotKept['code'] | undefined> => {
  for (const test of changedTests(file, known)) if (!(await shelf.put(test))) return shelf.fault?.code ?? 'refused'
  return undefined
}

/** Stores the recordings of a file. @throws {Error} the browser refuses */
export const importRecordings = async (
  { sessions }: DataHost,
  file: DataFile,
  known: Known,
): Promise<Pick<NotImported, 'unreadable' | 'left'>> => {
  const used = (sessions.list ?? []).reduce((sum, { size }) => sum + size, 0)
  const { SessionStore } = await loadSessionStore()
  const store = await SessionStore.open()
  try {
    const recordings = withFreeIds(newRecordings(file, known), (id) => sessions.isLiving(id))
    return await storeRecordings(store, recordings, sessions.settings.megabytes * MEGABYTE - used)
  } finally {
    store.close()
    await sessions.refresh()
  }
}
