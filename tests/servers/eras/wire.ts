/** What the kinds are made of: one exchange, which looks the same over HTTP and stdio, and what a place remembers. */
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

/** One who listens by `subscriptions/listen`. */
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

/** What one place, or one process, remembers. */
export interface Place {
  /** Requests and notifications as they came; over HTTP with their headers. */
  readonly seen: Seen[]
  readonly ids: Set<string>
  readonly listeners: Set<Listener>
  readonly tasks: Map<string, Task>
  /** Lists that changed because somebody asked for it. */
  changes: number
  /** How often something was asked, by method. */
  readonly counts: Map<string, number>
  /** The first params of a call that went several rounds. */
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
  /** A message that belongs to this one, before its answer. `jsonrpc` is added. */
  say(message: object): void
  /** Anything as a message: a line, or the data of an event, whatever line ends it has. */
  raw(text: string | Uint8Array): void
  /** The answer. Over HTTP it ends the response. */
  answer(result: JsonObject): void
  /** @param status over HTTP, when nothing was said before; 200 where it is not given */
  refuse(code: number, words: string, more?: { data?: Json; status?: number }): void
  /** Ends the response without an answer; over stdio nothing happens. */
  finish(): void
  /** Breaks the connection, or ends the process with 1. */
  die(): void
  /** Resolves to whether the other side is still there. */
  pause(ms: number): Promise<boolean>
  /** Told when the other side closes this response, or cancels this request. */
  onGone(then: () => void): void
  /** Over HTTP alone. */
  readonly http?: { readonly request: IncomingMessage; readonly response: ServerResponse }
}

/** `well`: what a server that is well would answer is still to come. */
export type Handler = (exchange: Exchange) => void | 'well' | Promise<void | 'well'>

export interface Kind {
  readonly says: string
  /** What it speaks where nothing is wrong with it. */
  readonly speaks: 'handshake' | 'modern' | 'both'
  readonly only?: 'http' | 'stdio'
  /** The revision of the handshake. Absent: the one that was offered, where it knows it. */
  readonly revision?: string
  /** What differs in the answer to `initialize`. */
  readonly initialize?: JsonObject
  /** What is different, by method; `*` for every message, before the rest. */
  readonly on?: { readonly [method: string]: Handler }
  /** Over HTTP, for every request but preflights, before it is read. Returns whether it is answered, or never will be. */
  readonly gate?: (request: IncomingMessage, response: ServerResponse, place: Place) => boolean
  /** The headers that a preflight allows; absent: all. `null`: preflights get 404. */
  readonly preflight?: string | null
  /** How it batches (2025-03-26). */
  readonly batch?: 'array' | 'event' | 'parts'
}

export type Kinds = Readonly<Record<string, Kind>>

export const MODERN = '2026-07-28'
export const HANDSHAKES = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

const META = 'io.modelcontextprotocol/'

const metaOf = ({ params }: Message): JsonObject => (params?.['_meta'] ?? {}) as JsonObject

/** What the request says of its revision, in its envelope. */
export const versionOf = (message: Message): Json | undefined => metaOf(message)[`${META}protocolVersion`]

export const capabilitiesOf = (message: Message): JsonObject =>
  (metaOf(message)[`${META}clientCapabilities`] ?? {}) as JsonObject

export const progressTokenOf = (message: Message): Json => metaOf(message)['progressToken'] ?? null

/** The members that every modern result has. */
export const complete = (result: JsonObject): JsonObject => ({
  resultType: 'complete',
  ...result,
  _meta: { [`${META}serverInfo`]: { name: 'eras', version: '1.0.0' }, ...(result['_meta'] as JsonObject | undefined) },
})

export const text = (words: string): JsonObject => ({ content: [{ type: 'text', text: words }] })

export const subscription = (id: Json): JsonObject => ({ [`${META}subscriptionId`]: id })

/** Raises a count of the place, and returns it: 1 at first. */
export const count = (place: Place, what: string): number => {
  const now = (place.counts.get(what) ?? 0) + 1
  place.counts.set(what, now)
  return now
}
