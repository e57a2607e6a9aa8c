/** What the page asks of the browser: storage, the clipboard, downloads, chunks, and how it labels the Command key. */

export interface Store {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/**
 * `local` is shared by all tabs, `session` belongs to this one. Never throws: storage may be denied in embeddings, full,
 * or missing in Node. What it can't store is lost with the page.
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

/** A stored JSON value, which other code may have written; `undefined` if there is none. Never throws. */
export const storedJson = (store: Store, key: string): unknown => {
  try {
    return JSON.parse(store.getItem(key) ?? '') as unknown
  } catch {
    return undefined
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

/** Saves parts as a file: hands them to the browser's downloads. @param type of the file, as a media type */
export const download = (name: string, parts: readonly BlobPart[], type: string): void => {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  // The browser reads the URL after this task; a large download may take a while to begin.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/**
 * Copies text to the clipboard.
 *
 * `navigator.clipboard` exists only in secure contexts. A page served over plain HTTP from another machine has to use
 * the old API, which works only while a click or a key is being handled.
 * @returns whether the text is on the clipboard now
 */
export const copy = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByEvent(text)
  }
}

const copyByEvent = (text: string): boolean => {
  let taken = false
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    taken = true
  }
  document.addEventListener('copy', fill, { once: true, capture: true })
  try {
    return document.execCommand('copy') && taken
  } finally {
    document.removeEventListener('copy', fill, { capture: true })
  }
}

const MAC = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

/** The label of a shortcut with the Command key, or with Control on systems without Command. */
export const commandKey = (mark: string): string => (MAC ? `⌘${mark}` : `Ctrl ${mark}`)

/**
 * Loads a chunk once for all callers. A second `import()` doesn't wait for styles that the first is still loading, so
 * it would resolve before its component can be shown. After a failure, the next call tries again.
 */
export const loadOnce = <Module>(load: () => Promise<Module>): (() => Promise<Module>) => {
  let loading: Promise<Module> | undefined
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
}
