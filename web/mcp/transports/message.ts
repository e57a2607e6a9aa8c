/** Messages in transit: what a transport sends and delivers. */
import type { JsonObject, Seq } from '../frame.ts'
import type { ParsedMessage } from '../jsonrpc.ts'

/** A message as a transport delivers it: already in the Trace, with its verdict. */
export interface Received extends ParsedMessage {
  readonly seq: Seq
  /** UTF-8 bytes of its text. */
  readonly size: number
  /** The status of the HTTP response whose whole body it was. */
  readonly status?: number
}

export interface Outbound {
  readonly message: JsonObject | readonly JsonObject[]
  /** The exact text to send instead of the serialized message (the Raw panel). */
  readonly text?: string
  /** Headers that the lifecycle requires; only transports with headers use them. */
  readonly headers?: Readonly<Record<string, string>>
  readonly limits?: { readonly idle: number; readonly total: number }
  readonly byHand?: true
  /** The request that this one continues. */
  readonly follows?: Seq
  /** Called with the seq of its message frame as soon as it exists. */
  readonly captured?: (seq: Seq) => void
}
