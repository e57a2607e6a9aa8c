/**
 * A session as HAR 1.2, for tools that read it. HTTP exchanges become entries; messages without HTTP (stdio, servers in
 * the page) become synthetic ones, each marked in `comment`; session frames are dropped. Members that begin with an
 * underscore are ours, as HAR allows: with them, reading the file restores the order.
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
import { headerIn, pacer, utf8Length } from '../../mcp/index.ts'
import type { Frame, HeaderList, HttpTimings, Json, MessageFrame } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import type { SessionHead } from '../file.ts'
import { eventText, exchangesIn, textOfMessage, transportsOf } from './http-exchanges.ts'
import type { HttpFrames, LooseMessages, StreamPart } from './http-exchanges.ts'

const MAPPING =
  'A mapping of an MCP session, not a capture of a network: bodies of event streams are their text as it was understood, ' +
  'headers are those that the client could see, with secrets masked, and httpVersion is not known.'
const SYNTHETIC =
  'Not HTTP: this connection has no HTTP requests or statuses. Method, URL, status and headers are synthetic.'

/** @returns pieces of the text */
export const harOf = async (head: SessionHead, frames: readonly Frame[]): Promise<string[]> => {
  const begun = Date.parse(head.begunAt)
  const { http, loose, without } = await exchangesIn(frames)
  const transports = transportsOf(frames)
  const about = (link: string) => ({
    link,
    transport: transports.get(link),
    server: head.servers.find((server) => server.link === link)?.name,
  })
  const lost = Object.entries(without).map(([kind, count]) => `${count} of ${kind}`)
  const comment = lost.length === 0 ? MAPPING : `${MAPPING} Frames without a place in it: ${lost.join(', ')}.`
  const log = {
    version: '1.2',
    creator: { name: head.tool.name || 'unknown', version: head.tool.version },
    comment,
    _periscope: { begunAt: head.begunAt, servers: head.servers as unknown as Json },
  }
  const parts = [`{"log":${JSON.stringify(log).slice(0, -1)},"entries":[`]
  const makers = [
    ...http.map((exchange) => ({
      at: exchange.request.at,
      make: () => httpEntry(exchange, begun, about(exchange.request.link)),
    })),
    ...loose.map((each) => ({
      at: each.at,
      make: () => looseEntry(each, begun, about(each.link), transports.get(each.link)),
    })),
  ].sort((one, other) => one.at - other.at)
  const pause = pacer()
  let piece = ''
  for (const [index, { make }] of makers.entries()) {
    piece += `${index > 0 ? ',' : ''}\n${JSON.stringify(make())}`
    if (piece.length > 256 * 1024) {
      parts.push(piece)
      piece = ''
    }
    await pause()
  }
  parts.push(`${piece}\n]}}\n`)
  return parts
}

interface About {
  readonly link: string
  readonly transport: string | undefined
  readonly server: string | undefined
}

const headersOut = (headers: HeaderList): Json => headers.map(([name, value]) => ({ name, value }))

const dateOf = (time: number): string => new Date(Math.abs(time) <= 8.64e15 ? time : 0).toISOString()

const queryOf = (url: string): Json =>
  [...(parsedUrl(url)?.searchParams ?? [])].map(([name, value]) => ({ name, value }))

/** The position of each of the body's messages in the session; repeated events are marked. */
const marksOf = (parts: readonly StreamPart[], begun: number): Json =>
  parts.map((part) => [part.seq, begun + part.at, ...('repeated' in part ? ['repeated'] : [])])

const isMarked = (part: StreamPart): boolean =>
  part.kind === 'message' ? textOfMessage(part) !== undefined : part.event === 'data' && part.repeated === true

const typeOf = (headers: HeaderList): string => headerIn(headers, 'content-type') ?? 'x-unknown'

/**
 * In HAR, -1 is a part that doesn't apply, `connect` includes `ssl`, and the parts without `ssl` add up to `time`, so the way
 * between the page and the proxy counts as waiting.
 */
const timingsOf = (timings: HttpTimings | undefined, wait: number): object => {
  if (!timings) return { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait }
  const { dns = -1, tls = -1, tunnel = 0 } = timings
  const connect = timings.connect + tunnel + Math.max(0, tls)
  return { blocked: -1, dns, connect, ssl: tls, send: 0, wait: Math.max(0, wait - Math.max(0, dns) - connect) }
}

