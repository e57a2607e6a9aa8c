/**
 * Cassettes of mcp-recorder, version 1: `{ version, metadata: { recorded_at, server_url, transport_type?,
 * protocol_version?, server_info? }, interactions: [{ type: 'jsonrpc_request' | 'notification' | 'lifecycle', request,
 * response, response_is_sse, response_status, latency_ms, http_method, http_path }] }`. An interaction is written when
 * it has ended; it has a duration but no time, no headers, and only the first event of an event stream.
 * @see https://github.com/devhelmhq/mcp-recorder/blob/main/src/mcp_recorder/_types.py
 */
import { isObject, pacer } from '../../mcp/index.ts'
import type { Json, JsonObject, Link } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { SessionFileError, type RecordedTarget } from '../file.ts'
import { hostOf, messageOfValue, numberAt, textAt, timeOf } from './message.ts'
import { addHttp } from './http-record.ts'
import { Rebuilding } from './rebuilding.ts'

export const isCassette = (value: Json): value is JsonObject =>
  isObject(value) && Array.isArray(value.interactions) && isObject(value.metadata) && typeof value.version === 'string'

/** @throws {SessionFileError} `unknown-version` */
export const sessionOfCassette = async (value: JsonObject): Promise<Rebuilding> => {
  const version = textAt(value, 'version') ?? ''
  if (!/^1(\.|$)/.test(version)) {
    const shown = version.slice(0, 40)
    throw new SessionFileError('unknown-version', `Unsupported cassette version ${shown}: only version 1 can be read`, {
      version: shown,
    })
  }
  const session = new Rebuilding('mcp-recorder')
  const metadata = value.metadata as JsonObject
  const address = textAt(metadata, 'server_url') ?? ''
  const start = timeOf(metadata.recorded_at) ?? 0
  session.tool = 'mcp-recorder'
  session.begunAt = textAt(metadata, 'recorded_at')
  const link = session.link('', serverOf(metadata, address))
  const overHttp = /^https?:/i.test(address)
  const pause = pacer()
  let time = start
  for (const [at, each] of (value.interactions as readonly Json[]).entries()) {
    if (session.full) break
    if (!isObject(each)) {
      session.harm({ code: 'no-frame', line: at + 1, why: "the interaction isn't an object" })
      continue
    }
    session.lost('times')
    const end = time + Math.max(0, Math.min(numberAt(each, 'latency_ms') ?? 0, 86_400_000))
    if (overHttp) await overNet(session, each, { link, address, time, end })
    else bare(session, each, { link, time, end })
    if (each.response_is_sse === true && each.type === 'jsonrpc_request') session.lost('first-event')
    time = end
    await pause()
  }
  return session
}

interface Place {
  readonly link: Link
  readonly time: number
  readonly end: number
}

const bare = (session: Rebuilding, each: JsonObject, { link, time, end }: Place): void => {
  if (isObject(each.request)) session.add(messageOfValue(each.request, { link, direction: 'sent' }), time)
  if (isObject(each.response)) session.add(messageOfValue(each.response, { link, direction: 'received' }), end)
}

const overNet = async (session: Rebuilding, each: JsonObject, place: Place & { address: string }): Promise<void> => {
  const { link, address, time, end } = place
  const path = textAt(each, 'http_path') ?? '/mcp'
  const isRequest = isObject(each.request)
  const method = isRequest ? 'POST' : (textAt(each, 'http_method') ?? 'GET')
  const stream = each.response_is_sse === true
  const body = isObject(each.response) ? JSON.stringify(each.response) : undefined
  const status = numberAt(each, 'response_status') ?? 200
  session.lost('headers')
  await addHttp(session, {
    link,
    method,
    url: urlOf(address, path),
    headers: [],
    start: time,
    sent: isRequest ? JSON.stringify(each.request) : undefined,
    speaks: true,
    status: Math.max(1, Math.trunc(status)),
    answered: stream ? time : end,
    ...(stream ? { events: body === undefined ? [] : [{ data: body, time: end }] } : { body }),
    end,
  })
}

/** The recorder's URL may or may not include the path that it then requested. */
const urlOf = (address: string, path: string): string => {
  const url = parsedUrl(address)
  return url?.pathname === '/' ? `${url.origin}${path.startsWith('/') ? path : `/${path}`}` : address
}

const serverOf = (metadata: JsonObject, address: string) => {
  const info = isObject(metadata.server_info) ? metadata.server_info : {}
  const named = textAt(info, 'title') ?? textAt(info, 'name')
  if (/^https?:/i.test(address)) {
    const target: RecordedTarget = { kind: 'url', url: urlOf(address, '/mcp'), headers: [] }
    return { name: named ?? hostOf(address), transport: 'Streamable HTTP', target }
  }
  const line = /^stdio:\/\/(.+)$/s.exec(address)?.[1]
  return { name: named ?? line ?? 'cassette', transport: 'stdio' }
}
