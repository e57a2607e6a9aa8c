/** Building blocks of the faults: one exchange, and ways to respond. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Seen } from '../control.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly [key: string]: Json } & { readonly _meta?: { readonly progressToken?: Json } }
}

/** The state of one `/h/<name>/<key>`. */
export interface Place {
  readonly sessions: Set<string>
  /** A session was ended on purpose, once. */
  expired: boolean
  /** The response that waits for a resumption. */
  waiting: Json | undefined
  listChanges: number
  readonly listeners: Set<ServerResponse>
  /** Responses of the client. */
  readonly answers: Message[]
  readonly seen: Seen[]
}

export const makePlace = (): Place => ({
  sessions: new Set(),
  expired: false,
  waiting: undefined,
  listChanges: 0,
  listeners: new Set(),
  answers: [],
  seen: [],
})

export interface Exchange {
  readonly place: Place
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** A request, because it has an id. */
  readonly message: Message & { readonly id: number }
}

export type Fault = (exchange: Exchange) => void | Promise<void>

export const result = (id: number, text = 'Grüße, 世界 🎈'): { [key: string]: Json } => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }] },
})

export const progress = ({ message }: Exchange, value: number): Json => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: message.params?._meta?.progressToken ?? message.id, progress: value },
})

export const logMessage = (data: Json, logger = 'hostile'): Json => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', logger, data },
})

export const json = (
  { response }: Pick<Exchange, 'response'>,
  body: Json | string,
  status = 200,
  type = 'application/json',
): void => {
  response.writeHead(status, type === '' ? {} : { 'Content-Type': type })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

export const beginEvents = ({ response }: Pick<Exchange, 'response'>, type = 'text/event-stream'): void => {
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' })
  response.flushHeaders()
}

export const event = (data: Json, id?: string, lineEnd = '\n'): string => {
  const lines = [...(id === undefined ? [] : [`id: ${id}`]), `data: ${JSON.stringify(data)}`]
  return `${lines.join(lineEnd)}${lineEnd}${lineEnd}`
}

/** Writes, and waits while the client is slow. Resolves to false if the client has disconnected. */
export const write = async (response: ServerResponse, chunk: string | Uint8Array): Promise<boolean> => {
  if (response.destroyed || response.writableEnded) return false
  if (response.write(chunk)) return true
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.once('drain', done)
    response.once('close', done)
  })
  return !response.destroyed
}
