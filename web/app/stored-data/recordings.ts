/** Recordings in the file with stored data. */
import type { OpenedSession, SessionStore } from '../../session-file/index.ts'
import { loadMaskTyped, loadSessionReader, loadStoreWriter } from '../../session-file/lazy.ts'
import type { StoredRecording } from './data-file.ts'

interface Listed {
  readonly id: string
  /** Characters. */
  readonly size: number
}

/** Those that fit into a file, in their order. @param most characters */
export const fitting = <Item extends Listed>(recordings: readonly Item[], most: number): readonly Item[] => {
  let left = most
  return recordings.filter(({ size }) => size <= left && (left -= size) >= 0)
}

/**
 * Reads each recording of a file as its own session file would be, and stores what is valid.
 * @param room characters that may be stored
 * @returns how many can't be read, and how many have no room
 * @throws {Error} the browser refuses
 */
export const storeRecordings = async (
  store: SessionStore,
  recordings: readonly StoredRecording[],
  room: number,
): Promise<{ readonly unreadable: number; readonly left: number }> => {
  const [{ readSession }, { withoutTyped }, { addSession }] = await Promise.all([
    loadSessionReader(),
    loadMaskTyped(),
    loadStoreWriter(),
  ])
  let unreadable = 0
  let left = 0
  for (const { id, text } of recordings) {
    if (text.length > room) {
      left++
      continue
    }
    let opened: OpenedSession
    try {
      opened = await withoutTyped(await readSession(text))
    } catch {
      unreadable++
      continue
    }
    await addSession(store, id, opened)
    room -= text.length
  }
  return { unreadable, left }
}
