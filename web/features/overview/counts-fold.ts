/** The number of items of each kind that the server has listed, counted from the Trace alone. */
import { listingFold, type Listing, type Listings } from '../lists/index.ts'
import type { Fold, Link } from '../../mcp/index.ts'

export type Counted = 'tools' | 'resources' | 'templates' | 'prompts'

const counting = (method: string, member: string, changed: string): Fold<Listings<true>> =>
  listingFold<true>({ method, member, changed, itemOf: () => true, nameOf: () => undefined })

/** In display order. `tab` is the tab that lists them. */
export const COUNTED: readonly { readonly kind: Counted; readonly tab: string; readonly fold: Fold<Listings<true>> }[] =
  [
    { kind: 'tools', tab: 'tools', fold: counting('tools/list', 'tools', 'notifications/tools/list_changed') },
    {
      kind: 'resources',
      tab: 'resources',
      fold: counting('resources/list', 'resources', 'notifications/resources/list_changed'),
    },
    {
      kind: 'templates',
      tab: 'resources',
      fold: counting('resources/templates/list', 'resourceTemplates', 'notifications/resources/list_changed'),
    },
    {
      kind: 'prompts',
      tab: 'prompts',
      fold: counting('prompts/list', 'prompts', 'notifications/prompts/list_changed'),
    },
  ]

/** `whole`: the complete list was received. `refused`: the server responded with an error, or not with a list. */
export interface Count {
  readonly kind: Counted
  readonly tab: string
  readonly count: number
  readonly state: 'unasked' | 'loading' | 'whole' | 'part' | 'refused'
}

export const countOf = (
  kind: Counted,
  tab: string,
  listing: Pick<Listing<true>, 'state' | 'items' | 'complete' | 'stopped' | 'begun'> | undefined,
): Count => {
  const count = listing?.items.length ?? 0
  const head = { kind, tab, count }
  if (!listing || listing.begun === undefined) return { ...head, state: 'unasked' }
  if (listing.state === 'error') return { ...head, state: count > 0 ? 'part' : 'refused' }
  if (!listing.complete) return { ...head, state: 'loading' }
  return { ...head, state: listing.stopped ? 'part' : 'whole' }
}

/** @param read returns the current state of a fold */
export const countsOf = (link: Link, read: (fold: Fold<Listings<true>>) => Listings<true>): readonly Count[] =>
  COUNTED.map(({ kind, tab, fold }) => countOf(kind, tab, read(fold).get(link)))
