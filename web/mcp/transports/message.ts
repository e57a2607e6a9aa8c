/** Messages on their way: what a transport is given to send, and what it hands on. */
import type { JsonObject, Seq } from '../frame.ts'
import type { ParsedMessage } from '../jsonrpc.ts'

/** A message as a transport hands it on: already in the Trace, with its verdict. */
export interface Received extends ParsedMessage {
  readonly seq: Seq
  /** UTF-8 bytes of its text. */
  readonly size: number
  /** Of the HTTP response that held it as its whole body. */
  readonly status?: number
}

export interface Outbound {
  readonly message: JsonObject | readonly JsonObject[]
  /** The exact text to send instead of the serialised message (the Raw panel). */
  readonly text?: string
  /** Headers the era asks for; only transports with headers use them. */
  readonly headers?: Readonly<Record<string, string>>
  readonly limits?: { readonly idle: number; readonly total: number }
  readonly byHand?: true
  /** The request that this one carries on. */
  readonly follows?: Seq
  /** Told the seq of its message frame as soon as it has one. */
  readonly captured?: (seq: Seq) => void
}
