/**
 * WebSocket, a custom transport: one JSON-RPC message per text frame, with the subprotocol `mcp`, as the official SDK's
 * `WebSocketClientTransport` has it. A session lasts as long as its connection; nothing is resumed.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#custom-transports
 */
import { wait } from '../deadline.ts'
import { messageOf, TransportError } from '../errors.ts'
import type { JsonObject } from '../frame.ts'
import { requestsIn } from '../jsonrpc.ts'
import { InOrder } from './in-order.ts'
import { Arrivals, type InterferenceSlot } from './interference.ts'
import { ANSWER_LIMIT, tellLostText } from './stdio-bridge.ts'
import { utf8Length, type Outbound } from './tap.ts'
import type { Sink, Transport } from './transport.ts'

const SUBPROTOCOL = 'mcp'

/** ms to open the connection, both attempts together. */
const OPEN_LIMIT = 15_000
/** ms for the other side to respond to our close frame. A browser waits longer, but has told the server by then. */
const CLOSE_LIMIT = 1_000
/** Characters of a message, in both directions: as many bytes as a line over stdio may have. */
const LONGEST = 64 * 1024 * 1024
/** Bytes that may wait in the browser before the next message waits for the server to read. */
const BUFFERED = 16 * 1024 * 1024
/** ms that a message waits while the server reads nothing. */
const STUCK_LIMIT = 30_000
/** ms between checks of the buffer: no event reports that it shrinks. */
const LOOK_EVERY = 25
/** Characters of both ends of a dropped message. */
const END_KEPT = 1024

/** RFC 6455, section 7.4.1, and the registry of IANA. */
const CLOSE_CODES: Readonly<Record<number, string>> = {
  1000: 'normal closure',
  1001: 'going away',
  1002: 'protocol error',
  1003: 'unsupported data',
  1005: 'no code',
  1006: 'connection lost',
  1007: 'invalid data',
  1008: 'policy violation',
  1009: 'message too big',
  1010: 'missing extension',
  1011: 'internal error',
  1012: 'service restart',
  1013: 'try again later',
  1014: 'bad gateway',
  1015: 'TLS handshake failed',
}

export type WebSocketConstructor = new (url: string, protocols: string[]) => WebSocket

export interface WebSocketOptions {
  /** `ws:` or `wss:`. */
  readonly url: string
  /** Default: the runtime's own. */
  readonly WebSocket?: WebSocketConstructor
  /** Faults that the user injects. */
  readonly faults?: InterferenceSlot
  /** Limits that tests make smaller: ms, characters, bytes, ms. */
  readonly limits?: {
    readonly open?: number
    readonly longest?: number
    readonly buffered?: number
    readonly stuck?: number
  }
}

export class WebSocketTransport implements Transport {
  readonly name = 'WebSocket'
  readonly restarts = true
  readonly #options: WebSocketOptions
  #sink!: Sink
  #socket: WebSocket | undefined
  #order = new InOrder()
  #arrivals: Arrivals<Happening> | undefined
  #closing = false

  constructor(options: WebSocketOptions) {
    this.#options = options
  }

  async open(sink: Sink): Promise<void> {
    this.#sink = sink
    this.#discard()
    sink.step('opening-connection', this.#options.limits?.open ?? OPEN_LIMIT)
    try {
      try {
        await this.#connect([SUBPROTOCOL])
      } catch (error) {
        // A browser fails a connection whose server names no subprotocol, and doesn't say that this was the reason.
        if (this.#closing || !(error instanceof TransportError && error.details.handshake === true)) throw error
        await this.#connect([]).catch(() => {
          throw error
        })
      }
    } catch (error) {
      const code = error instanceof TransportError ? error.code : 'internal'
      sink.tap.append({ kind: 'transport', event: 'refused', code, explanation: messageOf(error) })
      throw error
    }
  }

  async send(outbound: Outbound): Promise<void> {
    const socket = this.#open()
    const { text } = this.#sink.tap.sent(outbound)
    const { longest = LONGEST, buffered = BUFFERED, stuck = STUCK_LIMIT } = this.#options.limits ?? {}
    if (text.length > longest) {
      throw new TransportError('not-sendable', `The message has ${text.length} characters, and the limit is ${longest}`)
    }
    let since = Date.now()
    for (let before = socket.bufferedAmount; socket.bufferedAmount > buffered;) {
      await wait(LOOK_EVERY)
      // A closed socket never sends what it holds.
      this.#open()
      if (socket.bufferedAmount < before) since = Date.now()
      before = socket.bufferedAmount
      if (Date.now() - since > stuck) {
        throw new TransportError('timeout', `The server isn't reading: ${before} bytes are waiting to be sent`, {
          buffered: before,
        })
      }
    }
    if (requestsIn(outbound.message).length > 0) this.#sink.step('waiting-for-answer', ANSWER_LIMIT)
    this.#arrivals?.sent(text)
    socket.send(text)
  }

