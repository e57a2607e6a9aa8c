/**
 * The rows of the list: resources as a tree by URI or flat, then the templates. URIs with a server's own scheme are
 * opaque (SF-RES-12): they are split for display only, and concatenating the labels from the root down to a resource
 * restores its URI.
 */
import { getOrInsert } from '../../mcp/index.ts'
import { filterByWords } from '../lists/index.ts'
import { annotationsOf, labelOf, type ResourceItem } from './resources-fold.ts'

export type Layout = 'tree' | 'flat'
export type Section = 'resources' | 'templates'

interface Heading {
  readonly key: string
  readonly count: number
  readonly open: boolean
}

export type ListRow =
  | ({ readonly kind: 'section'; readonly section: Section } & Heading)
  | ({ readonly kind: 'folder'; readonly label: string; readonly depth: number } & Heading)
  | {
      readonly kind: 'item'
      readonly key: string
      readonly item: ResourceItem
      readonly label: string
      readonly depth: number
    }

/** Prefix of folder keys, which no URI begins with. */
const FOLDER = '{/}'

/** Most path segments that become folders; the rest of a longer path is the label. */
const DEPTH_MAX = 32
/** With more resources than this, folders start collapsed. */
const OPEN_AT_MOST = 300

/**
 * Splits a URI into scheme, authority, folders and the remainder. Joining the pieces restores the URI.
 *
 * @see RFC 3986, appendix B
 */
export const piecesOf = (uri: string): readonly string[] => {
  const found = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)?([^?#]*)(.*)$/is.exec(uri)
  const [, scheme = '', path = '', rest = ''] = found ?? ['', '', uri, '']
  const pieces = scheme === '' ? [] : [scheme]
  let from = 0
  while (pieces.length < DEPTH_MAX) {
    const slash = path.indexOf('/', from)
    // A trailing slash ends the name of a folder, but this is still a single item.
    if (slash < 0 || slash === path.length - 1) break
    // An empty authority (file:///) doesn't deserve a level of its own.
    if (slash === 0 && scheme.endsWith('//')) pieces[0] += '/'
    else pieces.push(path.slice(from, slash + 1))
    from = slash + 1
  }
  const last = path.slice(from) + rest
  if (last !== '' || pieces.length === 0) pieces.push(last)
  return pieces
}

interface Node {
  readonly label: string
  readonly folders: Map<string, Node>
  readonly items: { readonly item: ResourceItem; readonly label: string }[]
  count: number
}

const node = (label: string): Node => ({ label, folders: new Map(), items: [], count: 0 })

/**
 * @param flipped keys of folders that differ from their default state
 * @param all expands everything, such as during a search
 */
export const treeRows = (
  items: readonly ResourceItem[],
  flipped: ReadonlySet<string>,
  all = false,
): readonly ListRow[] => {
  const root = node('')
  for (const item of items) {
    if (item.uri === undefined) {
      root.items.push({ item, label: labelOf(item) })
      continue
    }
    const pieces = piecesOf(item.uri)
    let place = root
    for (const piece of pieces.slice(0, -1)) {
      const next = getOrInsert(place.folders, piece, () => node(piece))
      next.count++
      place = next
    }
    place.items.push({ item, label: pieces.at(-1)! })
  }
  const rows: ListRow[] = []
  const begins = (depth: number) => depth === 0 || items.length <= OPEN_AT_MOST
  const walk = (folder: Node, path: string, depth: number): void => {
    for (const child of folder.folders.values()) {
      // Merge folders that contain only one folder into one row.
      let [inner, label] = [child, child.label]
      while (inner.items.length === 0 && inner.folders.size === 1) {
        inner = inner.folders.values().next().value!
        label += inner.label
      }
      const key = `${path}${label}`
      const open = all || begins(depth) !== flipped.has(key)
      rows.push({ kind: 'folder', key: `${FOLDER}${key}`, label, depth, count: inner.count, open })
      if (open) walk(inner, key, depth + 1)
    }
    for (const { item, label } of folder.items) rows.push({ kind: 'item', key: item.key, item, label, depth })
  }
  walk(root, '', 0)
  return rows
}

/** The key by which a folder or section is expanded or collapsed. */
export const flipKey = ({ kind, key }: ListRow): string => (kind === 'folder' ? key.slice(FOLDER.length) : key)

const flatRows = (items: readonly ResourceItem[]): readonly ListRow[] =>
  items.map((item) => ({ kind: 'item', key: item.key, item, label: labelOf(item), depth: 0 }))

/** The whole list. Headings appear only if there are two sections. */
export const rowsOf = (
  resources: readonly ResourceItem[],
  templates: readonly ResourceItem[],
  { layout, flipped, searching }: { layout: Layout; flipped: ReadonlySet<string>; searching: boolean },
): readonly ListRow[] => {
  const drawn = layout === 'tree' ? treeRows(resources, flipped, searching) : flatRows(resources)
  if (templates.length === 0) return drawn
  return [
    ...section('resources', resources.length, drawn, flipped, searching),
    ...section('templates', templates.length, flatRows(templates), flipped, searching),
  ]
}

const section = (
  name: Section,
  count: number,
  rows: readonly ListRow[],
  flipped: ReadonlySet<string>,
  searching: boolean,
): readonly ListRow[] => {
  if (count === 0) return []
  const key = `{§}${name}`
  const open = searching || !flipped.has(key)
  return [{ kind: 'section', key, section: name, count, open }, ...(open ? rows : [])]
}

/**
 * The items whose name, title, URI, MIME type, description or audience contains all words of the filter, ignoring case.
 */
export const filterItems = (items: readonly ResourceItem[], filter: string): readonly ResourceItem[] =>
  filterByWords(items, filter, (item) => {
    const { name, title, uri, mime, description } = item
    const audience = annotationsOf(item)?.audience
    const who = Array.isArray(audience) ? audience.filter((one) => typeof one === 'string').join(' ') : ''
    return [name, title, uri ?? '', mime, description, who].join('\n')
  })
