/**
 * The relay sends an HTTP request for the page and streams the response back unchanged. `wire.ts` defines which headers
 * pass. Rules 11, 12 and 17.
 */
import { BodyReader } from './body-reader.ts'
import type { ClientCertificate } from './client-certificate.ts'
import { resolvedHeaders } from './env-references.ts'
import { http2Headers, pairs, relayedHeaders } from './forwarded-headers.ts'
import type { Limits } from './limits.ts'
import { mayBePublic, notPublic, publicLookup, type Lookup } from './public-address.ts'
import { Refusal } from './refusal.ts'
import type { Environment } from './forward-proxy.ts'
import { explainRelay } from './relay-failure.ts'
import type { IncomingRelayRequest } from './relay-request.ts'
import { Upstream, type Protocol, type UpstreamOptions, type UpstreamRequest, type UpstreamResponse } from './upstream.ts' // prettier-ignore
import type { ProxyError, RelayEnd, RelayHead, RelayHeaders } from './wire.ts'

/** Receives a response: `head`, any number of `data`, and `end`; or `failed` at any point. */
export interface ResponseSink {
  head(head: RelayHead): void
  /** Resolves when there is room for more. */
  data(bytes: Uint8Array): Promise<void>
  end(end: RelayEnd): void
  failed(error: ProxyError): void
}

export interface RelayOptions {
  /** Resolves names for requests to public addresses. Default: the system's resolver. */
  readonly lookup?: Lookup | undefined
  /** Names the proxies of the user's network. Default: that of this process. */
  readonly env?: Environment | undefined
  readonly clientCertificate?: ClientCertificate | undefined
}

/** Bytes of a request body to buffer for a slow server before the page's POST has to wait. */
const UPLOAD_AHEAD = 256 * 1024

/** ms to wait for a server that has responded but still hasn't read the whole request. */
const UNREAD_BODY_TIMEOUT = 1_000

/** Origins that speak only HTTP/2 to remember, so that each request needs one connection; and for how long, in ms. */
const HTTP2_ORIGINS = 100
const HTTP2_MEMORY = 10 * 60_000

/** What MCP sends, which is text. */
const TEXT = /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/)/i

export class Relay {
  readonly #ownHosts: ReadonlySet<string>
  readonly #limits: Limits
  readonly #publicLookup: ReturnType<typeof publicLookup>
  readonly #env: Environment | undefined
  readonly #clientCertificate: ClientCertificate | undefined
  /** Requests without a complete response. */
  #open = 0
  /** Those that accepted only HTTP/2 last, oldest first, and when it was found out. */
  readonly #http2Origins = new Map<string, number>()

  /**
   * @param own this proxy's own Host values, to refuse loops
   */
  constructor(own: readonly string[], limits: Limits, { lookup, env, clientCertificate }: RelayOptions = {}) {
    this.#ownHosts = new Set(own)
    this.#limits = limits
    this.#publicLookup = publicLookup(lookup)
    this.#env = env
    this.#clientCertificate = clientCertificate
  }

