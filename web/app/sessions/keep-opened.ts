/** Stores an opened recording on this device. Apart from `sessions.svelte.ts`, which is part of the first screen. */
import { loadMaskTyped, loadSessionStore, loadStoreWriter } from '../../session-file/lazy.ts'
import type { OpenedSession } from '../../session-file/index.ts'
import type { Sessions } from './sessions.svelte.ts'

/** @throws {Error} the browser can't store it, or has no room */
export const keepOpened = async (sessions: Pick<Sessions, 'refresh'>, opened: OpenedSession): Promise<void> => {
  const [{ SessionStore }, { addSession, newSessionId }, { withoutTyped }] = await Promise.all([
    loadSessionStore(),
    loadStoreWriter(),
    loadMaskTyped(),
  ])
  const store = await SessionStore.open()
  try {
    await addSession(store, newSessionId(), await withoutTyped(opened))
  } finally {
    store.close()
  }
  await sessions.refresh()
}