  async close(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    this.#arrivals?.end()
    const socket = this.#socket
    if (!socket || socket.readyState > socket.OPEN) return
    const closed = new AbortController()
    socket.addEventListener('close', () => closed.abort())
    this.#sink.tap.append({ kind: 'transport', event: 'closing' })
    socket.close(1000)
    await wait(CLOSE_LIMIT, closed.signal)
  }

  /** @throws {TransportError} it isn't open */
  #open(): WebSocket {
    const socket = this.#socket
    if (!socket || this.#closing || socket.readyState !== socket.OPEN) {
      throw new TransportError('connection-closed', 'The connection was closed')
    }
    return socket
  }

  /** A connection of an earlier attempt: its end isn't reported to the session. */
  #discard(): void {
    const socket = this.#socket
    this.#socket = undefined
    this.#arrivals?.end()
    this.#order = new InOrder()
    socket?.close(1000)
  }

  async #connect(protocols: string[]): Promise<void> {
    const { url, WebSocket: Socket = globalThis.WebSocket } = this.#options
    const { tap } = this.#sink
    const subprotocol = protocols[0]
    tap.append({
      kind: 'transport',
      event: 'opening',
      transport: this.name,
      url,
      ...(subprotocol ? { subprotocol } : {}),
    })
    let socket: WebSocket
    try {
      socket = new Socket(url, protocols)
    } catch (error) {
      // An https page must not open `ws:`, and some ports are blocked.
      throw new TransportError('not-opened', `The browser refuses to open ${url}: ${messageOf(error)}`, { url })
    }
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
    const order = this.#order
    const isCurrent = () => this.#socket === socket
    const arrivals = (this.#arrivals = new Arrivals<Happening>(this.#options.faults, {
      textOf: ({ data }) => (typeof data === 'string' ? data : undefined),
      withText: (_, data) => ({ data }),
      deliver: (event) => order.run(() => (isCurrent() ? this.#happened(event) : undefined)),
      mark: (fault) => order.run(() => void (isCurrent() && tap.append(fault))),
      cut: (error) =>
        order.run(() => {
          if (!isCurrent()) return
          this.#discard()
          this.#sink.closed(error)
        }),
    }))
    await new Promise<void>((resolve, reject) => {
      let isOpen = false
      socket.addEventListener('open', () => {
        isOpen = true
        tap.append({ kind: 'transport', event: 'opened', ...(socket.protocol ? { subprotocol: socket.protocol } : {}) })
        resolve()
      })
      socket.addEventListener('message', ({ data }) => {
        if (isCurrent()) arrivals.arrived({ data: data as unknown })
      })
      // No details for a page; `close` follows.
      socket.addEventListener('error', () => {})
      socket.addEventListener('close', ({ code, reason }) => {
        if (!isOpen) return reject(refused(url, code))
        if (isCurrent()) arrivals.arrived({ code, reason })
      })
    })
  }

  #happened({ data, code, reason = '' }: Happening): void | Promise<unknown> {
    return code === undefined ? this.#received(data) : this.#closed(code, reason)
  }

  #received(data: unknown): void | Promise<unknown> {
    const sink = this.#sink
    if (typeof data !== 'string') {
      const size = data instanceof ArrayBuffer ? data.byteLength : 0
      return void sink.tap.append({ kind: 'transport', event: 'unusable', what: 'A binary frame', size })
    }
    const { longest = LONGEST } = this.#options.limits ?? {}
    if (data.length > longest) {
      const [head, tail] = [data.slice(0, END_KEPT), data.slice(-END_KEPT)]
      const what = `A message over ${longest} characters`
      return tellLostText(sink, 'transport', { what, size: utf8Length(data), head, tail })
    }
    const received = sink.tap.received(data)
    if (received instanceof Promise) return received.then((late) => sink.message(late))
    return sink.message(received)
  }

  #closed(code: number, reason: string): void {
    this.#sink.tap.append({ kind: 'transport', event: 'closed', code, ...(reason ? { reason } : {}) })
    this.#socket = undefined
    if (this.#closing) return
    const details: JsonObject = { closeCode: code, ...(reason ? { reason } : {}) }
    const name = CLOSE_CODES[code]
    const how = name === undefined ? `${code}` : `${code} (${name})`
    const message = reason
      ? `The server closed the WebSocket with code ${how}. Reason: ${reason}`
      : `The server closed the WebSocket with code ${how}`
    this.#sink.closed(new TransportError('connection-closed', message, details))
  }
}

/** A frame of the WebSocket, or its close. */
interface Happening {
  readonly data?: unknown
  readonly code?: number
  readonly reason?: string
}

/** The response to a refused handshake is hidden from pages: its status, its headers, and the network's error. */
const refused = (url: string, closeCode: number): TransportError =>
  new TransportError('not-opened', `The WebSocket handshake with ${url} failed. The browser hides the reason`, {
    url,
    closeCode,
    handshake: true,
  })
