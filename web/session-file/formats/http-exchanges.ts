/** The sources of HAR entries: HTTP exchanges with their frames, and messages without HTTP. */
import { eachInSteps, exchanges, httpExchanges, httpRequestOf, pacer } from '../../mcp/index.ts'
import type { FaultKind, Frame, FrameOf, HttpExchange, Link, MessageFrame, Seq } from '../../mcp/index.ts'

type Http<Phase extends FrameOf<'http'>['phase']> = Extract<FrameOf<'http'>, { phase: Phase }>

/** The frames of one HTTP exchange, by role. */
export interface HttpFrames {
  readonly request: Http<'request'>
  readonly response: Http<'response'> | undefined
  readonly end: Http<'end'> | Http<'failed'> | undefined
  readonly sent: MessageFrame | undefined
  readonly received: readonly MessageFrame[]
  /** Parts of the event stream in order, if it was one. */
  readonly events: readonly StreamPart[]
  readonly streams: boolean
  /** Faults that were injected into it. */
  readonly faults: readonly FaultKind[]
  /** ms since the trace began: the last frame of the exchange. */
  readonly last: number
}

export interface LooseMessages {
  readonly link: Link
  readonly sent?: MessageFrame
  readonly received: MessageFrame[]
  /** It contains all unprompted messages of a connection. */
  readonly stream: boolean
  /** ms since the trace began. */
  readonly at: number
  until: number
}

interface Exchanged {
  readonly http: readonly HttpFrames[]
  readonly loose: readonly LooseMessages[]
  /** Frames that belong to neither, by kind. */
  readonly without: Readonly<Record<string, number>>
}

export const exchangesIn = async (frames: readonly Frame[]): Promise<Exchanged> => {
  const without: Record<string, number> = {}
  const loose = new Map<Seq, LooseMessages>()
  const unasked = new Map<Link, LooseMessages>()
  const [http, pairs] = [httpExchanges.initial(), exchanges.initial()]
  await eachInSteps(frames, (frame) => {
    httpExchanges.step(http, frame)
    exchanges.step(pairs, frame)
    if (http.has(httpRequestOf(frame) ?? -1)) return
    if (frame.kind !== 'message') return void (without[frame.kind] = (without[frame.kind] ?? 0) + 1)
    const { link, at, direction, seq } = frame
    if (direction === 'sent')
      return void loose.set(seq, { link, sent: frame, received: [], stream: false, at, until: at })
    const pair = pairs.bySeq.get(seq)
    const asking = pair?.response === seq ? loose.get(pair.request) : undefined
    const before = asking?.received.length === 0 ? asking : unasked.get(link)
    if (before) {
      before.received.push(frame)
      before.until = at
    } else unasked.set(link, { link, received: [frame], stream: true, at, until: at })
  })
  const pause = pacer()
  const whole: HttpFrames[] = []
  for (const exchange of http.values()) {
    whole.push(framesOf(exchange, frames))
    await pause()
  }
  return { http: whole, loose: [...loose.values(), ...unasked.values()], without }
}

const framesOf = (exchange: HttpExchange, frames: readonly Frame[]): HttpFrames => {
  const at = (seq: Seq | undefined) => (seq === undefined ? undefined : frames[seq])
  const own = exchange.frames.flatMap((seq) => at(seq) ?? [])
  // Requests that resume or repeat it are separate exchanges.
  const parts = own.filter((frame) => frame.kind === 'message' || frame.kind === 'stream')
  const messages = parts.filter((part) => part.kind === 'message')
  const streams = parts.some((part) => part.kind === 'stream' && part.event === 'open')
  const request = at(exchange.request) as Http<'request'>
  return {
    request,
    response: at(exchange.response) as Http<'response'> | undefined,
    end: at(exchange.end) as Http<'end'> | Http<'failed'> | undefined,
    sent: messages.findLast(({ direction }) => direction === 'sent'),
    received: messages.filter(({ direction }) => direction === 'received'),
    events: streams ? parts.filter((part) => part.kind === 'stream' || part.direction === 'received') : [],
    streams,
    faults: own.flatMap((frame) => (frame.kind === 'fault' && frame.event === 'injected' ? [frame.fault] : [])),
    last: own.findLast((frame) => httpRequestOf(frame) === exchange.request)?.at ?? request.at,
  }
}

/** The transport of each connection, by the transport's own name. */
export const transportsOf = (frames: readonly Frame[]): ReadonlyMap<Link, string> => {
  const transports = new Map<Link, string>()
  for (const frame of frames)
    if (frame.kind === 'session' && frame.phase === 'open') transports.set(frame.link, frame.transport)
  return transports
}

// The text of what was sent or received, if the trace still contains it.

/** `undefined` if its body was released, or omitted from a file. */
export const textOfMessage = ({ raw, message }: Pick<MessageFrame, 'raw' | 'message'>): string | undefined =>
  raw ?? (message === undefined ? undefined : JSON.stringify(message))

interface EventFields {
  readonly id?: string
  readonly name?: string
  readonly data: string
}

export type StreamPart = MessageFrame | FrameOf<'stream'>

/**
 * A part of an event stream as its server may have written it. Other frames, such as the stream's opening, have no
 * text.
 */
export const eventText = (part: EventFields | StreamPart): string => {
  if (!('kind' in part)) return event(part)
  if (part.kind === 'message') {
    return event({ id: part.eventId, name: part.eventName, data: textOfMessage(part) ?? '' })
  }
  switch (part.event) {
    case 'data':
      return event({ ...part, data: part.data ?? '' })
    case 'comment':
      return (
        part.text
          .split(LINES)
          .map((line) => `:${line}\n`)
          .join('') + '\n'
      )
    case 'retry':
      return `retry: ${part.delay}\n\n`
    default:
      return ''
  }
}

const LINES = /\r\n|\n|\r/

const event = ({ id, name, data }: EventFields): string =>
  [
    // Names and IDs can't contain line ends in a stream.
    ...(id === undefined ? [] : [`id: ${id.replace(/[\r\n]/g, ' ')}\n`]),
    ...(name === undefined ? [] : [`event: ${name.replace(/[\r\n]/g, ' ')}\n`]),
    ...data.split(LINES).map((line) => `data: ${line}\n`),
    '\n',
  ].join('')
