/**
 * Tools that must not be used over HTTP because their `x-mcp-header` annotations violate a rule (TR-XH-03 … TR-XH-07).
 * They stay visible, with the reason; the others work as usual.
 */
import { headerPlan, type HeaderIssue } from '../../mcp/index.ts'
import type { ServerView } from '../feature.ts'
import { inputSchemaOf, type ToolItem } from './tool-item.ts'

/** Whether requests have headers that repeat arguments: in the stateless protocol, over HTTP (TR-STDIO-15). */
const mirrorsArguments = ({ peer, transport }: Pick<ServerView, 'peer' | 'transport'>): boolean =>
  peer?.era === 'stateless' && transport === 'Streamable HTTP'

/** Why the tool must not be called; empty if it may. */
export const headerIssuesOf = (
  item: ToolItem,
  server: Pick<ServerView, 'peer' | 'transport'>,
): readonly HeaderIssue[] => {
  const schema = inputSchemaOf(item)
  return schema && mirrorsArguments(server) ? headerPlan(schema).issues : []
}
