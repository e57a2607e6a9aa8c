/* eslint-disable svelte/prefer-svelte-reactivity -- no Map here is read by the screen */
/** What each kind of stored data amounts to, and how it is deleted. */
import { keptFeatures } from '../../features/server-features/index.ts'
import { shelf } from '../../features/saved-calls/index.svelte.ts'
import type { TypedValues, Vault } from '../../oauth/index.ts'
import { browserStorage, browserStorageKeys } from '../../ui/index.ts'
import { environments } from '../environments/index.svelte.ts'
import type { Sessions } from '../sessions/index.svelte.ts'
import { amountsIn, KINDS, keysOf, type Amount, type KindId } from './kinds.ts'

const LOCAL = browserStorage('local')

export interface DataHost {
  readonly sessions: Sessions
  readonly signIns: { load(): Promise<{ readonly vault: Vault; readonly values: TypedValues }> }
  readonly servers: { readonly recents: { load(): void } }
}

export interface Stored extends Amount {
  readonly id: KindId
}

export const storedAmounts = async ({ sessions }: DataHost): Promise<readonly Stored[]> => {
  const local = amountsIn('local', LOCAL, browserStorageKeys('local'))
  const tab = amountsIn('session', browserStorage('session'), browserStorageKeys('session'))
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
  for (const key of keysOf(id, browserStorageKeys('local'))) LOCAL.removeItem(key)
  if (id === 'servers') servers.recents.load()
}
