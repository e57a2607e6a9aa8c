/**
 * A server on the official SDK, with an event store, whose streams are cut.
 *
 *     /cut/<events>/<rest…>     every response with events is destroyed after that many, in the middle of the next one
 *     /poll/<ms>/<rest…>        the server itself closes the stream during a call and asks to come back (SEP-1699)
 *
 * `<rest>` is anything: it keeps tests apart. Tools: `slow-count` {n, ms}, `notify` {n}, `big` {size}, `echo` {text}.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport, type EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { allowPages, listen, type Peer } from './listening.ts'

/** Events in order, each with the stream it belongs to; an id is its place. */
class MemoryEvents implements EventStore {
  readonly #events: { stream: string; message: JSONRPCMessage }[] = []

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.#events.push({ stream, message })
    return String(this.#events.length - 1)
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events[Number(id)]?.stream
  }

  async replayEventsAfter(
    id: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const stream = this.#events[Number(id)]?.stream ?? ''
    for (const [index, event] of this.#events.entries()) {
      // A priming event is stored as an empty object; it is no message to send again.
      if (index > Number(id) && event.stream === stream && 'jsonrpc' in event.message)
        await send(String(index), event.message)
    }
    return stream
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const number = { type: 'number' } as const

const TOOLS = [
  {
    name: 'slow-count',
    description: 'Counts to n, a progress notification per step',
    properties: { n: number, ms: number },
  },
  { name: 'notify', description: 'Sends n numbered log messages on the GET stream', properties: { n: number } },
  { name: 'big', description: 'Answers with a text of this many characters', properties: { size: number } },
  { name: 'echo', description: 'Answers with the text', properties: { text: { type: 'string' } } },
].map(({ properties, ...tool }) => ({
  ...tool,
  inputSchema: { type: 'object' as const, properties, required: Object.keys(properties) },
}))

const makeServer = (transport: () => StreamableHTTPServerTransport, poll: boolean): Server => {
  const server = new Server({ name: 'cutting', version: '1.0.0' }, { capabilities: { logging: {}, tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { _meta, sendNotification, requestId }) => {
    const {
      n = 0,
      ms = 0,
      size = 0,
      text = '',
    } = (params.arguments ?? {}) as { n?: number; ms?: number; size?: number; text?: string }
    const say = (answer: string) => ({ content: [{ type: 'text' as const, text: answer }] })
    switch (params.name) {
      case 'slow-count': {
        for (let step = 1; step <= n; step++) {
          await pause(ms)
          if (poll && step === 2) transport().closeSSEStream(requestId)
          const progressToken = _meta?.progressToken
          if (progressToken === undefined) continue
          await sendNotification({
            method: 'notifications/progress',
            params: { progressToken, progress: step, total: n, message: `Schritt ${step} · 第${step}步` },
          })
        }
        return say(`counted to ${n}`)
      }
      case 'notify':
        for (let index = 1; index <= n; index++) {
          await server.notification({ method: 'notifications/message', params: { level: 'info', data: index } })
          await pause(5)
        }
        return say(`sent ${n}`)
      case 'big':
        return say('é'.repeat(size))
      default:
        return say(text)
    }
  })
  return server
}

/** Destroys the response in the middle of the event after `limit` whole ones. */
const cut = (response: ServerResponse, limit: number): void => {
  const write = response.write.bind(response) as (chunk: unknown, ...rest: unknown[]) => boolean
  let seen = 0
  response.write = ((chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
    if (!String(response.getHeader('content-type')).startsWith('text/event-stream')) return write(chunk, ...rest)
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const events = text.match(/[\s\S]*?\n\n/g) ?? []
    // A comment or a retry alone is no event.
    const counted = events.filter((event) => /^data:/m.test(event)).length
    if (seen + counted <= limit) {
      seen += counted
      return write(chunk, ...rest)
    }
    const bytes = Buffer.from(text)
    write(bytes.subarray(0, Math.ceil(bytes.length / 2)))
    // The half must leave before the connection does.
    setTimeout(() => response.destroy(), 5)
    response.write = () => true
    response.end = (() => response) as typeof response.end
    return true
  }) as typeof response.write
}

export const start = async (): Promise<Peer> => {
  const transports = new Map<string, StreamableHTTPServerTransport>()

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (allowPages(request, response)) return
    const [, mode, value] = /^\/(cut|poll)\/(\d+)/.exec(request.url ?? '') ?? []
    if (mode === undefined) return void response.writeHead(404).end()
    const id = request.headers['mcp-session-id']
    let transport = typeof id === 'string' ? transports.get(id) : undefined
    if (id !== undefined && !transport) return void response.writeHead(404).end('Session not found')
    if (!transport) {
      const made: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        eventStore: new MemoryEvents(),
        retryInterval: mode === 'poll' ? Number(value) : 20,
        onsessioninitialized: (session) => void transports.set(session, made),
      })
      await makeServer(() => made, mode === 'poll').connect(made)
      transport = made
    }
    if (mode === 'cut') cut(response, Number(value))
    await transport.handleRequest(request, response)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
  return await listen(server, async () => {
    for (const transport of transports.values()) await transport.close().catch(() => {})
  })
}
