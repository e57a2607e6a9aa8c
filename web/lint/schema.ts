/** The kernel's shapes of messages: loaded together with the rules, and not before a connection settles. */
import { METHODS, type MethodRow } from '../mcp/schema/schema.ts'

export { methodIn, verdict, type Breach, type Context } from '../mcp/schema/schema.ts'

/** All meanings of a name. A peer's name is never looked up where `constructor` is one too. */
export const rowsOf = (name: string): readonly MethodRow[] =>
  Object.hasOwn(METHODS, name) ? (METHODS[name] ?? []) : []
