/** The headers that repeat what a body of 2026-07-28 says (TR-HDR-02, -06, -07), for a text written by hand. */
import { headerValue, isObject } from '../../mcp/index.ts'
import type { Json, Peer } from '../../mcp/index.ts'
import { extensionsOf, revisionOf, type Schema } from './templates.ts'

export interface Header {
  readonly name: string
  readonly value: string
}

/** @param nameParam the parameter of the method that `Mcp-Name` repeats, where it has one */
export const headersFor = (
  message: Json | undefined,
  revision: string,
  nameParam: (method: string) => string | undefined,
): readonly Header[] => {
  const { method, params: given } = isObject(message) ? message : {}
  const params = isObject(given) ? given : {}
  const meta = isObject(params._meta) ? params._meta : {}
  const version = meta['io.modelcontextprotocol/protocolVersion']
  const headers: Header[] = [
    { name: 'MCP-Protocol-Version', value: headerValue(typeof version === 'string' ? version : revision) },
  ]
  if (typeof method !== 'string') return headers
  headers.push({ name: 'Mcp-Method', value: headerValue(method) })
  const name = nameParam(method)
  const value = name === undefined ? undefined : params[name]
  if (typeof value === 'string') headers.push({ name: 'Mcp-Name', value: headerValue(value) })
  return headers
}

/** The same for a session, as far as the message shapes are loaded. */
export const headersOf = (
  schema: Pick<Schema, 'methodIn'> | undefined,
  peer: Peer | undefined,
  message: Json | undefined,
): readonly Header[] =>
  headersFor(
    message,
    revisionOf(peer),
    (method) => schema?.methodIn(method, revisionOf(peer), extensionsOf(peer))?.nameParam,
  )

/** RFC 9110 section 5.6.2 and 5.5: what `fetch` accepts as a header's name and value. */
export const isHeader = ({ name, value }: Header): boolean =>
  /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
