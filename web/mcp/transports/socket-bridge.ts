/**
 * A socket through the local proxy, or a transport from a module of the user (`--transport`): one message per line, as over stdio
 * (TR-CUST-02). The server's process isn't ours: a session ends with its connection, and nothing is resumed.
 */
import { messageOf, TransportError } from '../errors.ts'
import { requestsIn } from '../jsonrpc.ts'
import { InOrder } from './in-order.ts'
import { Arrivals, type InterferenceSlot } from './interference.ts'
import { ANSWER_LIMIT, type Bridge, type ChildEvent, tellLostText } from './stdio-bridge.ts'
import type { Outbound } from './tap.ts'
import type { Sink, Transport } from './transport.ts'

/** ms to open the connection. The proxy's own limit is shorter and explains more. */
const OPEN_LIMIT = 20_000

export interface SocketBridgeOptions {
  readonly bridge: Pick<Bridge, 'open' | 'write' | 'end'>
  /** Such as `unix:/run/mcp.sock`. */
  readonly target: string
  /** For display: `Unix socket`, or the name of a module's transport. */
  readonly name: string
  /** Faults that the user injects. */
  readonly faults?: InterferenceSlot
}

export class SocketBridgeTransport implements Transport {
  readonly name: string
  readonly restarts = true
  readonly #options: SocketBridgeOptions
  #sink!: Sink
  #order = new InOrder()
  #child: string | undefined
  #closing = false
  #closed: () => void = () => {}
  /** Resolves when the connection is closed. */
  #end: Promise<void> = Promise.resolve()
  /** The peer has sent a line. */
  #spoke = false
  #arrivals: Arrivals<ChildEvent> | undefined

  constructor(options: SocketBridgeOptions) {
    this.#options = options
    this.name = options.name
  }

  async open(sink: Sink): Promise<void> {
    this.#sink = sink
    const { bridge, target } = this.#options
    await this.#discard()
    sink.step('opening-connection', OPEN_LIMIT)
    sink.tap.append({ kind: 'transport', event: 'opening', transport: this.name, url: target })
    this.#end = new Promise((resolve) => (this.#closed = resolve))
    this.#spoke = false
    try {
      // Lines may arrive before the response, but the frame of the opening must come first.
      let early: ChildEvent[] | undefined = []
      // An event of an earlier connection must not end the next one.
      const order = (this.#order = new InOrder())
      const isCurrent = () => order === this.#order
      const arrivals = (this.#arrivals = new Arrivals<ChildEvent>(this.#options.faults, {
        textOf: (event) => (event.type === 'line' ? event.text : undefined),
        withText: (event, text) => ({ ...event, text }) as ChildEvent,
        deliver: (event) => order.run(() => (isCurrent() ? this.#heard(event) : undefined)),
        mark: (fault) => order.run(() => void (isCurrent() && sink.tap.append(fault))),
        cut: (error) => order.run(() => void (isCurrent() && this.#breakOff(error))),
      }))
      const listener = (event: ChildEvent): void => {
        if (early) return void early.push(event)
        arrivals.arrived(event)
      }
      const { child } = await bridge.open({ target }, listener)
      this.#child = child
      sink.tap.append({ kind: 'transport', event: 'opened' })
      const before = early
      early = undefined
      for (const event of before) listener(event)
      // The session was closed meanwhile.
      if (this.#closing) await bridge.end(child).catch(() => {})
    } catch (error) {
      const refused = notOpened(error)
      const code = refused instanceof TransportError ? refused.code : 'internal'
      sink.tap.append({ kind: 'transport', event: 'refused', code, explanation: messageOf(refused) })
      throw refused
    }
  }

  async send(outbound: Outbound): Promise<void> {
    if (this.#child === undefined || this.#closing) throw isClosed()
    const { text } = this.#sink.tap.sent(outbound)
    if (requestsIn(outbound.message).length > 0) this.#sink.step('waiting-for-answer', ANSWER_LIMIT)
    this.#arrivals?.sent(text)
    try {
      // TR-STDIO-02: a newline inside a message would split it in two.
      await this.#options.bridge.write(this.#child, outbound.byHand ? text : text.replaceAll('\n', ' '))
    } catch (error) {
      throw error instanceof TransportError && error.code === 'process-exited' ? isClosed() : error
    }
  }

  async close(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    if (this.#child === undefined) return
    this.#sink.tap.append({ kind: 'transport', event: 'closing' })
    await this.#endOf(this.#child)
  }

  async #endOf(child: string): Promise<void> {
    this.#arrivals?.end()
    try {
      await this.#options.bridge.end(child)
      await this.#end
    } catch {
      // It is already closed, possibly with the proxy.
    }
  }

  /** The connection of an earlier attempt: its end isn't reported to the session. */
  async #discard(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined) return
    this.#sink.tap.append({ kind: 'transport', event: 'closing' })
    await this.#endOf(child)
  }

  #heard(event: ChildEvent): void | Promise<unknown> {
    const sink = this.#sink
    const { tap } = sink
    switch (event.type) {
      case 'line': {
        const speaksHttp = !this.#spoke && /^HTTP\/\d/.test(event.text)
        this.#spoke = true
        const received = tap.received(event.text, event.invalidUtf8 ? { invalidUtf8: true } : {})
        if (speaksHttp) return this.#speaksHttp(event.text)
        if (received instanceof Promise) return received.then((late) => sink.message(late))
        return sink.message(received)
      }
      case 'unfinished':
        return void tap.append({
          kind: 'transport',
          event: 'unusable',
          what: `An unfinished line: ${event.text}`,
          size: event.size,
        })
      case 'lost':
        return tellLostText(sink, 'transport', { ...event, aside: event.stream !== 'stdout' })
      case 'gap':
        return void tap.append({
          kind: 'transport',
          event: 'lost',
          what: `${event.lost} frames of the proxy`,
          size: 0,
        })
      case 'closed': {
        const { why } = event
        tap.append({ kind: 'transport', event: 'closed', ...(why === undefined ? {} : { why }) })
        return this.#over(new TransportError('connection-closed', why ?? 'The server closed the connection'))
      }
      case 'proxy-lost':
        return this.#over(event.error)
      default:
        // Only processes have these.
        return
    }
  }

  #speaksHttp(text: string): void {
    const error = new TransportError(
      'not-mcp',
      'The peer speaks HTTP, but this transport expects one JSON-RPC message per line',
      { speaks: 'http', body: text.slice(0, 300) },
    )
    this.#breakOff(error)
  }

  #breakOff(error: TransportError): void {
    const child = this.#child
    this.#arrivals?.end()
    this.#over(error)
    if (child !== undefined) void this.#options.bridge.end(child).catch(() => {})
  }

  #over(error: TransportError): void {
    const reported = this.#child !== undefined && !this.#closing
    this.#child = undefined
    this.#closed()
    if (reported) this.#sink.closed(error)
  }
}

const isClosed = (): TransportError => new TransportError('connection-closed', 'The connection was closed')

/** The proxy refuses a socket like a command that it can't start. */
const notOpened = (error: unknown): unknown =>
  error instanceof TransportError && error.code === 'spawn-failed'
    ? new TransportError('not-opened', error.message, error.details, { cause: error })
    : error
