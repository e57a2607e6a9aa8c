/**
 * Extracts MCP from a HAR 1.2 (browsers' network panels, proxies, and our own export): POSTs of JSON-RPC, their
 * response streams, and the GET and DELETE requests to the same URLs. Everything else is skipped and counted.
 *
 * Chromium writes the events of a stream as `_eventSourceMessages`, with times; other tools include the stream's text
 * at best. Our own export adds `_periscope`: the connection, and the position and time of each message.
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
import { jsonIn } from '../../json/index.ts'
import { headerIn, idKey, isObject, isRequestId, pacer } from '../../mcp/index.ts'
import type { HeaderList, Json, JsonObject, Link } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { addHttp, PURPOSES, type HttpRecord, type Mark, type RecordedEvent } from './http-record.ts'
import { hostOf, isRpc, listAt, messageOfText, numberAt, textAt, timeOf } from './message.ts'
import { Rebuilding } from './rebuilding.ts'

/** Entries to read. */
const MOST_ENTRIES = 100_000
/** Characters of one body. */
const LONGEST_BODY = 64 * 1024 * 1024
const MOST_HEADERS = 500

export const isHar = (value: Json): value is JsonObject =>
  isObject(value) && isObject(value.log) && Array.isArray(value.log.entries)

interface Entry {
  readonly raw: JsonObject
  readonly response: JsonObject
  readonly headers: HeaderList
  /** Headers of the response. */
  readonly back: HeaderList
  readonly method: string
  readonly url: string
  /** Without query and fragment. */
  readonly place: string
  readonly start: number
  readonly sent?: string
  /** The request body, if it is MCP. */
  readonly said?: Json
  readonly body?: string
  readonly events?: readonly RecordedEvent[]
  readonly own?: JsonObject
}

export const sessionOfHar = async (value: JsonObject): Promise<Rebuilding> => {
  const session = new Rebuilding('har')
  const log = value.log as JsonObject
  const creator = isObject(log.creator) ? log.creator : {}
  session.tool = [textAt(creator, 'name'), textAt(creator, 'version')].filter(Boolean).join(' ')
  const own = isObject(log._periscope) ? log._periscope : undefined
  session.begunAt = own && textAt(own, 'begunAt')
  const entries = await entriesOf(session, log.entries as readonly Json[])
  const places = placesOf(entries)
  const spoken = spokenIn(entries, places)
  session.coarse = entries.some(({ own }) => !own)
  const seen = new Map<Link, Map<string, string>>()
  const pause = pacer()
  for (const entry of entries) {
    if (session.full) break
    await pause()
    if (!concerns(entry, places)) session.lost('not-mcp')
    else if (entry.own?.synthetic === true) await addSynthetic(session, entry, places)
    else {
      const record = recordOf(session, entry, places, spoken)
      const events = seen.get(record.link) ?? new Map<string, string>()
      seen.set(record.link, events)
      await addHttp(session, { ...record, seen: events })
    }
  }
  return session
}

const entriesOf = async (session: Rebuilding, list: readonly Json[]): Promise<Entry[]> => {
  const entries: Entry[] = []
  const pause = pacer()
  for (const [at, raw] of list.entries()) {
    if (at >= MOST_ENTRIES) {
      session.lost('entries', list.length - at)
      break
    }
    await pause()
    const entry = isObject(raw) ? entryOf(raw) : undefined
    if (entry) entries.push(entry)
    else session.harm({ code: 'no-frame', line: at + 1, why: 'the entry has no request' })
  }
  // Most tools write entries in order of time, but none has to.
  return entries.sort((one, other) => one.start - other.start)
}

