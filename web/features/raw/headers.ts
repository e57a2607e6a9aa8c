/** The headers that repeat values of the body in 2026-07-28 (TR-HDR-02, -06, -07), for a message written by hand. */
import { headerValue, isObject } from '../../mcp/index.ts'
import type { Json, Peer } from '../../mcp/index.ts'
import { extensionsOf, revisionOf, type Schema } from './templates.ts'

export interface Header {
  readonly name: string
  readonly value: string
}

/** @param nameParam the method's parameter that `Mcp-Name` repeats, if any */
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

/** The same for a session, as soon as the message shapes are loaded. */
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

/** RFC 9110 sections 5.6.2 and 5.5: header names and values that `fetch` accepts. */
export const isHeader = ({ name, value }: Header): boolean =>
  /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
