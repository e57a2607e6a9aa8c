/** Which frames of a session are one HTTP exchange, and which messages had none. */
import { exchanges, pacer } from '../../mcp/index.ts'
import type { Frame, FrameOf, Link, MessageFrame, Seq } from '../../mcp/index.ts'
import { foldInSteps } from '../slices.ts'
import type { StreamPart } from './message-text.ts'

type Http<Phase extends FrameOf<'http'>['phase']> = Extract<FrameOf<'http'>, { phase: Phase }>

export interface HttpExchange {
  readonly request: Http<'request'>
  response?: Http<'response'>
  end?: Http<'end'> | Http<'failed'>
  sent?: MessageFrame
  readonly received: MessageFrame[]
  /** Parts of an event stream in their order, where it was one. */
  events: StreamPart[]
  streams: boolean
  /** ms since the trace began: the last frame of it. */
  last: number
}

export interface LooseMessages {
  readonly link: Link
  readonly sent?: MessageFrame
  readonly received: MessageFrame[]
  /** All that came unasked on a connection. */
  readonly stream: boolean
  /** ms since the trace began. */
  readonly at: number
  until: number
}

export interface Exchanged {
  readonly http: readonly HttpExchange[]
  readonly loose: readonly LooseMessages[]
  /** Frames that are part of neither, by kind. */
  readonly without: Readonly<Record<string, number>>
}

export const exchangesIn = async (frames: readonly Frame[]): Promise<Exchanged> => {
  const http = new Map<Seq, HttpExchange>()
  const without: Record<string, number> = {}
  const loose = new Map<Seq, LooseMessages>()
  const unasked = new Map<Link, LooseMessages>()
  const { bySeq } = await foldInSteps(exchanges, frames)
  const pause = pacer()
  for (const frame of frames) {
    const wait = pause()
    if (wait) await wait
    const of = 'carrier' in frame ? frame.carrier : 'request' in frame ? frame.request : undefined
    const exchange = of === undefined ? undefined : http.get(of)
    if (frame.kind === 'http' && frame.phase === 'request')
      http.set(frame.seq, { request: frame, received: [], events: [], streams: false, last: frame.at })
    else if (exchange && (frame.kind === 'http' || frame.kind === 'stream' || frame.kind === 'message'))
      take(exchange, frame)
    else if (frame.kind === 'message') {
      const pair = bySeq.get(frame.seq)
      const asking = pair?.response === frame.seq ? loose.get(pair.request) : undefined
      if (frame.direction === 'sent')
        loose.set(frame.seq, {
          link: frame.link,
          sent: frame,
          received: [],
          stream: false,
          at: frame.at,
          until: frame.at,
        })
      else if (asking && asking.received.length === 0) {
        asking.received.push(frame)
        asking.until = frame.at
      } else {
        const stream = unasked.get(frame.link)
        if (stream) {
          stream.received.push(frame)
          stream.until = frame.at
        } else {
          unasked.set(frame.link, { link: frame.link, received: [frame], stream: true, at: frame.at, until: frame.at })
        }
      }
    } else without[frame.kind] = (without[frame.kind] ?? 0) + 1
  }
  for (const exchange of http.values()) if (!exchange.streams) exchange.events = []
  return { http: [...http.values()], loose: [...loose.values(), ...unasked.values()], without }
}

const take = (exchange: HttpExchange, frame: FrameOf<'http'> | FrameOf<'stream'> | MessageFrame): void => {
  exchange.last = frame.at
  if (frame.kind === 'message') {
    if (frame.direction === 'sent') exchange.sent = frame
    else {
      exchange.received.push(frame)
      exchange.events.push(frame)
    }
  } else if (frame.kind === 'stream') {
    if (frame.event === 'open') exchange.streams = true
    exchange.events.push(frame)
  } else if (frame.phase === 'response') exchange.response = frame
  else if (frame.phase === 'end' || frame.phase === 'failed') exchange.end = frame
}

/** How each connection was carried, as its transport calls itself. */
export const transportsOf = (frames: readonly Frame[]): ReadonlyMap<Link, string> => {
  const transports = new Map<Link, string>()
  for (const frame of frames)
    if (frame.kind === 'session' && frame.phase === 'open') transports.set(frame.link, frame.transport)
  return transports
}
