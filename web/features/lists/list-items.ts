/** The entries of a list: filtered by words for a panel, page by page for the lint. */
import type { Observed } from '../../lint/index.ts'
import { isObject, type Json, PageOrder, type Seq } from '../../mcp/index.ts'
import { visible } from '../../ui/index.ts'
import type { Listed, Listing, Taken } from './listing-fold.ts'

/**
 * @returns the items whose text contains every word of the filter, ignoring case; `items` itself for an empty filter
 */
export const filterByWords = <Item>(
  items: readonly Item[],
  filter: string,
  textOf: (item: Item) => string,
): readonly Item[] => {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return items
  return items.filter((item) => {
    const text = textOf(item).toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** An entry of a list whose items have names: tools and prompts. */
export interface ListItem {
  /** Index in the whole list. */
  readonly index: number
  /** Identifies the item in URLs of the page: its name if unique, else the name and its index. */
  readonly key: string
  /** Absent if the item has no name; it can't be requested then. */
  readonly name: string | undefined
  /** Display name; '' if the item has none. */
  readonly title: string
  readonly description: string
  readonly raw: Json
  /** The frame that contains it. */
  readonly seq: Seq
  /** An earlier item has the same name. */
  readonly repeated?: true
}

/** @param titles of the item, the preferred one first; its name is the last resort */
export const namedItem = (
  raw: Json,
  index: number,
  seq: Seq,
  { keys, names }: Taken,
  titles: readonly (Json | undefined)[],
): ListItem => {
  const item = isObject(raw) ? raw : {}
  const name = typeof item.name === 'string' && item.name !== '' ? item.name : undefined
  const repeated = name !== undefined && names.has(name)
  if (name !== undefined) names.add(name)
  let key = name !== undefined && !repeated ? name : `${name ?? ''}#${index + 1}`
  while (keys.has(key)) key += "'"
  keys.add(key)
  return {
    index,
    key,
    name,
    title: [...titles, name].find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? '',
    description: typeof item.description === 'string' ? item.description : '',
    raw,
    seq,
    ...(repeated ? { repeated: true as const } : {}),
  }
}

/** What a row shows beside the name: the title, where it says more. */
export const titleBeside = ({ name, title }: Pick<ListItem, 'name' | 'title'>): string =>
  title === name ? '' : visible(title, 100)

/** The items whose name, title or description contains every word of the filter. */
export const filterItems = <Item extends Pick<ListItem, 'name' | 'title' | 'description'>>(
  items: readonly Item[],
  filter: string,
): readonly Item[] =>
  filterByWords(items, filter, ({ name = '', title, description }) => `${name}\n${title}\n${description}`)

/** Most entries examined per list; as many names are remembered. */
const MOST = 10_000

/**
 * Reads the entries of a paged list like its panel does, remembering names across pages.
 * @returns for each message: its entries, each with its JSON pointer; none if it isn't a page of that list
 */
export const listReader = <Item>({ method, member, itemOf }: Listed<Item>) => {
  let taken: Taken = { keys: new Set(), names: new Set() }
  let index = 0
  const walk = new PageOrder()
  return ({ kind, method: of, result, asked, at, frame }: Observed): readonly (readonly [Item, string])[] => {
    const values = kind === 'answer' && of === method && result ? result[member] : undefined
    if (!Array.isArray(values)) return []
    // A page of another walk is judged on its own: its names may be those of this one.
    const place = walk.step(asked?.cursor, result?.nextCursor)
    if (place === 'elsewhere') {
      const own: Taken = { keys: new Set(), names: new Set() }
      return (values as readonly Json[])
        .slice(0, MOST)
        .map((raw, at_) => [itemOf(raw, at_, frame.seq, own), `${at}/result/${member}/${at_}`] as const)
    }
    if (place === 'first') {
      taken = { keys: new Set(), names: new Set() }
      index = 0
    }
    const room = Math.max(0, MOST - index)
    return (values as readonly Json[])
      .slice(0, room)
      .map((raw, at_) => [itemOf(raw, index++, frame.seq, taken), `${at}/result/${member}/${at_}`] as const)
  }
}

/** The key of the only item of complete lists, which needs no choosing; '' if there are none or several. */
export const onlyKey = (
  ...lists: readonly (Pick<Listing<{ readonly key: string }>, 'items' | 'complete' | 'state'> | undefined)[]
): string => {
  const known = lists.every((list) => list && (list.complete || (list.state === 'error' && list.items.length === 0)))
  const items = lists.flatMap((list) => list?.items ?? [])
  return known && items.length === 1 ? items[0]!.key : ''
}
