/** The kernel's message shapes, loaded together with the rules, after a connection settles. */
import { METHODS, type MethodRow } from '../mcp/schema/schema.ts'

export { methodIn, verdict, type Breach, type Context } from '../mcp/schema/schema.ts'

/** All meanings of a name. Safe for names from a peer, such as `constructor`. */
export const rowsOf = (name: string): readonly MethodRow[] =>
  Object.hasOwn(METHODS, name) ? (METHODS[name] ?? []) : []
