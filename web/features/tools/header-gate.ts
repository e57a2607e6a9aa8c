/**
 * Tools that must not be used over HTTP because their `x-mcp-header` annotations break a rule (TR-XH-03 … TR-XH-07). They
 * stay visible, with the reason; the others work as usual.
 */
import { headerPlan, type HeaderIssue } from '../../mcp/index.ts'
import type { ServerView } from '../feature.ts'
import { inputSchemaOf, type ToolItem } from './tool-item.ts'

/** Whether requests have headers that repeat arguments: in the stateless era, over HTTP (TR-STDIO-15). */
const mirrorsArguments = ({ peer, transport }: Pick<ServerView, 'peer' | 'transport'>): boolean =>
  peer?.era === 'stateless' && transport === 'Streamable HTTP'

/** Why the tool is left out of those that may be called; empty where it is not. */
export const headerIssuesOf = (
  item: ToolItem,
  server: Pick<ServerView, 'peer' | 'transport'>,
): readonly HeaderIssue[] => {
  const schema = inputSchemaOf(item)
  return schema && mirrorsArguments(server) ? headerPlan(schema).issues : []
}
