/** Converts an HTTP exchange from a file into the frames that our own transports would write. */
import { jsonIn } from '../../json/index.ts'
import { createParser } from 'eventsource-parser'
import { headerIn, pacer, utf8Length } from '../../mcp/index.ts'
import { maskHeaders } from '../../secrets/index.ts'
import type { FrameDraft, HeaderList, Json, Link, Seq } from '../../mcp/index.ts'
import { messageOfText } from './message.ts'
import type { Rebuilding } from './rebuilding.ts'

/** Times are ms since the epoch. */
export interface HttpRecord {
  readonly link: Link
  readonly method: string
  readonly url: string
  readonly headers: HeaderList
  readonly start: number
  /** Text of the request body. */
  readonly sent?: string
  /** The text is a message, or should be one. */
  readonly speaks: boolean
  readonly purpose?: Purpose
  readonly status?: number
  readonly statusText?: string
  readonly responseHeaders?: HeaderList
  readonly answered: number
  readonly body?: string
  /** Events of a stream with their times, if the file lists them separately from the body. */
  readonly events?: readonly RecordedEvent[]
  readonly end: number
  /** The runtime's error message, if it failed. */
  readonly failed?: string
  /** The positions of the messages in our own trace: those sent, then those received. */
  readonly marks?: readonly Mark[]
  /** Events of the connection by ID, to detect those that a resumed stream repeats. */
  readonly seen?: Map<string, string>
  /** The time of a message in the stream, as inferred from other exchanges: when its request or response was sent. */
  readonly timeIn?: (message: Json) => number | undefined
}

export type Purpose = Extract<FrameDraft, { kind: 'http'; phase: 'request' }>['purpose']
export const PURPOSES: readonly Purpose[] = ['message', 'listen', 'resume', 'end-session', 'authorization', 'diagnosis']

export interface Mark {
  readonly seq: Seq
  readonly time: number
  /** It had already arrived before the stream broke, so it isn't a new message. */
  readonly repeated?: boolean
}

export interface RecordedEvent {
  readonly id?: string
  readonly name?: string
  readonly data: string
  readonly time?: number
}

type Part = RecordedEvent | { readonly comment: string } | { readonly retry: number }

/** Characters retained of a body without a message frame, and of a comment. */
const BODY_KEPT = 1_000_000
const COMMENT_KEPT = 1000
const SLICE = 16 * 1024

export const addHttp = async (session: Rebuilding, record: HttpRecord): Promise<void> => {
  const { link, start, sent, marks = [] } = record
  const first = marks[0]
  const [time, order] = first ? [Math.min(start, first.time), first.seq - 0.75] : [start, 0]
  const request = session.add(
    {
      kind: 'http',
      phase: 'request',
      link,
      method: record.method.slice(0, 20),
      url: record.url,
      headers: maskHeaders(record.headers),
      size: sent === undefined ? 0 : utf8Length(sent),
      purpose: record.purpose ?? purposeOf(record),
      body: record.speaks ? undefined : sent?.slice(0, BODY_KEPT),
    },
    time,
    order,
  )
  if (sent !== undefined && record.speaks) {
    const draft = await messageOfText(sent, { link, direction: 'sent', carrier: request })
    session.add(draft, first?.time ?? start, first?.seq ?? 0)
  }
  const rest = sent !== undefined && record.speaks ? marks.slice(1) : marks
  await answer(session, record, request, rest)
}

const purposeOf = ({ method, headers, speaks }: HttpRecord): Purpose => {
  if (method === 'DELETE') return 'end-session'
  if (method === 'GET') return headerIn(headers, 'last-event-id') !== undefined ? 'resume' : 'listen'
  return speaks ? 'message' : 'authorization'
}

