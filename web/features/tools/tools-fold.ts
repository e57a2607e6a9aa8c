/** The results of `tools/list` so far, for each connection. */
import { listingFold, type Listed, type Listing } from '../lists/index.ts'
import { itemOf, type ToolItem } from './tool-item.ts'

export type ToolList = Listing<ToolItem>

export const TOOLS: Listed<ToolItem> = {
  method: 'tools/list',
  member: 'tools',
  changed: 'notifications/tools/list_changed',
  itemOf: (raw, index, seq, { keys, names }) => itemOf(raw, index, seq, keys, names),
  nameOf: ({ name }) => name,
}

export const toolsFold = listingFold(TOOLS)
