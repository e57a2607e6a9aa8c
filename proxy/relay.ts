/**
 * The relay sends an HTTP request for the page and streams the response back unchanged. `wire.ts` defines which headers
 * pass. Rules 11, 12 and 17.
 *
 * Uses Node's HTTP client, because `fetch` follows redirects, joins headers and hides some.
 */
import { Agent, request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'
import type { Socket } from 'node:net'
import { BodyReader } from './body-reader.ts'
import { pairs, relayedHeaders } from './forwarded-headers.ts'
import type { Limits } from './limits.ts'
import { mayBePublic, notPublic, publicLookup, type Lookup } from './public-address.ts'
import { Refusal } from './refusal.ts'
import { CONNECT_TIMEOUT, explainRelay, type Stage } from './relay-failure.ts'
import type { IncomingRelayRequest } from './relay-request.ts'
import type { ProxyError, RelayEnd, RelayHead, RelayHeaders } from './wire.ts'

/** Receives a response: `head`, any number of `data`, and `end`; or `failed` at any point. */
export interface ResponseSink {
  head(head: RelayHead): void
  /** Resolves when there is room for more. */
  data(bytes: Uint8Array): Promise<void>
  end(end: RelayEnd): void
  failed(error: ProxyError): void
}

/** ms per address of a host name before trying the next one. Node's default of 250 ms is too short for distant servers. */
const SLOW_CONNECT = { autoSelectFamilyAttemptTimeout: 1_000 }

/** Bytes of a request body to buffer for a slow server before the page's POST has to wait. */
const UPLOAD_AHEAD = 256 * 1024

/** ms to wait for a server that has responded but still hasn't read the whole request. */
const UNREAD_BODY_TIMEOUT = 1_000

export class Relay {
  readonly #ownHosts: ReadonlySet<string>
  readonly #limits: Limits
  readonly #publicLookup: ReturnType<typeof publicLookup>
  /** No keep-alive: a request on a connection that the server is just closing would fail for no reason. */
  readonly #agents = { 'http:': new Agent(SLOW_CONNECT), 'https:': new SecureAgent(SLOW_CONNECT) }
  /** Requests without a complete response. */
  #open = 0

  /**
   * @param own this proxy's own Host values, to refuse loops
   * @param lookup resolves names for requests to public addresses. Default: the system's resolver
   */
  constructor(own: readonly string[], limits: Limits, lookup?: Lookup) {
    this.#ownHosts = new Set(own)
    this.#limits = limits
    this.#publicLookup = publicLookup(lookup)
  }

  /**
   * Sends a request. Resolves once the body was read from the page; the response goes to `sink`.
   * @param signal aborts when the page cancels
   * @throws {Refusal} 400 `loop` and `not-public`, 413, 429 `too-many`; `sink` is not called then
   */
  async send(received: IncomingRelayRequest, sink: ResponseSink, signal: AbortSignal): Promise<void> {
    const { request, target } = received
    if (target.protocol === 'http:' && this.#ownHosts.has(target.host)) {
      throw new Refusal(400, {
        code: 'loop',
        message: `${target.host} is Periscope itself. It doesn't relay to itself.`,
        remedy: 'Enter the URL of the MCP server.',
      })
    }
    const { publicOnly } = request
    // Literal addresses need no lookup, so `publicLookup` never sees them.
    if (publicOnly && !mayBePublic(target.hostname)) {
      throw new Refusal(400, explainRelay(notPublic(target.hostname), target, 'connecting', 0))
    }
    if (this.#open >= this.#limits.relays) {
      throw new Refusal(429, {
        code: 'too-many',
        message: `Periscope already relays ${this.#open} requests. The limit is ${this.#limits.relays}.`,
        remedy: "Close pages or connections you don't need.",
      })
    }
    const sent = relayedHeaders(received)
    const secure = target.protocol === 'https:'
    const upstream = (secure ? requestSecure : requestPlain)({
      agent: this.#agents[secure ? 'https:' : 'http:'],
      hostname: target.hostname.replace(/^\[|\]$/g, ''),
      port: target.port || (secure ? 443 : 80),
      method: request.method,
      path: target.pathname + target.search,
      // A flat array keeps order and case, and Node adds no headers.
      headers: sent.flat(),
      maxHeaderSize: this.#limits.relayAnswerHead,
      rejectUnauthorized: !request.insecureTls,
      lookup: publicOnly ? this.#publicLookup : undefined,
    })
    // Node silently drops headers above its default of 2000. `maxHeaderSize` already limits them.
    upstream.maxHeadersCount = 0
    this.#open += 1
    upstream.once('close', () => (this.#open -= 1))

    const exchange = new RelayExchange(upstream, received, this.#limits)
    const abort = (): void => void upstream.destroy()
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    upstream.once('close', () => signal.removeEventListener('abort', abort))
    void exchange.deliver(sink, sent)
    await exchange.sendBody()
  }
}

/** One request and its response. */
class RelayExchange {
  readonly #response: Promise<IncomingMessage>
  readonly #upstream: ClientRequest
  readonly #request: IncomingRelayRequest
  readonly #limits: Limits
  #stage: Stage = 'connecting'
  #remote: string | undefined
  /** The first failure. Later ones are only its consequences. */
  #fault: unknown

  constructor(upstream: ClientRequest, received: IncomingRelayRequest, limits: Limits) {
    this.#upstream = upstream
    this.#request = received
    this.#limits = limits
    const timer = setTimeout(() => {
      this.#fail(Object.assign(new Error('The connection timed out'), { code: CONNECT_TIMEOUT }))
    }, limits.connect)
    upstream.once('socket', (socket) => this.#watch(socket, () => clearTimeout(timer)))
    this.#response = new Promise((resolve, reject) => {
      upstream.once('response', resolve)
      upstream.once('upgrade', (_, socket) => {
        socket.destroy()
        this.#fail(Object.assign(new Error('the server switched protocols unexpectedly'), { code: 'HPE_UPGRADE' }))
      })
      upstream.on('error', (error) => (this.#fault ??= error))
      upstream.once('close', () => {
        clearTimeout(timer)
        reject(new Error('The connection was closed'))
      })
    })
  }

  /**
   * Sends the body with backpressure. Reads it completely even after a failure: a browser that is still sending
   * reports a broken connection instead of reading the error response.
   * @throws {Refusal} 413
   */
  async sendBody(): Promise<void> {
    const upstream = this.#upstream
    try {
      for await (const piece of this.#request.body) {
        if (upstream.destroyed || upstream.write(piece) || upstream.writableLength < UPLOAD_AHEAD) continue
        await drained(upstream)
      }
      if (!upstream.destroyed) upstream.end()
    } catch (error) {
      this.#fail(error)
      if (error instanceof Refusal) throw error
    }
  }

  /** Streams the response to `sink`. Never rejects. */
  async deliver(sink: ResponseSink, sent: RelayHeaders): Promise<void> {
    try {
      await this.#deliver(await this.#response, sink, sent)
    } catch (error) {
      this.#upstream.destroy()
      const fault = this.#fault ?? error
      // The page gets a Refusal as the response to its POST.
      if (!(fault instanceof Refusal)) sink.failed(this.#explain(fault))
    }
  }

  async #deliver(incoming: IncomingMessage, sink: ResponseSink, sent: RelayHeaders): Promise<void> {
    this.#stage = 'reading'
    incoming.once('end', () => {
      if (this.#upstream.writableFinished) return
      // The server responded early. It can still read the rest of the request, but only for a short time.
      this.#upstream.setTimeout(UNREAD_BODY_TIMEOUT, () => this.#upstream.destroy())
    })
    const body = new BodyReader(
      incoming,
      this.#request.request.decode ? incoming.headers['content-encoding'] : undefined,
    )
    sink.head({
      status: incoming.statusCode!,
      statusText: incoming.statusMessage ?? '',
      httpVersion: incoming.httpVersion,
      headers: pairs(incoming.rawHeaders),
      sent,
      remote: this.#remote,
      decoded: body.decodes || undefined,
    })
    for (let bytes = await body.next(); bytes; bytes = await body.next()) await sink.data(bytes)
    const trailers = pairs(incoming.rawTrailers)
    sink.end(trailers.length > 0 ? { trailers } : {})
  }

  #watch(socket: Socket, ready: () => void): void {
    const secure = this.#request.target.protocol === 'https:'
    socket.once('connect', () => {
      const { remoteAddress, remotePort } = socket
      if (remoteAddress !== undefined) {
        this.#remote = `${remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`
      }
      if (secure) this.#stage = 'securing'
      else connected()
    })
    if (secure) socket.once('secureConnect', () => connected())
    const connected = (): void => {
      this.#stage = 'waiting'
      ready()
    }
  }

  #fail(fault: unknown): void {
    this.#fault ??= fault
    this.#upstream.destroy()
  }

  #explain(cause: unknown): ProxyError {
    return explainRelay(cause, this.#request.target, this.#stage, this.#limits.connect / 1000)
  }
}

function drained(upstream: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      upstream.off('drain', done)
      upstream.off('close', done)
      resolve()
    }
    upstream.on('drain', done)
    upstream.on('close', done)
  })
}
