/** Messages sent manually on each connection, with their HTTP exchange and the messages received. */
import { isObject } from '../../mcp/index.ts'
import type { Fold, Frame, Link, MessageFrame, MessageKind, Seq } from '../../mcp/index.ts'

/** Messages stored per connection; older ones are still in the Trace. */
const KEPT = 500
const REPLIES_KEPT = 100
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
  /** Messages in the response to that request. */
  replies: Seq[]
  http?: { readonly seq: Seq; readonly status: number; readonly statusText: string }
  /** The HTTP exchange failed; the error is the runtime's message. */
  failed?: { readonly seq: Seq; readonly error: string }
}

export interface LinkSent {
  sent: Sent[]
  /** The number sent so far, including those no longer stored. */
  count: number
  /** The open session's name for its transport, such as `stdio`. */
  transport?: string
  readonly byCarrier: Map<Seq, Sent>
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
        return frame.direction === 'sent' ? sent(books, frame) : received(books.get(frame.link), frame)
      case 'http':
        return frame.phase === 'request' ? false : exchanged(books.get(frame.link), frame)
      default:
        return false
    }
  },
}

const bookOf = (books: SentByLink, link: Link): LinkSent => {
  let book = books.get(link)
  if (!book) books.set(link, (book = { sent: [], count: 0, byCarrier: new Map() }))
  return book
}

const sent = (books: SentByLink, frame: MessageFrame): void | false => {
  if (!frame.byHand) return false
  const book = bookOf(books, frame.link)
  const entry: Sent = {
    seq: frame.seq,
    at: frame.at,
    type: frame.type,
    title: titleOf(frame),
    ...(frame.carrier === undefined ? {} : { carrier: frame.carrier }),
    replies: [],
  }
  book.count++
  book.sent.push(entry)
  if (frame.carrier !== undefined) book.byCarrier.set(frame.carrier, entry)
  if (book.sent.length <= KEPT) return
  const gone = book.sent.shift()!
  if (gone.carrier !== undefined) book.byCarrier.delete(gone.carrier)
}

const titleOf = ({ message, raw, released }: MessageFrame): string => {
  if (isObject(message) && typeof message.method === 'string') return message.method.slice(0, EXCERPT)
  if (released?.method !== undefined) return released.method.slice(0, EXCERPT)
  return (raw ?? JSON.stringify(message) ?? '').replace(/\s+/g, ' ').trim().slice(0, EXCERPT)
}

const received = (book: LinkSent | undefined, { carrier, seq }: MessageFrame): void | false => {
  const entry = carrier === undefined ? undefined : book?.byCarrier.get(carrier)
  if (!entry || entry.replies.length >= REPLIES_KEPT) return false
  entry.replies = [...entry.replies, seq]
}

const exchanged = (book: LinkSent | undefined, frame: Frame & { kind: 'http' }): void | false => {
  const entry = frame.phase === 'request' ? undefined : book?.byCarrier.get(frame.request)
  if (!entry) return false
  if (frame.phase === 'response') {
    entry.http = { seq: frame.seq, status: frame.status, statusText: frame.statusText }
    return
  }
  if (frame.phase !== 'failed') return false
  entry.failed = { seq: frame.seq, error: frame.aborted ?? frame.error }
}

/** The exact text that was sent; `undefined` if it was released to keep the memory budget. */
export const textOf = (frame: Frame | undefined): string | undefined => {
  if (frame?.kind !== 'message') return undefined
  return frame.raw ?? (frame.message === undefined ? undefined : JSON.stringify(frame.message))
}
