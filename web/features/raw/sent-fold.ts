/** Messages sent manually on each connection, and what came back over HTTP. */
import { getOrInsert, isObject } from '../../mcp/index.ts'
import type { Fold, Frame, FrameOf, HttpExchanges, Link, MessageFrame, MessageKind, Seq } from '../../mcp/index.ts'

/** Messages stored per connection; older ones are still in the Trace. */
const KEPT = 500
/** Messages of an HTTP response that are shown. */
const MESSAGES_SHOWN = 100
/** Characters shown of a text without a method. */
const EXCERPT = 80

export interface Sent {
  readonly seq: Seq
  readonly at: number
  readonly type: MessageKind
  /** Its method, or the beginning of the text. */
  readonly title: string
  /** The HTTP request that carried it. */
  readonly carrier?: Seq
}

export interface LinkSent {
  sent: Sent[]
  /** The number sent so far, including those no longer stored. */
  count: number
  /** The open session's name for its transport, such as `stdio`. */
  transport?: string
}

export type SentByLink = Map<Link, LinkSent>

export const sentFold: Fold<SentByLink> = {
  initial: () => new Map(),

  step(books, frame) {
    switch (frame.kind) {
      case 'session':
        if (frame.phase !== 'open') return false
        bookOf(books, frame.link).transport = frame.transport
        return
      case 'message':
        return frame.byHand && frame.direction === 'sent' ? sent(bookOf(books, frame.link), frame) : false
      default:
        return false
    }
  },
}

const bookOf = (books: SentByLink, link: Link): LinkSent => getOrInsert(books, link, () => ({ sent: [], count: 0 }))

const sent = (book: LinkSent, frame: MessageFrame): void => {
  const { seq, at, type, carrier } = frame
  book.count++
  book.sent.push({ seq, at, type, title: titleOf(frame), ...(carrier === undefined ? {} : { carrier }) })
  if (book.sent.length > KEPT) book.sent.shift()
}

const titleOf = ({ message, raw, released }: MessageFrame): string => {
  if (isObject(message) && typeof message.method === 'string') return message.method.slice(0, EXCERPT)
  if (released?.method !== undefined) return released.method.slice(0, EXCERPT)
  return (raw ?? JSON.stringify(message) ?? '').replace(/\s+/g, ' ').trim().slice(0, EXCERPT)
}

/** The HTTP response to a message sent manually. */
export interface HttpReply {
  readonly head?: Extract<FrameOf<'http'>, { phase: 'response' }>
  readonly failed?: Extract<FrameOf<'http'>, { phase: 'failed' }>
  /** The messages in it. */
  readonly messages: readonly Seq[]
}

/** @param frameAt returns the frame with the given seq */
export const httpReplyTo = (
  { carrier = -1 }: Sent,
  exchanges: HttpExchanges,
  frameAt: (seq: Seq) => Frame | undefined,
): HttpReply => {
  const { response = -1, end = -1, frames = [] } = exchanges.get(carrier) ?? {}
  const [head, failed] = [frameAt(response), frameAt(end)]
  const messages: Seq[] = []
  // Ends early: a stream may be long, and this runs for each visible row while it grows.
  for (const seq of frames) {
    const frame = frameAt(seq)
    if (frame?.kind === 'message' && frame.direction === 'received') messages.push(seq)
    if (messages.length === MESSAGES_SHOWN) break
  }
  return {
    ...(head?.kind === 'http' && head.phase === 'response' ? { head } : {}),
    ...(failed?.kind === 'http' && failed.phase === 'failed' ? { failed } : {}),
    messages,
  }
}

/** The exact text that was sent; `undefined` if it was released to keep the memory budget. */
export const textOf = (frame: Frame | undefined): string | undefined => {
  if (frame?.kind !== 'message') return undefined
  return frame.raw ?? (frame.message === undefined ? undefined : JSON.stringify(frame.message))
}
