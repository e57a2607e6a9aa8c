/** Reads a recording from a file, a text or a link, without side effects. */
import { storedJson, type Store } from '../../ui/index.ts'
import { loadImporters } from '../../session-file/lazy.ts'
import { type OpenedSession, SessionFileError, readSession, sessionFrom } from '../../session-file/index.ts'
import { isObject } from '../../mcp/index.ts'

/**
 * Links whose recordings are open in this tab, so that a reload opens them again. They contain no more than the link
 * itself, from which secrets were removed. They are deleted with the tab.
 */

const STORED = 'periscope.links'
/**
 * Maximum number of stored links (the latest), and of their characters in total: a tab's storage holds about 5 million.
 */
const MOST_LINKS = 5
const MOST_CHARACTERS = 2_000_000

interface OpenedLink {
  readonly key: string
  readonly text: string
}

/** A key that is unique even across reloads; `isLinkKey` recognizes it. */
export const linkKey = (): string => {
  const random = crypto.getRandomValues(new Uint32Array(2))
  return `l${[...random].map((part) => part.toString(36)).join('')}`
}

/** Stored data is untrusted input: another version of the page or a user may have written it. */
const stored = (store: Store): OpenedLink[] => {
  const value = storedJson(store, STORED)
  if (!Array.isArray(value)) return []
  return value.flatMap((link: unknown) =>
    isObject(link) && typeof link.key === 'string' && typeof link.text === 'string'
      ? [{ key: link.key, text: link.text }]
      : [],
  )
}

const write = (store: Store, links: readonly OpenedLink[]): void => {
  if (links.length === 0) store.removeItem(STORED)
  else store.setItem(STORED, JSON.stringify(links))
}

/** The link of a recording; `undefined` if it isn't stored. */
export const linkOfKey = (store: Store, key: string): string | undefined =>
  stored(store).find((link) => link.key === key)?.text

/** A link that is too long isn't stored: after a reload its recording is gone, and the page says so. */
export const rememberLink = (store: Store, key: string, text: string): void => {
  const links: OpenedLink[] = []
  let characters = 0
  for (const link of [{ key, text }, ...stored(store).filter((other) => other.key !== key)]) {
    characters += link.text.length
    if (characters > MOST_CHARACTERS || links.length === MOST_LINKS) break
    links.push(link)
  }
  write(store, links)
}

export const forgetLink = (store: Store, key: string): void => {
  const links = stored(store)
  const rest = links.filter((link) => link.key !== key)
  if (rest.length < links.length) write(store, rest)
}

/** A source from which a recording can be read. */
export type Source =
  | { readonly kind: 'file'; readonly name: string; readonly blob: Blob }
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  /** `text`: a URL, or its fragment. */
  | { readonly kind: 'link'; readonly text: string }

interface Reading {
  /** From 0 to 1. */
  readonly progress?: (part: number) => void
  readonly signal?: AbortSignal
}

/**
 * Maximum number of frames for which all views can be computed in an acceptable time; the command line accepts more.
 */
const MOST_FRAMES = 150_000
/** Maximum bytes of a file in another format, because those are read as a whole. */
const LARGEST_FOREIGN = 256 * 1024 * 1024

/**
 * @throws {SessionFileError | ShareLinkError} it contains nothing that can be opened; or the abort reason of `signal`
 */
export const readSource = async (source: Source, reading: Reading = {}): Promise<OpenedSession> => {
  const options = { most: MOST_FRAMES, ...(reading.signal ? { signal: reading.signal } : {}) }
  switch (source.kind) {
    case 'link':
      return await sessionFrom(fragmentOf(source.text))
    case 'text':
      return await orForeign(
        () => readSession(source.text, options),
        () => Promise.resolve(source.text),
        source.name,
      )
    case 'file': {
      const { blob, name } = source
      const read = () => readSession(chunksOf(blob, reading), options)
      return await orForeign(read, () => blob.slice(0, LARGEST_FOREIGN).text(), name)
    }
  }
}

/** A file that isn't a Periscope session may come from another tool. */
const orForeign = async (
  read: () => Promise<OpenedSession>,
  text: () => Promise<string>,
  name: string,
): Promise<OpenedSession> => {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof SessionFileError) || error.code !== 'not-a-session') throw error
    const { importFrom } = await loadImporters()
    const foreign = await importFrom(await text(), name)
    if (foreign) return foreign
    throw error
  }
}

async function* chunksOf(blob: Blob, { progress }: Reading): AsyncGenerator<Uint8Array> {
  const reader = blob.stream().getReader()
  let read = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      read += value.length
      progress?.(read / Math.max(1, blob.size))
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** @param text a URL, or its fragment */
const fragmentOf = (text: string): string => {
  const trimmed = text.trim()
  const at = trimmed.indexOf('#')
  return at < 0 ? trimmed : trimmed.slice(at)
}