const entryOf = (raw: JsonObject): Entry | undefined => {
  const { request } = raw
  const response = isObject(raw.response) ? raw.response : {}
  if (!isObject(request)) return undefined
  const [method, url] = [textAt(request, 'method'), textAt(request, 'url')]
  if (!method || !url) return undefined
  const sent = isObject(request.postData) ? textAt(request.postData, 'text') : undefined
  const said = method === 'POST' && sent !== undefined && sent.length <= LONGEST_BODY ? spoken(sent) : undefined
  const body = isObject(response.content) ? bodyOf(response.content) : undefined
  const events = eventsOf(raw._eventSourceMessages)
  return {
    raw,
    response,
    headers: headersOf(request),
    back: headersOf(response),
    method,
    url,
    place: url.replace(/[?#].*$/s, ''),
    start: timeOf(raw.startedDateTime) ?? 0,
    sent: sent?.slice(0, LONGEST_BODY),
    said,
    body,
    events,
    own: isObject(raw._periscope) ? raw._periscope : undefined,
  }
}

const spoken = (text: string): Json | undefined => {
  // Parsing everything that a page has posted would be a waste.
  if (!text.includes('jsonrpc') || !/^\s*[[{]/.test(text)) return undefined
  const value = jsonIn(text)
  return isRpc(value) ? value : undefined
}

const bodyOf = (content: JsonObject): string | undefined => {
  const text = textAt(content, 'text')
  if (text === undefined || text.length > LONGEST_BODY) return undefined
  if (content.encoding !== 'base64') return text
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0)))
  } catch {
    return undefined
  }
}

/** Times are in seconds since the epoch. */
const eventsOf = (value: Json | undefined): RecordedEvent[] | undefined => {
  if (!Array.isArray(value) || value.length === 0) return undefined
  return (value as readonly Json[]).flatMap((event) => {
    if (!isObject(event) || typeof event.data !== 'string') return []
    const [id, name, time] = [textAt(event, 'eventId'), textAt(event, 'eventName'), numberAt(event, 'time')]
    return [{ data: event.data, id: id || undefined, name: name || undefined, time: time && time * 1000 }]
  })
}

interface Places {
  /** URLs that receive messages, mapped to their source: themselves, or the stream that named them. */
  readonly roots: ReadonlyMap<string, string>
  /** Those whose responses arrive on a separate stream. */
  readonly older: ReadonlySet<string>
}

