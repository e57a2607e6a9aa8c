/**
 * Reads the entries of a paged list like its panel does, remembering names across pages. Separate from the fold,
 * because only the lint needs it, and that is loaded later.
 */
import type { Json } from '../../mcp/index.ts'
import type { Observed } from '../../lint/index.ts'
import type { Listed, Taken } from './listing-fold.ts'

/** Most entries examined per list; as many names are remembered. */
const MOST = 10_000

/** @returns for each message: its entries, each with its JSON pointer; none if it isn't a page of that list */
export const listReader = <Item>({ method, member, itemOf }: Listed<Item>) => {
  let taken: Taken = { keys: new Set(), names: new Set() }
  let index = 0
  return ({ kind, method: of, result, asked, at, frame }: Observed): readonly (readonly [Item, string])[] => {
    const values = kind === 'answer' && of === method && result ? result[member] : undefined
    if (!Array.isArray(values)) return []
    if (asked?.cursor === undefined) {
      taken = { keys: new Set(), names: new Set() }
      index = 0
    }
    const room = Math.max(0, MOST - index)
    return (values as readonly Json[])
      .slice(0, room)
      .map((raw, at_) => [itemOf(raw, index++, frame.seq, taken), `${at}/result/${member}/${at_}`] as const)
  }
}
