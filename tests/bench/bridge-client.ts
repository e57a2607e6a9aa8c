/**
 * One HTTP client for every bridge: connections are kept alive, streams are read as they arrive, and every message is
 * parsed, so that only the bridges differ.
 */
import { Agent, request, type IncomingMessage } from 'node:http'

export interface BridgeClient {
  /** Resolves once the response has arrived and the next call may be sent. @returns ms to the response */
  call(tool: string, args: object): Promise<number>
  /** Notifications received so far. */
  readonly notifications: number
  close(): void
}

/** How a bridge takes messages, and where it sends those of the server. */
export interface Wire {
  /** Sends one message. Resolves once the bridge accepts the next. */
  send(http: Http, message: string): Promise<void>
  /** Opens the streams that it needs before or after the handshake. */
  open?(http: Http): Promise<void>
  initialized?(http: Http): Promise<void>
}

export interface Message {
  readonly id?: number
  readonly method?: string
  readonly error?: unknown
}

/** A call that takes longer than this, in ms, will never end. */
const HANGS = 60_000

export class Http {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #streams: IncomingMessage[] = []
  /** Takes one message of the server. */
  readonly deliver: (message: Message) => void

  constructor(deliver: (message: Message) => void) {
    this.deliver = deliver
  }

  /** Takes one message of the server, as JSON. */
  receive(json: string): void {
    this.deliver(JSON.parse(json) as Message)
  }

  /** @throws {Error} for a status of 400 or more */
  ask(method: string, url: string, headers: Record<string, string> = {}, body?: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const asking = request(url, { method, agent: this.#agent, headers: { ...headers, ...length } }, (response) => {
        if (response.statusCode! < 400) return resolve(response)
        void text(response).then((said) => reject(new Error(`${method} ${url}: ${response.statusCode} ${said}`)))
      })
      asking.once('error', reject)
      asking.end(body)
    })
  }

  /** Reads a stream until this client is closed. */
  follow(stream: IncomingMessage, read: (chunk: Buffer) => void): void {
    this.#streams.push(stream)
    stream.on('error', () => {})
    stream.on('data', read)
  }

  close(): void {
    for (const stream of this.#streams) stream.destroy()
    this.#agent.destroy()
  }
}

export const text = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Resolves at the end of a response whose body nobody needs. */
export const drained = (response: IncomingMessage): Promise<void> =>
  new Promise((resolve, reject) => response.once('end', resolve).once('error', reject).resume())

/** Reads a text/event-stream. */
export const eventReader = (event: (name: string, data: string) => void): ((chunk: Buffer) => void) => {
  let rest = ''
  let name = 'message'
  let data = ''
  const decoder = new TextDecoder()
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      if (line.startsWith('event:')) name = line.slice(6).trim()
      else if (line.startsWith('data:')) data = line.slice(5).trim()
      else if (line.trim() === '') {
        if (data !== '') event(name, data)
        name = 'message'
        data = ''
      }
    }
  }
}

/** Connects to the server behind a bridge, as a client of MCP does. */
export const connectTo = async (wire: Wire): Promise<BridgeClient> => {
  const waiting = new Map<number, (message: Message) => void>()
  let notifications = 0
  let calls = 0
  const http = new Http((message) => {
    if (message.method !== undefined) notifications++
    else waiting.get(message.id!)?.(message)
  })
  const ask = async (method: string, params: object): Promise<number> => {
    const id = ++calls
    const message = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const begun = performance.now()
    let timer: NodeJS.Timeout | undefined
    const received = new Promise<number>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`${method} got no response within ${HANGS / 1000} s`)), HANGS)
      waiting.set(id, ({ error }) => {
        if (error) reject(new Error(`${method}: ${JSON.stringify(error)}`))
        else resolve(performance.now() - begun)
      })
    })
    try {
      const [took] = await Promise.all([received, wire.send(http, message)])
      return took
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
    }
  }
  try {
    await wire.open?.(http)
    const clientInfo = { name: 'bench', version: '1.0.0' }
    await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    await wire.send(http, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
    await wire.initialized?.(http)
  } catch (error) {
    http.close()
    throw error
  }
  return {
    call: (name, args) => ask('tools/call', { name, arguments: args }),
    get notifications() {
      return notifications
    },
    close: () => http.close(),
  }
}
