/** The rows of the list: tools that match the filter, with headings if name prefixes are useful groups. */
import { getOrInsert } from '../../mcp/index.ts'
import type { ToolItem } from './tools-fold.ts'

export type ListRow =
  | {
      readonly kind: 'group'
      readonly prefix: string | undefined
      readonly count: number
      /** The tools below must not be called on this connection. */
      readonly apart?: true
    }
  | { readonly kind: 'tool'; readonly item: ToolItem }

/** A list shorter than this needs no headings. */
const WORTH_GROUPING = 9
/** Smallest group that gets a heading. */
const GROUP_MIN = 2

/** @param isApart tools that come last, under a heading of their own */
export const rowsOf = (
  all: readonly ToolItem[],
  isApart: (item: ToolItem) => boolean = () => false,
): readonly ListRow[] => {
  const apart = all.filter(isApart)
  if (apart.length === 0) return grouped(all)
  const rest = new Set(apart)
  return [
    ...grouped(all.filter((item) => !rest.has(item))),
    { kind: 'group', prefix: undefined, count: apart.length, apart: true },
    ...apart.map((item): ListRow => ({ kind: 'tool', item })),
  ]
}

const grouped = (items: readonly ToolItem[]): readonly ListRow[] => {
  const groups = new Map<string, ToolItem[]>()
  if (items.length >= WORTH_GROUPING) {
    for (const item of items) {
      const prefix = prefixOf(item.name ?? '')
      if (prefix !== undefined) getOrInsert(groups, prefix, (): ToolItem[] => []).push(item)
    }
  }
  for (const [prefix, members] of groups) if (members.length < GROUP_MIN) groups.delete(prefix)
  const covered = [...groups.values()].reduce((sum, members) => sum + members.length, 0)
  const helps = groups.size >= 2 && covered >= items.length / 3
  if (!helps) return items.map((item) => ({ kind: 'tool', item }))

  const rows: ListRow[] = []
  const under = (prefix: string | undefined, members: readonly ToolItem[]) => {
    if (members.length === 0) return
    rows.push({ kind: 'group', prefix, count: members.length })
    for (const item of members) rows.push({ kind: 'tool', item })
  }
  for (const [prefix, members] of groups) under(prefix, members)
  under(
    undefined,
    items.filter(({ name }) => !groups.has(prefixOf(name ?? '') ?? '')),
  )
  return rows
}

/** `get-sum` -> `get`, `fs.read` -> `fs`, `listFiles` -> `list`; `undefined` for a single word. */
const prefixOf = (name: string): string | undefined =>
  /^([A-Za-z0-9]+)[-_./:]/.exec(name)?.[1]?.toLowerCase() ?? /^([a-z]{2,})[A-Z]/.exec(name)?.[1]