  #certificateFor({ origin }: URL): Pick<ClientCertificate, 'cert' | 'key'> | undefined {
    const own = this.#clientCertificate
    return own?.origin === origin ? { cert: own.cert, key: own.key } : undefined
  }

  /**
   * The protocols to offer, one after the other. HTTP/1.1 comes first because it preserves the case and the order of
   * headers.
   */
  #protocolsFor({ protocol, origin }: URL): readonly Protocol[] {
    if (protocol !== 'https:') return ['http/1.1']
    const since = this.#http2Origins.get(origin) ?? Number.NEGATIVE_INFINITY
    return Date.now() - since < HTTP2_MEMORY ? ['h2', 'http/1.1'] : ['http/1.1', 'h2']
  }

  #remember({ origin }: URL, accepted: Protocol): void {
    if (accepted !== 'h2') return void this.#http2Origins.delete(origin)
    // Later requests don't prolong it: the server may accept HTTP/1.1 by now.
    if (Date.now() - (this.#http2Origins.get(origin) ?? Number.NEGATIVE_INFINITY) < HTTP2_MEMORY) return
    this.#http2Origins.delete(origin)
    this.#http2Origins.set(origin, Date.now())
    const [oldest] = this.#http2Origins.keys()
    if (this.#http2Origins.size > HTTP2_ORIGINS) this.#http2Origins.delete(oldest!)
  }

  /**
   * Sends a request. Resolves once the body was read from the page; the response goes to `sink`.
   * @param signal aborts when the page cancels
   * @throws {Refusal} 400 `loop`, `not-public`, `missing-variable` and `bad-variable`, 413, 429 `too-many`; `sink` is not called then
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
    // What the page learns of the request contains references, not values.
    const sent = relayedHeaders(received)
    const resolved = request.references
      ? relayedHeaders({ ...received, request: { ...request, headers: resolvedHeaders(request) } })
      : sent
    const options = {
      method: request.method,
      path: target.pathname + target.search,
      headers: resolved.flat(),
      certificate: request.certificate,
      lookup: publicOnly ? this.#publicLookup : undefined,
      env: this.#env,
      ...this.#certificateFor(target),
    }
    const connect = (protocol: Protocol, more: UpstreamOptions): Upstream => {
      const upstream = new Upstream(target, this.#limits, {
        ...options,
        ...more,
        protocol,
        onReady: () => {
          this.#remember(target, protocol)
          more.onReady?.()
        },
      })
      upstream.request.once('close', () => {
        // The failure may be one of HTTP/2 itself.
        if (protocol === 'h2' && upstream.fault !== undefined) this.#http2Origins.delete(target.origin)
      })
      return upstream
    }
    const abort = (): void => exchange.abort()
    const exchange = new RelayExchange(received, this.#protocolsFor(target), connect, () => {
      this.#open -= 1
      signal.removeEventListener('abort', abort)
    })
    this.#open += 1
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    void exchange.deliver(sink, sent)
    await exchange.sendBody()
  }
}

type Connect = (protocol: Protocol, options: UpstreamOptions) => Upstream

/** One request and its response. */
class RelayExchange {
  readonly #response: Promise<UpstreamResponse>
  #upstream: Upstream
  readonly #request: IncomingRelayRequest
  readonly #connect: Connect
  readonly #since = performance.now()
  /** The protocols that are left to offer. */
  readonly #protocols: Protocol[]
  /** What was read of the body, until it is certain that no other protocol must be tried with it. */
  #unsent: Uint8Array[] | undefined = []
  #isBodyRead = false
  #isGivenUp = false

  /** @param closed called once, when nothing is connected any more */
  constructor(received: IncomingRelayRequest, protocols: readonly Protocol[], connect: Connect, closed: () => void) {
    this.#request = received
    this.#connect = connect
    this.#protocols = [...protocols]
    let respond: (response: UpstreamResponse) => void
    let fail: (error: unknown) => void
    this.#response = new Promise((resolve, reject) => {
      respond = resolve
      fail = reject
    })
    const open = (): Upstream => {
      const upstream = this.#open()
      upstream.request.once('response', respond)
      upstream.request.once('close', () => {
        if (!this.#isGivenUp && upstream.isRefusedProtocol && this.#protocols.length > 0) {
          this.#upstream = open()
          return this.#replay()
        }
        this.#unsent = undefined
        closed()
        fail(new Error('The connection was closed'))
      })
      return upstream
    }
    this.#upstream = open()
  }

  /** Connects with the next protocol. */
  #open(): Upstream {
    const protocol = this.#protocols.shift()!
    return this.#connect(protocol, { since: this.#since, onReady: () => (this.#unsent = undefined) })
  }

  /** Sends what was read of the body to a server that refused to connect, and so got nothing. */
  #replay(): void {
    const { request } = this.#upstream
    for (const piece of this.#unsent ?? []) request.write(piece)
    this.#unsent = undefined
    if (this.#isBodyRead) request.end()
  }

  /** Ends the request and its connection. */
  abort(): void {
    this.#isGivenUp = true
    this.#upstream.destroy()
  }

  /**
   * Sends the body with backpressure. Reads it completely even after a failure: a browser that is still sending
   * reports a broken connection instead of reading the error response.
   * @throws {Refusal} 413
   */
  async sendBody(): Promise<void> {
    try {
      for await (const piece of this.#request.body) {
        const { request } = this.#upstream
        this.#unsent?.push(piece)
        if (request.destroyed) {
          // The next connection takes its place once it is closed.
          if (this.#unsent) await drained(request)
          continue
        }
        if (request.write(piece) || request.writableLength < UPLOAD_AHEAD) continue
        await drained(request)
      }
      this.#isBodyRead = true
      if (!this.#upstream.request.destroyed) this.#upstream.request.end()
    } catch (error) {
      this.#isGivenUp = true
      this.#upstream.fail(error)
      if (error instanceof Refusal) throw error
    }
  }

  /** Streams the response to `sink`. Never rejects. */
  async deliver(sink: ResponseSink, sent: RelayHeaders): Promise<void> {
    try {
      await this.#deliver(await this.#response, sink, sent)
    } catch (error) {
      this.#upstream.destroy()
      const fault = this.#upstream.fault ?? error
      // The page gets a Refusal as the response to its POST.
      if (!(fault instanceof Refusal)) sink.failed(this.#upstream.explain(fault))
    }
  }

  async #deliver(incoming: UpstreamResponse, sink: ResponseSink, sent: RelayHeaders): Promise<void> {
    const { request: upstream, proxy, protocol } = this.#upstream
    const refusal = this.#upstream.refusalIn(incoming)
    if (refusal) throw refusal
    this.#upstream.stage = 'reading'
    incoming.once('end', () => {
      if (upstream.writableFinished) return
      // The server responded early. It can still read the rest of the request, but only for a short time.
      upstream.setTimeout(UNREAD_BODY_TIMEOUT, () => upstream.destroy())
    })
    const { decode } = this.#request.request
    const body = new BodyReader(
      incoming,
      decode ? incoming.headers['content-encoding'] : undefined,
      decode === true && TEXT.test(incoming.headers['content-type'] ?? ''),
    )
    sink.head({
      status: incoming.statusCode!,
      statusText: incoming.statusMessage ?? '',
      httpVersion: incoming.httpVersion,
      headers: pairs(incoming.rawHeaders),
      sent: protocol === 'h2' ? http2Headers(sent) : sent,
      remote: this.#upstream.remote,
      ...(proxy ? { proxy: `${proxy.place} (${proxy.variable})` } : {}),
      decoded: body.decodes || undefined,
      timings: { protocol: protocol === 'h2' ? 'HTTP/2' : `HTTP/${incoming.httpVersion}`, ...this.#upstream.timings },
    })
    for (let bytes = await body.next(); bytes; bytes = await body.next()) await sink.data(bytes)
    const trailers = pairs(incoming.rawTrailers)
    sink.end(trailers.length > 0 ? { trailers } : {})
  }
}

function drained(upstream: UpstreamRequest): Promise<void> {
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
