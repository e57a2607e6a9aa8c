/** Safe access to the browser's storage, which may be denied in embeddings, full, or missing in Node. */
import type { Store } from './remembered.ts'

/**
 * `local` is shared by all tabs, `session` belongs to this one. Never throws: values that can't be stored are kept
 * until the page is closed.
 */
export const browserStorage = (which: 'local' | 'session'): Store => {
  // If storage is blocked by a setting, even reading the property throws; in some browsers only its methods do.
  const ask = <Result>(act: (store: Storage) => Result): Result | undefined => {
    try {
      const found = (globalThis as unknown as Record<string, Storage | undefined>)[`${which}Storage`]
      return found && act(found)
    } catch {
      return undefined
    }
  }
  return {
    getItem: (key) => ask((store) => store.getItem(key)) ?? null,
    setItem: (key, value) => ask((store) => store.setItem(key, value)),
    removeItem: (key) => ask((store) => store.removeItem(key)),
  }
}

/** Names of all stored values. Never throws. */
export const browserStorageKeys = (which: 'local' | 'session'): string[] => {
  try {
    return Object.keys((globalThis as unknown as Record<string, object | undefined>)[`${which}Storage`] ?? {})
  } catch {
    return []
  }
}
