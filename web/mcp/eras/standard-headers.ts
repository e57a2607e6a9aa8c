/**
 * `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name`: headers that repeat parts of a 2026-07-28 body, so that
 * gateways needn't parse it. `param-headers.ts` adds `Mcp-Param-*`; `transports/streamable-http.ts` sets the version
 * header of earlier versions.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
import type { JsonObject } from '../frame.ts'
import { isObject } from '../jsonrpc.ts'
import { META } from '../meta-keys.ts'

/** TR-HDR-07: the parameter that `Mcp-Name` repeats. */
const NAME_PARAM: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name` for a message (TR-HDR-02, -06, -07), taken from its body. */
export const standardHeaders = (message: JsonObject): Record<string, string> => {
  const headers: Record<string, string> = {}
  const params = isObject(message.params) ? message.params : {}
  const meta = isObject(params._meta) ? params._meta : {}
  const version = meta[META.version]
  if (typeof version === 'string') headers['mcp-protocol-version'] = headerValue(version)
  if (typeof message.method === 'string') headers['mcp-method'] = headerValue(message.method)
  const name = typeof message.method === 'string' ? NAME_PARAM[message.method] : undefined
  const value = name === undefined ? undefined : params[name]
  if (typeof value === 'string') headers['mcp-name'] = headerValue(value)
  return headers
}

/** Values that HTTP carries unchanged: printable ASCII without leading or trailing whitespace. */
const PLAIN = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/
const SENTINEL = /^=\?base64\?.*\?=$/i

/**
 * Encodes a value for a header: plain, or as `=?base64?…?=` (TR-HDR-08). A plain value of that form is also encoded
 * (TR-HDR-09), so that decoding is never ambiguous.
 */
export const headerValue = (value: string): string =>
  PLAIN.test(value) && !SENTINEL.test(value) ? value : `=?base64?${toBase64(value)}?=`

/** BR-11: `btoa` takes one byte per character, so encode the text as UTF-8 first. */
const toBase64 = (text: string): string => {
  let units = ''
  for (const byte of new TextEncoder().encode(text)) units += String.fromCharCode(byte)
  return btoa(units)
}