const httpEntry = (exchange: HttpFrames, begun: number, about: About): object => {
  const { request, response, end, sent, received, events, last } = exchange
  const closed = end?.at ?? last
  const wait = (response?.at ?? closed) - request.at
  const receive = response ? Math.max(0, closed - response.at) : 0
  const sentText = sent ? textOfMessage(sent) : request.body
  const stream = exchange.streams
  const text = stream
    ? events.map(eventText).join('')
    : received.length > 0
      ? received.map((frame) => textOfMessage(frame) ?? '').join('\n')
      : end?.phase === 'end'
        ? end.body
        : undefined
  const shown = [...(sent && sentText !== undefined ? [sent] : []), ...(stream ? events : received).filter(isMarked)]
  const failed = end?.phase === 'failed' ? (end.aborted ?? end.error) : undefined
  const comments = [
    ...(end ? [] : ['Still open when the session was saved.']),
    ...(sent && sentText === undefined ? ['The text of what was sent is not in the session any more.'] : []),
    ...(exchange.faults.length > 0
      ? [`Faults were injected into it: ${[...new Set(exchange.faults)].join(', ')}.`]
      : []),
    ...(request.relayed ? ['It went through the local proxy.'] : []),
  ]
  const size = end?.size ?? (text === undefined ? -1 : utf8Length(text))
  return {
    startedDateTime: dateOf(begun + request.at),
    time: Math.max(0, wait) + receive,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'unknown',
      cookies: [],
      headers: headersOut(request.headers),
      queryString: queryOf(request.url),
      postData: sentText === undefined ? undefined : { mimeType: typeOf(request.headers), params: [], text: sentText },
      headersSize: -1,
      bodySize: request.size,
    },
    response: {
      status: response?.status ?? 0,
      statusText: response?.statusText ?? '',
      httpVersion: 'unknown',
      cookies: [],
      headers: headersOut(response?.headers ?? []),
      content: {
        size: text === undefined ? Math.max(0, size) : utf8Length(text),
        mimeType: typeOf(response?.headers ?? []),
        text,
      },
      redirectURL: response?.redirectedTo ?? '',
      headersSize: -1,
      bodySize: size,
      _error: failed,
    },
    cache: {},
    timings: { ...timingsOf(response?.timings, Math.max(0, wait)), receive },
    comment: comments.length > 0 ? comments.join(' ') : undefined,
    _periscope: {
      ...about,
      request: request.seq,
      purpose: request.purpose,
      speaks: sent ? true : undefined,
      messages: marksOf(shown, begun),
    },
  }
}

/** A server request with its response, a notification, or all unprompted messages on a connection without HTTP. */
const looseEntry = (loose: LooseMessages, begun: number, about: About, transport = 'unknown'): object => {
  const { sent, received, stream, at, until } = loose
  const scheme =
    transport
      .toLowerCase()
      .replace(/[^a-z\d+.-]+/g, '-')
      .replace(/^[^a-z]+/, '') || 'unknown'
  const method = sent ? methodOf(sent) : 'unasked'
  const sentText = sent && textOfMessage(sent)
  const texts = received.map((frame) => textOfMessage(frame) ?? '')
  const shown = [sent, ...received].filter((frame) => frame !== undefined && textOfMessage(frame) !== undefined)
  const body = stream ? texts.map((text) => eventText({ data: text })).join('') : texts.join('\n')
  const mimeType = stream ? 'text/event-stream' : 'application/json'
  const status = stream || received.length > 0 ? 200 : sent && 'id' in Object(sent.message ?? {}) ? 0 : 202
  return {
    startedDateTime: dateOf(begun + at),
    time: Math.max(0, until - at),
    request: {
      method: sent ? 'POST' : 'GET',
      url: `${scheme}://${encodeURIComponent(about.link)}/${encodeURIComponent(method)}`,
      httpVersion: 'unknown',
      cookies: [],
      headers: [],
      queryString: [],
      postData: sentText === undefined ? undefined : { mimeType: 'application/json', params: [], text: sentText },
      headersSize: -1,
      bodySize: sent?.size ?? 0,
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'unknown',
      cookies: [],
      headers: received.length > 0 ? [{ name: 'content-type', value: mimeType }] : [],
      content: { size: utf8Length(body), mimeType, text: body },
      redirectURL: '',
      headersSize: -1,
      bodySize: received.reduce((sum, { size }) => sum + size, 0),
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: Math.max(0, until - at), receive: 0 },
    comment: SYNTHETIC,
    _eventSourceMessages: stream
      ? received.map((frame, index) => ({
          time: (begun + frame.at) / 1000,
          eventName: 'message',
          eventId: '',
          data: texts[index],
        }))
      : undefined,
    _periscope: { ...about, synthetic: true, messages: marksOf(shown as readonly MessageFrame[], begun) },
  }
}

const methodOf = ({ message, type, released }: MessageFrame): string => {
  const { method } = Object(message ?? {}) as { method?: unknown }
  return typeof method === 'string' ? method.slice(0, 200) : (released?.method ?? type)
}
