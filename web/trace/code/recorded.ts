/** Finds in a trace what is needed to send a request again. */
import { isRecord, readExactly, type Value } from '../../json/index.ts'
import type { Frame, FrameOf, Json, JsonObject, Seq, Trace } from '../../mcp/index.ts'
import type { SentRequest } from './request.ts'
import { objectOf, pairOf, type Surroundings } from '../facts.ts'

/** The frames from which `sentRequest` reads: redact them before. Empty unless the frame is a request that was sent, or its response. */
export const framesOfRequest = (seq: Seq, trace: Trace, around: Pick<Surroundings, 'exchanges'>): readonly Frame[] => {
  const frame = trace.at(seq)
  const exchange = frame && pairOf(frame, around)
  const request = exchange && trace.at(exchange.request)
  if (!exchange || exchange.direction !== 'sent' || request?.kind !== 'message' || !isObject(request.message)) return []
  const { all } = around.exchanges
  let first: Frame | undefined
  // Backwards: a session may have been renewed.
  for (let at = all.length - 1; at >= 0 && !first; at--) {
    const each = all[at]!
    if (each.request <= exchange.request && each.link === exchange.link && each.method === 'initialize')
      first = trace.at(each.request)
  }
  let opening: Frame | undefined
  for (let at = exchange.request; at >= 0 && !opening && request.carrier === undefined; at--) {
    const each = trace.at(at)
    if (each?.link === exchange.link && isOpening(each)) opening = each
  }
  const carrier = request.carrier === undefined ? undefined : trace.at(request.carrier)
  return [request, carrier, first, opening, first && streamBefore(first, carrier, trace)].filter(
    (each) => each !== undefined,
  )
}

/** The frame that says what a message without a carrier goes to. */
const isOpening = (frame: Frame): boolean =>
  (frame.kind === 'process' && frame.event === 'spawn') || (frame.kind === 'transport' && frame.event === 'opening')

/** Frames of other servers may lie between a stream and the first message that it is for. */
const NEAR = 200

/** HTTP+SSE opens its stream before the handshake, whose messages go to another URL. */
const streamBefore = (first: Frame, carrier: Frame | undefined, trace: Trace): Frame | undefined => {
  if (carrier?.kind !== 'http' || carrier.phase !== 'request') return undefined
  for (let at = first.seq - 1; at >= Math.max(0, first.seq - NEAR); at--) {
    const each = trace.at(at)
    if (each?.kind !== 'http' || each.link !== carrier.link || each.phase !== 'request') continue
    if (each.purpose === 'listen') return each.url === carrier.url ? undefined : each
  }
  return undefined
}

/** With numbers as they were written. */
const exact = ({ raw, message }: FrameOf<'message'>): Value => {
  if (raw === undefined) return message ?? null
  try {
    return readExactly(raw)
  } catch {
    return message ?? null
  }
}

/** @param frames as `framesOfRequest` returns them */
export const sentRequest = (frames: readonly Frame[]): SentRequest | undefined => {
  const [request] = frames
  if (request?.kind !== 'message') return undefined
  const carriers = frames.flatMap((frame) => (frame.kind === 'http' && frame.phase === 'request' ? [frame] : []))
  const carrier = carriers.find(({ purpose }) => purpose !== 'listen')
  const stream = carriers.find(({ purpose }) => purpose === 'listen')
  const spawn = frames.find((frame): frame is FrameOf<'process'> => frame.kind === 'process')
  const socket = frames.find((frame): frame is FrameOf<'transport'> => frame.kind === 'transport')
  const first = frames.find((frame) => frame.kind === 'message' && objectOf(frame.message).method === 'initialize')
  const message = exact(request)
  return {
    message: isRecord(message) ? message : {},
    ...(carrier ? { http: { ...carrier, ...(stream ? { stream: stream.url } : {}) } } : {}),
    ...(spawn?.event === 'spawn' ? { process: spawn } : {}),
    // The others are of the local proxy, which a program hasn't.
    ...(socket?.event === 'opening' && socket.transport === 'WebSocket' ? { webSocket: socket.url } : {}),
    ...(first?.kind === 'message' && first !== request ? { initialize: objectOf(first.message) } : {}),
  }
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