/** The MCP endpoints. HTTP+SSE: the stream's first event names the URL to POST to. */
const placesOf = (entries: readonly Entry[]): Places => {
  const roots = new Map<string, string>()
  const older = new Set<string>()
  for (const { said, place } of entries) if (said !== undefined) roots.set(place, place)
  for (const { method, place, url, body, events } of entries) {
    if (method !== 'GET') continue
    const named = events?.find(({ name }) => name === 'endpoint')?.data ?? endpointIn(body)
    const target = named === undefined ? undefined : parsedUrl(named, url)?.href.replace(/[?#].*$/s, '')
    if (target === undefined) continue
    if (!roots.has(target)) continue
    roots.set(target, place)
    roots.set(place, place)
    older.add(place)
  }
  return { roots, older }
}

const endpointIn = (body: string | undefined): string | undefined =>
  body === undefined ? undefined : /^event: ?endpoint\r?\n(?:id:[^\n]*\n)?data: ?(\S+)/m.exec(body.slice(0, 4096))?.[1]

const concerns = ({ method, said, place, own }: Entry, { roots }: Places): boolean =>
  said !== undefined ||
  own?.link !== undefined ||
  (roots.has(place) && (method === 'GET' || method === 'DELETE' || method === 'POST'))

/** When the client sent requests and responses, by connection and ID. */
interface Spoken {
  readonly asked: ReadonlyMap<string, number>
  readonly answered: ReadonlyMap<string, number>
}

const spokenIn = (entries: readonly Entry[], places: Places): Spoken => {
  const [asked, answered] = [new Map<string, number>(), new Map<string, number>()]
  for (const entry of entries) {
    const { said, start } = entry
    for (const message of Array.isArray(said) ? (said as readonly Json[]) : [said]) {
      if (!isObject(message) || !isRequestId(message.id)) continue
      const key = `${connectionOf(entry, places)} ${idKey(message.id)}`
      if (!('method' in message)) answered.set(key, start)
      // IDs may start again: the first is the earliest request that the response can belong to.
      else if (!asked.has(key)) asked.set(key, start)
    }
  }
  return { asked, answered }
}

/**
 * Infers a message's time: for a server request, when the client responded; for a response, when the client sent the
 * request.
 */
const timesBy =
  (entry: Entry, places: Places, { asked, answered }: Spoken) =>
  (message: Json): number | undefined => {
    if (!isObject(message) || !isRequestId(message.id)) return undefined
    const key = `${connectionOf(entry, places)} ${idKey(message.id)}`
    if (typeof message.method === 'string') return answered.get(key)
    // The response stream of a POST may last any time; only a separate stream delivers responses to other requests.
    return entry.method === 'GET' ? asked.get(key) : undefined
  }

const headersOf = (value: JsonObject): HeaderList =>
  listAt(value, 'headers')
    .slice(0, MOST_HEADERS)
    .flatMap((header) => {
      const [name, text] = [textAt(header, 'name'), textAt(header, 'value')]
      // HTTP/2 pseudo-headers aren't headers.
      return name && text !== undefined && !name.startsWith(':') ? [[name.toLowerCase(), text] as const] : []
    })

/** A session by header is a separate connection; the response to `initialize` names it first. */
const connectionOf = ({ place, headers, back }: Entry, { roots }: Places): string =>
  `${roots.get(place) ?? place} ${headerIn(headers, 'mcp-session-id') ?? headerIn(back, 'mcp-session-id') ?? ''}`

const linkOf = (session: Rebuilding, entry: Entry, places: Places) => {
  const { roots, older } = places
  const { place, own, url } = entry
  const root = roots.get(place) ?? place
  const ownLink = own && textAt(own, 'link')
  const scheme = older.has(root) ? 'HTTP+SSE' : 'Streamable HTTP'
  const transport = (own && textAt(own, 'transport')) ?? scheme
  const name = (own && textAt(own, 'server')) ?? hostOf(root)
  const target = /^https?:/i.test(root) ? { target: { kind: 'url' as const, url: root, headers: [] } } : {}
  const key = ownLink === undefined ? connectionOf(entry, places) : `own ${ownLink}`
  return session.link(key, { name: name || url.slice(0, 100), transport, ...target })
}

const recordOf = (session: Rebuilding, entry: Entry, places: Places, spoken: Spoken): HttpRecord => {
  const { response, start, raw, sent, said, body, events, own, headers, back } = entry
  const timings = isObject(raw.timings) ? raw.timings : {}
  const parts = ['blocked', 'dns', 'connect', 'send', 'wait'].map((name) => Math.max(0, numberAt(timings, name) ?? 0))
  const until = start + parts.reduce((sum, part) => sum + part, 0)
  const time = numberAt(raw, 'time')
  const status = numberAt(response, 'status')
  const failed = textAt(response, '_error') ?? textAt(raw, '_error')
  const speaks = own?.speaks === true || said !== undefined || entry.method === 'GET'
  const purpose = PURPOSES.find((known) => known === own?.purpose)
  if (isObject(response.content) && body === undefined && !events && hasBody(response.content)) session.lost('no-body')
  const statusText = textAt(response, 'statusText')
  return {
    link: linkOf(session, entry, places),
    method: entry.method,
    url: entry.url,
    headers,
    start,
    sent,
    speaks,
    purpose,
    status: status && Math.max(0, Math.trunc(status)),
    statusText,
    responseHeaders: back,
    answered: until,
    body,
    events,
    end: Math.max(until, start + Math.max(0, time ?? 0)),
    failed: failed || undefined,
    marks: marksOf(entry),
    timeIn: timesBy(entry, places, spoken),
  }
}

const hasBody = (content: JsonObject): boolean => (numberAt(content, 'size') ?? 0) > 0

const marksOf = ({ own }: Entry): Mark[] =>
  Array.isArray(own?.messages)
    ? (own.messages as readonly Json[]).flatMap((mark) => {
        const [seq, time, again] = Array.isArray(mark) ? (mark as readonly Json[]) : []
        if (typeof seq !== 'number' || typeof time !== 'number') return []
        return [{ seq, time, ...(again === 'repeated' ? { repeated: true } : {}) }]
      })
    : []

/** Messages without HTTP, as written by our own export. */
const addSynthetic = async (session: Rebuilding, entry: Entry, places: Places): Promise<void> => {
  const link = linkOf(session, entry, places)
  const marks = marksOf(entry)
  const received =
    entry.events?.map(({ data }) => data) ?? (entry.body === undefined || entry.body === '' ? [] : [entry.body])
  const texts = [
    ...(entry.sent === undefined ? [] : [{ direction: 'sent' as const, text: entry.sent }]),
    ...received.map((text) => ({ direction: 'received' as const, text })),
  ]
  for (const [at, { direction, text }] of texts.entries()) {
    const mark = marks[at]
    session.add(await messageOfText(text, { link, direction }), mark?.time ?? entry.start, mark?.seq ?? 0)
  }
}
