/**
 * HTTP+SSE, the transport of 2024-11-05: one GET stream delivers everything, and its first event names the URL to POST
 * to. Deprecated, but still common among servers (TR-SSE-09).
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
import { messageOf, TransportError } from '../errors.ts'
import type { Seq } from '../frame.ts'
import { isObject, read, requestsIn } from '../jsonrpc.ts'
import { type Authorizer, HttpTap, operationOf } from './http-tap.ts'
import type { ConnectionSlots } from './connection-limit.ts'
import type { Detour } from './detour.ts'
import type { InterferenceSlot } from './interference.ts'
import { readEvents, type StreamHandlers, type StreamEvent } from './sse.ts'
import { type Outbound, textOf } from './tap.ts'
import type { Revision } from '../revision.ts'
import { parsedUrl } from '../url.ts'
import type { Sink, Transport } from './transport.ts'

export interface HttpSseOptions {
  readonly url: string
  /** Sent with every request, for example `Authorization`. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly fetch?: typeof fetch
  /** This page's connections, to detect a request that waits for one; absent if a relay sends the requests. */
  readonly connectionSlots?: ConnectionSlots
  /** Another way to the server, for when the browser refuses the direct one. */
  readonly detour?: Detour
  /** Signs each request, after `headers`. */
  readonly authorizer?: Authorizer
  /** Faults that the user injects. */
  readonly faults?: InterferenceSlot
  /** Follow an endpoint on another origin, which then receives the credentials (TR-SSE-03). Default: refuse. */
  readonly foreignEndpoint?: boolean
  /** ms; by default 30 s each for headers, the `endpoint` event, and a response while connecting. */
  readonly limits?: { readonly headers?: number; readonly endpoint?: number; readonly answer?: number }
}

const LIMIT = 30_000

export class HttpSseTransport implements Transport {
  readonly name = 'HTTP+SSE'
  readonly perRequest = false
  readonly handshakeOnly = true
  readonly #options: HttpSseOptions
  readonly #life = new AbortController()
  #sink!: Sink
  #http!: HttpTap
  #endpoint: string | undefined
  #revision: Revision | undefined
  #closed = false
  /** Resolves once the end of the stream has been reported. */
  #reading: Promise<void> = Promise.resolve()

  constructor(options: HttpSseOptions) {
    this.#options = options
  }

