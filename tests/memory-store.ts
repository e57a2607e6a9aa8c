import type { Store } from '../web/ui/index.ts'

/** Storage of a browser, in memory. */
export const memoryStore = (): Store & { readonly all: Map<string, string> } => {
  const all = new Map<string, string>()
  return {
    all,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
  }
}
