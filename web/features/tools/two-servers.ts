/** A call of one server that is run on another one as well. */
import type { Link } from '../../mcp/index.ts'
import type { ServerView } from '../feature.ts'
import { headerIssuesOf } from './run-gate.ts'
import type { ToolList } from './tools-fold.ts'

/**
 * The other servers with an open session that list a tool of this name.
 * @param lists the tools of all connections
 */
export const serversWith = (
  name: string,
  server: ServerView,
  lists: ReadonlyMap<Link, Pick<ToolList, 'items'>>,
): readonly ServerView[] =>
  (server.others ?? server.pendingRequests?.servers ?? []).filter(
    (other) =>
      other.slot !== server.slot &&
      other.session !== undefined &&
      // TR-XH-06: a tool that can't be called over this transport is left out.
      (lists.get(other.link)?.items.some((item) => item.name === name && headerIssuesOf(item, other).length === 0) ??
        false),
  )
