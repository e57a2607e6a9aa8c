/**
 * Links whose recordings are open in this tab, so that a reload opens them again. They contain no more than the link
 * itself, from which secrets were removed. They are deleted with the tab.
 */
import { isObject } from '../../mcp/index.ts'
import type { Store } from '../remembered.ts'

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
  try {
    const value: unknown = JSON.parse(store.getItem(STORED) ?? '[]')
    if (!Array.isArray(value)) return []
    return value.flatMap((link: unknown) =>
      isObject(link) && typeof link.key === 'string' && typeof link.text === 'string'
        ? [{ key: link.key, text: link.text }]
        : [],
    )
  } catch {
    return []
  }
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
