/**
 * Servers on both official SDKs over WebSocket, and servers that misbehave in one way:
 *
 *     /v1/<newest>/<key>    the SDK v1; supports no protocol version after <newest>
 *     /v2/<key>             the SDK v2, which supports 2026-07-28 only
 *     /plain/<key>          the SDK v1, by a server that names no subprotocol
 *     /h/<fault>/<key>      a fault of `faults`
 *
 * `<key>` isolates tests: a GET to the same path over HTTP returns how often it was opened, as `{ "opened": … }`.
 * The SDKs have a client for WebSocket, but no server, so `WebSocketServerTransport` here is what their examples have.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type WebSocket, WebSocketServer } from 'ws'
import { allowPages, listen, type Peer } from '../listening.ts'
import { makeState } from '../versed/tools.ts'
import { connect, makeServer as makeV1 } from '../versed/v1.ts'
import { makeServer as makeV2 } from '../versed/v2.ts'

/** One JSON-RPC message per text frame, with the subprotocol `mcp`. */
class WebSocketServerTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  async start(): Promise<void> {
    this.#socket.on('message', (data) => {
      const parsed = JSONRPCMessageSchema.safeParse(jsonIn(data.toString()))
      if (parsed.success) this.onmessage?.(parsed.data)
      else this.onerror?.(parsed.error)
    })
    this.#socket.on('close', () => this.onclose?.())
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#socket.send(JSON.stringify(message))
  }

  async close(): Promise<void> {
    this.#socket.close(1000)
  }
}

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly name?: string }
}

interface Conversation {
  readonly socket: WebSocket
  say(message: object): void
}

/** What a fault does with a message; `true` if it handled it, otherwise the server responds as it should. */
type Fault = (message: Message, conversation: Conversation) => boolean | void

const onCall =
  (act: (conversation: Conversation, message: Message) => void): Fault =>
  (message, conversation) => {
    if (message.method !== 'tools/call') return false
    act(conversation, message)
    return true
  }

const LONG = 70_000

const faults = {
  /** Closes with a code and a reason in the middle of a call. */
  'close-1008': onCall(({ socket }) => socket.close(1008, 'not your tool')),
  'close-1011': onCall(({ socket }) => socket.close(1011)),
  'close-4242': onCall(({ socket }) => socket.close(4242, 'own code')),
  'close-none': onCall(({ socket }) => socket.close()),
  /** Cuts the connection without a close frame: 1006. */
  cut: onCall(({ socket }) => socket.terminate()),
  /** A binary frame, text that isn't JSON, then the result. */
  binary: onCall(({ socket, say }, { id }) => {
    socket.send(new Uint8Array([1, 2, 3]))
    socket.send('{"jsonrpc":"2.0","id"')
    say({ id, result: { content: [{ type: 'text', text: 'still here' }] } })
  }),
  /** A result of 70,000 characters. */
  large: onCall(({ say }, { id }) => say({ id, result: { content: [{ type: 'text', text: 'x'.repeat(LONG) }] } })),
  /** Reads nothing after the handshake. */
  deaf: ({ method }, { socket }) => {
    if (method === 'notifications/initialized') socket.pause()
    return false
  },
  /** Closes the connection at any first message but `initialize`, like a server that is strict about its state. */
  strict: ({ method }, { socket }) => {
    if (method !== 'server/discover') return false
    socket.close(1002, 'initialize first')
    return true
  },
  /** Accepts the connection, and closes it at once. */
  never: (_, { socket }) => {
    socket.close(1013)
    return true
  },
} satisfies Record<string, Fault>

const respond = ({ id, method }: Message, { say }: Conversation): void => {
  if (id === undefined) return
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'socket', version: '1' },
    },
    'tools/list': { tools: [{ name: 'any', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [] },
    ping: {},
  }
  const result = results[method ?? '']
  say(result ? { id, result } : { id, error: { code: -32601, message: 'Method not found' } })
}

const converse = (socket: WebSocket, fault: Fault): void => {
  const say = (message: object) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString()) as Message
    if (!fault(message, { socket, say })) respond(message, { socket, say })
  })
}

const serve = (socket: WebSocket, path: string): void => {
  const [, mode, name = ''] = path.split('/')
  if (mode === 'h')
    return converse(socket, Object.hasOwn(faults, name) ? faults[name as keyof typeof faults] : () => {})
  if (mode === 'v2') {
    const state = makeState()
    const makeOne = () => {
      const server = makeV2(state, {
        toolsChanged: () => void server.sendToolListChanged(),
        resourceUpdated: (uri) => void server.sendResourceUpdated({ uri }),
      })
      return server
    }
    serveStdio(makeOne, { legacy: 'reject', transport: new WebSocketServerTransport(socket) })
    return
  }
  void connect(makeV1(makeState()), new WebSocketServerTransport(socket), mode === 'v1' ? name : '2025-11-25')
}

export const start = async (): Promise<Peer> => {
  const opened = new Map<string, number>()
  const server = createServer((request, response) => {
    if (allowPages(request, response)) return
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ opened: opened.get(request.url ?? '') ?? 0 }))
  })
  const plain = ({ url = '' }: IncomingMessage) => url.startsWith('/plain/')
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered, request) => (offered.has('mcp') && !plain(request) ? 'mcp' : false),
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { url = '' } = request
    opened.set(url, (opened.get(url) ?? 0) + 1)
    if (url.startsWith('/refuse/')) {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (open) => {
      open.on('error', () => {})
      serve(open, url)
    })
  })
  const { url, close } = await listen(server, async () => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
  })
  return { url: url.replace(/^http/, 'ws'), close }
}

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
