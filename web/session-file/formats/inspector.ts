/**
 * The two lists that the MCP Inspector 2 saves. `inspector-protocol-…json`: `[{ id, timestamp, direction: 'request' |
 * 'response' | 'notification', origin?: 'client' | 'server', message, response?, duration? }]`, a request together with
 * its response. `inspector-network-…json`: `[{ timestamp, method, url, requestHeaders, requestBody?, responseStatus?,
 * responseHeaders?, responseBody?, duration?, error?, category: 'auth' | 'transport' }]`, where `duration` ends at the
 * head.
 * @see https://github.com/modelcontextprotocol/inspector/blob/main/core/mcp/types.ts
 */
import { isObject, pacer } from '../../mcp/index.ts'
import type { HeaderList, Json, JsonObject } from '../../mcp/index.ts'
import { Directions, hostOf, isRpc, messageOfValue, numberAt, textAt, timeOf } from './message.ts'
import { addHttp } from './http-record.ts'
import { Rebuilding } from './rebuilding.ts'

export const isInspectorProtocol = (value: readonly Json[]): boolean =>
  value.some((one) => isObject(one) && isRpc(one.message) && typeof one.direction === 'string' && 'timestamp' in one)

export const isInspectorNetwork = (value: readonly Json[]): boolean =>
  value.some((one) => isObject(one) && typeof one.url === 'string' && isObject(one.requestHeaders))

export const sessionOfProtocol = async (list: readonly Json[]): Promise<Rebuilding> => {
  const session = new Rebuilding('inspector-protocol')
  session.tool = 'MCP Inspector'
  const link = session.link('', { name: 'MCP Inspector' })
  const directions = new Directions()
  const pause = pacer()
  let time = 0
  for (const [at, entry] of list.entries()) {
    if (session.full) break
    await pause()
    if (!isObject(entry) || entry.message === undefined || !isRpc(entry.message)) {
      session.harm({ code: 'no-frame', line: at + 1, why: 'the entry has no message' })
      continue
    }
    time = timeOf(entry.timestamp) ?? time
    const known = entry.origin === 'client' ? 'sent' : entry.origin === 'server' ? 'received' : undefined
    const direction = directions.of(entry.message, link, known)
    if (known === undefined) session.lost('direction')
    session.add(messageOfValue(entry.message, { link, direction }), time)
    if (!isObject(entry.response)) continue
    const other = direction === 'sent' ? 'received' : 'sent'
    const took = Math.max(0, numberAt(entry, 'duration') ?? 0)
    session.add(
      messageOfValue(entry.response, { link, direction: directions.of(entry.response, link, other) }),
      time + took,
    )
  }
  return session
}

export const sessionOfNetwork = async (list: readonly Json[]): Promise<Rebuilding> => {
  const session = new Rebuilding('inspector-network')
  session.tool = 'MCP Inspector'
  const pause = pacer()
  for (const [at, entry] of list.entries()) {
    if (session.full) break
    await pause()
    const url = isObject(entry) ? textAt(entry, 'url') : undefined
    if (!isObject(entry) || !url) session.harm({ code: 'no-frame', line: at + 1, why: 'the entry has no URL' })
    else await add(session, entry, url)
  }
  return session
}

const add = async (session: Rebuilding, entry: JsonObject, url: string): Promise<void> => {
  const start = timeOf(entry.timestamp) ?? 0
  const signing = entry.category === 'auth'
  const [sent, body] = [textAt(entry, 'requestBody'), textAt(entry, 'responseBody')]
  const end = start + Math.max(0, numberAt(entry, 'duration') ?? 0)
  const status = numberAt(entry, 'responseStatus')
  const [statusText, failed] = [textAt(entry, 'responseStatusText'), textAt(entry, 'error')]
  // It doesn't store bodies of event streams.
  if (status !== undefined && body === undefined) session.lost('no-body')
  const place = url.replace(/[?#].*$/s, '')
  await addHttp(session, {
    link: session.link('', { name: hostOf(url) || url, target: { kind: 'url', url: place, headers: [] } }),
    method: textAt(entry, 'method') ?? 'GET',
    url,
    headers: headersOf(entry.requestHeaders),
    start,
    sent,
    speaks: !signing,
    purpose: signing ? 'authorization' : undefined,
    status: status && Math.max(0, Math.trunc(status)),
    statusText,
    responseHeaders: headersOf(entry.responseHeaders),
    answered: end,
    body,
    end,
    failed,
  })
}

const headersOf = (value: Json | undefined): HeaderList =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : []))
    : []
