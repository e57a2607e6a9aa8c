/** What the formats of other tools have in common: reading untrusted values, the direction of a message, and its frame. */
import {
  type FrameDraft,
  idKey,
  isDeep,
  isObject,
  isRequestId,
  type Json,
  type JsonObject,
  judge,
  type Link,
  type MessageDraft,
  parseLong,
  read,
  sameText,
  shallow,
  utf8Length,
  utf8LengthInSteps,
} from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import { LONG } from '../../json/index.ts'

/** Reads members of untrusted values. */
export const textAt = (value: JsonObject, key: string): string | undefined => {
  const text = Object.hasOwn(value, key) ? value[key] : undefined
  return typeof text === 'string' ? text : undefined
}

export const numberAt = (value: JsonObject, key: string): number | undefined => {
  const number = Object.hasOwn(value, key) ? value[key] : undefined
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export const listAt = (value: JsonObject, key: string): JsonObject[] => {
  const list = value[key]
  return Array.isArray(list) ? (list as readonly Json[]).filter(isObject) : []
}

/** ms since the epoch, from a date string or a number in ms or s. */
export const timeOf = (value: Json | undefined): number | undefined => {
  if (typeof value === 'number') {
    if (value > 1e11 && value < 1e14) return value
    return value > 1e8 && value < 1e11 ? value * 1000 : undefined
  }
  if (typeof value !== 'string' || value.length > 60) return undefined
  const time = Date.parse(value)
  return Number.isNaN(time) ? undefined : time
}

export const hostOf = (url: string): string => parsedUrl(url)?.host ?? ''

// Infers the sender of each message from its content and earlier requests, for logs that don't record it.

export type Direction = 'sent' | 'received'

/** Requests that servers send. All others are the client's, including `ping`, which either side may send. */
const ASKED_BY_SERVERS: ReadonlySet<string> = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list'])
const TOLD_BY_CLIENTS: ReadonlySet<string> = new Set(['notifications/initialized', 'notifications/roots/list_changed'])

/** Open requests remembered. */
const MOST_OPEN = 100_000

const other = (direction: Direction): Direction => (direction === 'sent' ? 'received' : 'sent')

export class Directions {
  readonly #open = new Map<string, Direction>()

  /** @param known the direction in the file; `undefined` if it has none */
  of(message: Json, link: Link, known?: Direction): Direction {
    const part = Array.isArray(message) ? (message as readonly Json[])[0] : message
    if (!isObject(part)) return known ?? 'sent'
    const key = isRequestId(part.id) ? `${link} ${idKey(part.id)}` : undefined
    if (typeof part.method === 'string') {
      const direction = known ?? this.#asking(part.method, part.params, link)
      if (key !== undefined && this.#open.size < MOST_OPEN) this.#open.set(key, direction)
      return direction
    }
    if (key === undefined) return known ?? 'received'
    const asked = this.#open.get(key)
    this.#open.delete(key)
    return known ?? (asked === undefined ? 'received' : other(asked))
  }

  #asking(method: string, params: Json | undefined, link: Link): Direction {
    if (method === 'notifications/cancelled' && isObject(params) && isRequestId(params.requestId)) {
      return this.#open.get(`${link} ${idKey(params.requestId)}`) ?? 'sent'
    }
    if (method.startsWith('notifications/')) return TOLD_BY_CLIENTS.has(method) ? 'sent' : 'received'
    return ASKED_BY_SERVERS.has(method) ? 'received' : 'sent'
  }
}

// Judges a message from a file like one from the wire.

type Messages = Pick<MessageDraft, 'direction' | 'carrier' | 'eventId' | 'eventName'> & { readonly link: Link }

/** The frame of a text. Never rejects: for invalid JSON, the frame says so. */
export const messageOfText = async (text: string, common: Messages): Promise<FrameDraft> => {
  const size = text.length > LONG ? await utf8LengthInSteps(text) : utf8Length(text)
  const parsed = text.length > LONG ? await long(text) : read(text)
  const { type, message, findings } = parsed
  const kept = message !== undefined && isDeep(text) ? shallow(message) : message
  return {
    kind: 'message',
    ...common,
    type,
    message: kept,
    raw: sameText(kept, text) ? undefined : text,
    size,
    findings: common.direction === 'sent' || findings.length === 0 ? undefined : findings,
  }
}

const long = async (text: string): Promise<ReturnType<typeof read>> => {
  try {
    return judge((await parseLong(text)).value)
  } catch {
    // It reports the reason, and is equally fast for invalid text.
    return read(text)
  }
}

/** The frame of a value whose exact text is unknown. */
export const messageOfValue = (value: Json, common: Messages): FrameDraft => {
  const { type, findings } = judge(value)
  return {
    kind: 'message',
    ...common,
    type,
    message: value,
    size: utf8Length(JSON.stringify(value)),
    findings: common.direction === 'sent' || findings.length === 0 ? undefined : findings,
  }
}

/** Whether it is a JSON-RPC message, or a batch of them. */
export const isRpc = (value: unknown): boolean => {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value]
  return (
    parts.length > 0 &&
    parts.slice(0, 1000).every((part) => {
      if (typeof part !== 'object' || part === null) return false
      const { jsonrpc, method } = part as { jsonrpc?: unknown; method?: unknown }
      return jsonrpc === '2.0' && (typeof method === 'string' || 'result' in part || 'error' in part)
    })
  )
}
