/** What the faults are made of: one exchange, and ways to answer it. */
import type { IncomingMessage, ServerResponse } from 'node:http'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly [key: string]: Json } & { readonly _meta?: { readonly progressToken?: number } }
}

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly message: Message
}

export type Fault = (exchange: Exchange) => void | Promise<void>

export const result = (id: number, text = 'Grüße, 世界 🎈'): Json => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }] },
})

export const json = ({ response }: Exchange, body: Json | string, status = 200, type = 'application/json'): void => {
  response.writeHead(status, type === '' ? {} : { 'Content-Type': type })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

export const beginEvents = ({ response }: Exchange, type = 'text/event-stream'): void => {
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' })
  response.flushHeaders()
}

export const event = (data: Json | string, id?: string, lineEnd = '\n'): string => {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    `data: ${typeof data === 'string' ? data : JSON.stringify(data)}`,
  ]
  return `${lines.join(lineEnd)}${lineEnd}${lineEnd}`
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Writes, and waits while the other side is slow. Resolves to false when it has gone. */
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
