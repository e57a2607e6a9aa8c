/** Fetches the list of tools, and again when the server says that it has changed. */
import { fetchListing, followListing, type Asker } from '../lists/index.ts'
import { TOOLS, type ToolLists } from './tools-fold.ts'

/** Walks through all pages. Never throws: failures are in the Trace, where the fold reads them. */
export const fetchTools = (asker: Asker, lists: { readonly current: ToolLists }): Promise<void> =>
  fetchListing(asker, TOOLS, lists)

/** @returns a function that ends it */
export const followTools = (
  asker: Asker,
  lists: { readonly current: ToolLists },
  options: { lazy?: boolean } = {},
): (() => void) => followListing(asker, TOOLS, lists, options)
