/** The browser's storage, made safe: it is refused in some embeddings, can be full, and is absent in Node. */
import type { Store } from './remembered.ts'

const NOTHING: Store = { getItem: () => null, setItem: () => {}, removeItem: () => {} }

/** `local` is shared by all tabs, `session` belongs to this one. Never throws. */
export const browserStorage = (which: 'local' | 'session'): Store => {
  const found = find(which)
  if (!found) return NOTHING
  return {
    getItem: (key) => found.getItem(key),
    setItem: (key, value) => {
      try {
        found.setItem(key, value)
      } catch {
        // Full: what would have been written lasts as long as the page.
      }
    },
    removeItem: (key) => found.removeItem(key),
  }
}

/** Names of all that is kept. Never throws. */
export const browserStorageKeys = (which: 'local' | 'session'): string[] => Object.keys(find(which) ?? {})

const find = (which: 'local' | 'session'): Store | undefined => {
  try {
    // Reading the property throws where storage is refused.
    return (globalThis as unknown as Record<string, Store | undefined>)[`${which}Storage`]
  } catch {
    return undefined
  }
}
