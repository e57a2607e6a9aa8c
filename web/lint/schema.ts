/** The kernel's shapes of messages: loaded together with the rules, and not before a connection settles. */
export { METHODS, methodIn, verdict, type Breach, type Context, type MethodRow } from '../mcp/schema/schema.ts'
import { METHODS, type MethodRow } from '../mcp/schema/schema.ts'

/** All meanings of a name. A peer's name is never looked up where `constructor` is one too. */
export const rowsOf = (name: string): readonly MethodRow[] =>
  Object.hasOwn(METHODS, name) ? (METHODS[name] ?? []) : []