  /**
   * TR-SSE-01: opens the stream and waits for its `endpoint` event.
   * @throws {TransportError} `not-mcp`: no event stream, or no usable endpoint; `http-status`; `unreachable`; `timeout`
   */
  async open(sink: Sink): Promise<void> {
    const { url, headers = [], limits } = this.#options
    this.#sink = sink
    this.#http = new HttpTap(sink.tap, url, this.#options)
    sink.step('waiting-for-headers', limits?.headers ?? LIMIT)
    const { response, seq } = await this.#http.send({
      method: 'GET',
      headers: [['accept', 'text/event-stream'], ...headers],
      purpose: 'listen',
      signal: this.#life.signal,
    })
    const { status } = response
    const type = response.headers.get('content-type') ?? 'no content type'
    if (!response.ok || !/^\s*text\/event-stream/i.test(type) || !response.body) {
      const body = await this.#http.text(response, seq)
      const details = { status, url, contentType: type, body: body.slice(0, 2000) }
      if (status === 401) throw new TransportError('unauthorized', 'The server requires a sign-in (HTTP 401)', details)
      if (!response.ok)
        throw new TransportError('http-status', `The server responded to GET with HTTP ${status}`, details)
      throw new TransportError('not-mcp', `The response to GET is ${type}, not an event stream`, details)
    }
    sink.step('waiting-for-endpoint', limits?.endpoint ?? LIMIT)
    await this.#follow(response.body, seq)
  }

  settled(revision: Revision): void {
    this.#revision = revision
  }

  async send(outbound: Outbound, signal?: AbortSignal): Promise<void> {
    const url = this.#endpoint
    if (url === undefined || this.#closed) throw new TransportError('closed', "The event stream isn't open")
    const text = textOf(outbound)
    const asked = requestsIn(outbound.text === undefined ? outbound.message : read(outbound.text).message)
    const awaited = asked.map(({ id }) => id)
    if (awaited.length > 0) this.#sink.step('waiting-for-answer', this.#options.limits?.answer ?? LIMIT)
    const { headers = [] } = this.#options
    const version: [string, string][] =
      this.#revision !== undefined && this.#revision >= '2025-06-18' ? [['mcp-protocol-version', this.#revision]] : []
    const { response, seq } = await this.#http.send({
      method: 'POST',
      headers: [
        ['content-type', 'application/json'],
        ...version,
        ...headers,
        ...Object.entries(outbound.headers ?? {}),
      ],
      purpose: 'message',
      url,
      signal: signal ? AbortSignal.any([signal, this.#life.signal]) : this.#life.signal,
      body: text,
      onRequestFrame: (carrier) => void this.#sink.tap.sent(outbound, carrier, text),
      operation: operationOf(asked),
      held: (held) => this.#sink.held?.(awaited, held),
    })
    const body = await this.#http.text(response, seq)
    if (response.ok) return
    const { status } = response
    const details = { status, url, body: body.slice(0, 2000) }
    if (status === 401) throw new TransportError('unauthorized', 'The server requires a sign-in (HTTP 401)', details)
    const what = `The server returned HTTP ${status} ${response.statusText}`.trim()
    throw new TransportError('http-status', what, details)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#life.abort(new TransportError('closed', 'The connection was closed'))
    await this.#reading
  }

  /** Resolves at the `endpoint` event, then keeps reading until the stream ends. */
  #follow(body: ReadableStream<Uint8Array>, seq: Seq): Promise<void> {
    const { tap } = this.#sink
    tap.append({ kind: 'stream', event: 'open', request: seq })
    return new Promise((resolve, reject) => {
      const handlers: StreamHandlers = {
        event: (event) => {
          if (event.name !== 'endpoint' || this.#endpoint !== undefined) return this.#event(event, seq)
          const { id, name, data } = event
          tap.append({ kind: 'stream', event: 'data', request: seq, id, name, data, size: data.length })
          try {
            this.#endpoint = this.#resolve(data)
            resolve()
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)))
          }
        },
        comment: (text) =>
          void tap.append({
            kind: 'stream',
            event: 'comment',
            request: seq,
            text: this.#http.masked(text).slice(0, 1000),
          }),
        retry: (delay) => void tap.append({ kind: 'stream', event: 'retry', request: seq, delay }),
        tooLarge: (limit) => {
          const why = `an event of more than ${limit} characters was dropped`
          tap.append({ kind: 'stream', event: 'gap', request: seq, why })
        },
      }
      // A runtime may keep a body open although its request was aborted.
      const reading = readEvents(body, handlers, { signal: this.#life.signal })
      this.#reading = reading.then(({ size, broken, unfinished, stray }) => {
        const { signal } = this.#life
        if (broken === undefined && !signal.aborted) this.#http.ended(seq, size)
        else this.#http.broke(seq, broken ?? signal.reason, size, signal)
        const why = this.#closed ? 'aborted' : broken === undefined ? 'ended' : 'broken'
        tap.append({
          kind: 'stream',
          event: 'close',
          request: seq,
          why,
          unfinished,
          stray: stray && this.#http.masked(stray),
        })
        const how =
          broken === undefined
            ? 'The server closed the event stream'
            : `The event stream was interrupted: ${messageOf(broken)}`
        const had = this.#endpoint !== undefined
        const error = had
          ? new TransportError('stream-lost', how, { url: this.#options.url })
          : new TransportError('not-mcp', `${how} before the server sent an endpoint event`, { url: this.#options.url })
        reject(error)
        // TR-SSE-04: the stream is the connection, so there is nothing to resume.
        if (had && !this.#closed) this.#sink.closed(error)
        this.#closed = true
      })
    })
  }

  #event({ id, name, data: sent, invalidUtf8 }: StreamEvent, seq: Seq): void | Promise<void> {
    const { tap } = this.#sink
    const data = this.#http.masked(sent)
    if (data === '' || (name !== undefined && name !== 'message')) {
      tap.append({ kind: 'stream', event: 'data', request: seq, id, name, data: data || undefined, size: data.length })
      return
    }
    const received = tap.received(data, { carrier: seq, invalidUtf8, eventId: id, eventName: name })
    if (received instanceof Promise) return received.then((late) => this.#sink.message(late))
    this.#sink.message(received)
  }

  /** TR-SSE-03: relative to the stream's URL, and on its origin, because requests there carry credentials. */
  #resolve(data: string): string {
    const { url, foreignEndpoint } = this.#options
    // One implementation sends JSON here; use its `uri`.
    const parsed = data.trimStart().startsWith('{') ? read(data).message : undefined
    const named = isObject(parsed) && typeof parsed.uri === 'string' ? parsed.uri : data.trim()
    const details = { url, endpoint: named.slice(0, 500) }
    const endpoint = parsedUrl(named, url)
    if (!endpoint) {
      throw new TransportError('not-mcp', `The endpoint event contains no URL: ${named.slice(0, 200)}`, details)
    }
    if (endpoint.origin !== new URL(url).origin && !foreignEndpoint) {
      const what = `The endpoint event names another origin, ${endpoint.origin}, so nothing is sent there`
      throw new TransportError('not-mcp', what, { ...details, foreignEndpoint: true })
    }
    return endpoint.href
  }
}
