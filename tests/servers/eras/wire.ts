/**
 * Building blocks of the kinds: one exchange, with the same interface over HTTP and stdio, and the state of a place.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Seen } from '../control.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export interface JsonObject {
  [key: string]: Json
}

export interface Message {
  readonly id?: Json
  readonly method?: string
  readonly params?: JsonObject
  readonly result?: Json
  readonly error?: Json
}

/** An open `subscriptions/listen` request. */
export interface Listener {
  readonly id: Json
  readonly wants: JsonObject
  readonly exchange: Exchange
}

export interface Task {
  readonly id: string
  readonly kind: string
  readonly createdAt: number
  readonly ttlMs: number | null
  polls: number
  cancelled: boolean
  readonly answers: JsonObject
}

/** The state of one place or one process. */
export interface Place {
  /** Requests and notifications as received; over HTTP with their headers. */
  readonly seen: Seen[]
  readonly ids: Set<string>
  readonly listeners: Set<Listener>
  readonly tasks: Map<string, Task>
  /** Number of list changes that a client triggered. */
  changes: number
  /** Number of requests, by method. */
  readonly counts: Map<string, number>
  /** The params of the first round of a multi round-trip call. */
  first: JsonObject | undefined
}

export const makePlace = (): Place => ({
  seen: [],
  ids: new Set(),
  listeners: new Set(),
  tasks: new Map(),
  changes: 0,
  counts: new Map(),
  first: undefined,
})

export interface Exchange {
  readonly message: Message
  readonly place: Place
  /** Sends a message that belongs to this request, before its response. `jsonrpc` is added. */
  say(message: object): void
  /** Sends any text as a message: a line, or the data of an event, including its line breaks. */
  raw(text: string | Uint8Array): void
  /** Sends the result. Over HTTP this ends the response. */
  answer(result: JsonObject): void
  /** @param status HTTP status, if nothing was sent before; default: 200 */
  refuse(code: number, words: string, more?: { data?: Json; status?: number }): void
  /** Ends the response without a result; does nothing over stdio. */
  finish(): void
  /** Breaks the connection, or exits the process with 1. */
  die(): void
  /** Resolves to whether the client is still connected. */
  pause(ms: number): Promise<boolean>
  /** Calls `then` when the client closes this response or cancels this request. */
  onGone(then: () => void): void
  /** HTTP only. */
  readonly http?: { readonly request: IncomingMessage; readonly response: ServerResponse }
}

/** `well`: the correct response still has to be sent. */
export type Handler = (exchange: Exchange) => void | 'well' | Promise<void | 'well'>

export interface Kind {
  readonly says: string
  /** The lifecycle it supports apart from its fault. */
  readonly speaks: 'handshake' | 'modern' | 'both'
  readonly only?: 'http' | 'stdio'
  /** The protocol version of the handshake. Absent: the one the client offered, if supported. */
  readonly revision?: string
  /** Members that differ in the response to `initialize`. */
  readonly initialize?: JsonObject
  /** Handlers by method that replace the correct behaviour; `*` runs for every message, before the others. */
  readonly on?: { readonly [method: string]: Handler }
  /**
   * HTTP only: runs for every request except preflights, before its body is read. Returns whether it handled the
   * request, or never will.
   */
  readonly gate?: (request: IncomingMessage, response: ServerResponse, place: Place) => boolean
  /** The headers that a preflight allows; absent: all. `null`: preflights get 404. */
  readonly preflight?: string | null
  /** How it sends batches (2025-03-26). */
  readonly batch?: 'array' | 'event' | 'parts'
}

export type Kinds = Readonly<Record<string, Kind>>

export const MODERN = '2026-07-28'
export const HANDSHAKES = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

const META = 'io.modelcontextprotocol/'

const metaOf = ({ params }: Message): JsonObject => (params?.['_meta'] ?? {}) as JsonObject

/** The protocol version in the request's envelope. */
export const versionOf = (message: Message): Json | undefined => metaOf(message)[`${META}protocolVersion`]

export const capabilitiesOf = (message: Message): JsonObject =>
  (metaOf(message)[`${META}clientCapabilities`] ?? {}) as JsonObject

export const progressTokenOf = (message: Message): Json => metaOf(message)['progressToken'] ?? null

/** The members that every stateless result has. */
export const complete = (result: JsonObject): JsonObject => ({
  resultType: 'complete',
  ...result,
  _meta: { [`${META}serverInfo`]: { name: 'eras', version: '1.0.0' }, ...(result['_meta'] as JsonObject | undefined) },
})

export const text = (words: string): JsonObject => ({ content: [{ type: 'text', text: words }] })

export const subscription = (id: Json): JsonObject => ({ [`${META}subscriptionId`]: id })

/** Increments a counter of the place and returns it, starting at 1. */
export const count = (place: Place, what: string): number => {
  const now = (place.counts.get(what) ?? 0) + 1
  place.counts.set(what, now)
  return now
}
