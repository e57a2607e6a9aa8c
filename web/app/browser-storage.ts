/** The browser's storage, made safe: it is refused in some embeddings, can be full, and is absent in Node. */
import type { Store } from './remembered.ts'

/** `local` is shared by all tabs, `session` belongs to this one. Never throws: what is refused lasts as long as the page. */
export const browserStorage = (which: 'local' | 'session'): Store => {
  // Blocked by a setting, even reading the property throws; in some browsers only its methods do.
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

/** Names of all that is kept. Never throws. */
export const browserStorageKeys = (which: 'local' | 'session'): string[] => {
  try {
    return Object.keys((globalThis as unknown as Record<string, object | undefined>)[`${which}Storage`] ?? {})
  } catch {
    return []
  }
}