const answer = async (session: Rebuilding, record: HttpRecord, request: Seq, marks: readonly Mark[]): Promise<void> => {
  const { link, status, responseHeaders = [], body, events, answered, failed } = record
  const end = Math.max(record.end, answered, marks.at(-1)?.time ?? 0)
  const after = marks.length > 0 ? marks.at(-1)!.seq + 0.5 : 0
  if (status === undefined || status === 0) {
    const error = failed ?? 'The file holds no answer'
    session.add({ kind: 'http', phase: 'failed', link, request, stage: 'headers', error }, end)
    return
  }
  const streams = events !== undefined || isStream(responseHeaders, body)
  const parts: readonly Part[] = streams ? (events ?? (await partsOf(body ?? ''))) : []
  const times = timesOf(record, parts)
  const [headTime, headOrder] = marks[0]
    ? [Math.min(answered, marks[0].time), marks[0].seq - 0.75]
    : [Math.min(answered, times.at[0] ?? answered), 0]
  session.add(
    {
      kind: 'http',
      phase: 'response',
      link,
      request,
      status,
      statusText: record.statusText ?? '',
      headers: maskHeaders(responseHeaders),
    },
    headTime,
    headOrder,
  )
  const size = body === undefined ? 0 : utf8Length(body)
  if (streams) {
    const order = marks[0] ? marks[0].seq - 0.5 : 0
    session.add({ kind: 'stream', event: 'open', link, request }, headTime, order)
    await addParts(session, record, request, { parts, marks, times })
    if (failed === undefined) session.add({ kind: 'http', phase: 'end', link, request, size }, end, after)
    else session.add({ kind: 'http', phase: 'failed', link, request, stage: 'body', error: failed, size }, end, after)
    const why = failed === undefined ? 'ended' : 'broken'
    session.add({ kind: 'stream', event: 'close', link, request, why }, end, after)
    return
  }
  const message = body !== undefined && record.speaks && /^\s*[[{\uFEFF]/.test(body)
  const order = marks[0] ? marks[0].seq - 0.5 : 0
  const kept = message || body === undefined || body === '' ? {} : { body: body.slice(0, BODY_KEPT) }
  const cut = (kept.body?.length ?? 0) < (body?.length ?? 0) && !message ? { cut: true as const } : {}
  const at = marks[0] ? Math.min(end, marks[0].time) : end
  session.add({ kind: 'http', phase: 'end', link, request, size, ...kept, ...cut }, at, order)
  if (!message) return
  const draft = await messageOfText(body, { link, direction: 'received', carrier: request })
  session.add(draft, marks[0]?.time ?? end, marks[0]?.seq ?? 0)
}

const addParts = async (
  session: Rebuilding,
  record: HttpRecord,
  request: Seq,
  { parts, marks, times }: { parts: readonly Part[]; marks: readonly Mark[]; times: Times },
): Promise<void> => {
  const { link } = record
  const guessed = marks.length === 0 && times.guessed
  const pause = pacer()
  let messages = 0
  let [time, order] = marks[0] ? [marks[0].time, marks[0].seq - 0.5] : [0, 0]
  for (const [at, part] of parts.entries()) {
    if (session.full) break
    await pause()
    if (marks.length === 0) time = times.at[at]!
    if ('comment' in part) {
      session.add(
        { kind: 'stream', event: 'comment', link, request, text: part.comment.slice(0, COMMENT_KEPT) },
        time,
        order,
      )
    } else if ('retry' in part) {
      session.add({ kind: 'stream', event: 'retry', link, request, delay: part.retry }, time, order)
    } else if (part.data === '' || (part.name !== undefined && part.name !== 'message')) {
      session.add(dataOf(part, link, request), time, order)
    } else {
      const mark = marks[messages++]
      if (mark ? mark.repeated : cameBefore(record, part)) {
        session.add({ ...dataOf(part, link, request), repeated: true }, mark?.time ?? time, mark?.seq ?? order)
        continue
      }
      if (mark) {
        time = mark.time
        order = mark.seq
      }
      const { id, name } = part
      const event = { carrier: request, eventId: id, eventName: name }
      const draft = await messageOfText(part.data, { link, direction: 'received', ...event })
      session.add(draft, time, order)
      // Later parts of the stream come after it, and before the next mark.
      if (mark) order = mark.seq + 0.25
      if (guessed) session.lost('order')
    }
  }
}

const dataOf = ({ id, name, data }: RecordedEvent, link: Link, request: Seq) => ({
  kind: 'stream' as const,
  event: 'data' as const,
  link,
  request,
  id,
  name,
  data: data || undefined,
  size: data.length,
})

/** Only the same ID with the same data after an interruption: a server may give every event one ID. */
const cameBefore = ({ seen, headers }: HttpRecord, { id, data }: RecordedEvent): boolean => {
  if (!seen || id === undefined || id === '') return false
  const again = seen.get(id) === data && headerIn(headers, 'last-event-id') !== undefined
  seen.set(id, data)
  return again
}

interface Times {
  readonly at: readonly number[]
  readonly guessed: boolean
}

/**
 * When each part arrived. A stream's text has no times: parts are spread between its first and last byte, and between
 * those whose time other exchanges imply.
 */
const timesOf = (record: HttpRecord, parts: readonly Part[]): Times => {
  const known = parts.map((part) => ('time' in part ? part.time : undefined))
  if (known.every((time) => time !== undefined)) return { at: known, guessed: false }
  const { start, answered, end, timeIn } = record
  const at: number[] = []
  let from = 0
  let since = answered
  const spread = (to: number, until: number): void => {
    for (let index = from; index <= to; index++) {
      at[index] = since + ((until - since) * (index - from + 1)) / (to - from + 1)
    }
    from = to + 1
    since = until
  }
  if (timeIn) {
    for (const [index, part] of parts.entries()) {
      const time = 'data' in part ? timeIn(parsed(part.data)) : undefined
      if (time === undefined || time > end) continue
      // Dates are in whole ms: a response may seem to precede the stream with its request.
      if (from === 0) since = Math.min(since, Math.max(start, time))
      spread(index, Math.max(since, time))
    }
  }
  if (from < parts.length) spread(parts.length - 1, end)
  return { at, guessed: parts.length > 1 }
}

const parsed = (text: string): Json => (text.length > SLICE ? null : (jsonIn(text) ?? null))

const isStream = (headers: HeaderList, body: string | undefined): boolean => {
  const type = headerIn(headers, 'content-type')
  if (type !== undefined) return /^\s*text\/event-stream\s*(;|$)/i.test(type)
  return body !== undefined && /^(?:\uFEFF?(?:event|id|retry|data):|:)/.test(body) && /(?:^|\n|\r)data:/.test(body)
}

/** In slices, so that the page stays responsive. */
const partsOf = async (body: string): Promise<Part[]> => {
  const parts: Part[] = []
  const parser = createParser({
    onEvent: ({ id, event, data }) => parts.push({ id, name: event, data }),
    onComment: (comment) => parts.push({ comment }),
    onRetry: (retry) => parts.push({ retry }),
  })
  const pause = pacer()
  // The end of a file counts as an event, even without a trailing blank line.
  const text = `${body.replace(/^\uFEFF/, '')}\n\n`
  for (let from = 0; from < text.length; from += SLICE) {
    parser.feed(text.slice(from, from + SLICE))
    await pause()
  }
  return parts
}
