/**
 * The relay sends an HTTP request for the page and streams the response back unchanged. `wire.ts` defines which headers
 * pass. Rules 11, 12 and 17.
 */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { BodyReader } from './body-reader.ts'
import type { ClientCertificate } from './client-certificate.ts'
import { resolvedHeaders } from './env-references.ts'
import { pairs, relayedHeaders } from './forwarded-headers.ts'
import type { Limits } from './limits.ts'
import { mayBePublic, notPublic, publicLookup, type Lookup } from './public-address.ts'
import { Refusal } from './refusal.ts'
import type { Environment } from './forward-proxy.ts'
import { explainRelay } from './relay-failure.ts'
import type { IncomingRelayRequest } from './relay-request.ts'
import { Upstream } from './upstream.ts'
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
    const upstream = new Upstream(target, this.#limits, {
      method: request.method,
      path: target.pathname + target.search,
      headers: resolved.flat(),
      certificate: request.certificate,
      lookup: publicOnly ? this.#publicLookup : undefined,
      env: this.#env,
      ...this.#certificateFor(target),
    })
    this.#open += 1
    upstream.request.once('close', () => (this.#open -= 1))

    const exchange = new RelayExchange(upstream, received)
    const abort = (): void => upstream.destroy()
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    upstream.request.once('close', () => signal.removeEventListener('abort', abort))
    void exchange.deliver(sink, sent)
    await exchange.sendBody()
  }
}

/** One request and its response. */
class RelayExchange {
  readonly #response: Promise<IncomingMessage>
  readonly #upstream: Upstream
  readonly #request: IncomingRelayRequest

  constructor(upstream: Upstream, received: IncomingRelayRequest) {
    this.#upstream = upstream
    this.#request = received
    this.#response = new Promise((resolve, reject) => {
      upstream.request.once('response', resolve)
      upstream.request.once('close', () => reject(new Error('The connection was closed')))
    })
  }

  /**
   * Sends the body with backpressure. Reads it completely even after a failure: a browser that is still sending
   * reports a broken connection instead of reading the error response.
   * @throws {Refusal} 413
   */
  async sendBody(): Promise<void> {
    const { request: upstream } = this.#upstream
    try {
      for await (const piece of this.#request.body) {
        if (upstream.destroyed || upstream.write(piece) || upstream.writableLength < UPLOAD_AHEAD) continue
        await drained(upstream)
      }
      if (!upstream.destroyed) upstream.end()
    } catch (error) {
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

  async #deliver(incoming: IncomingMessage, sink: ResponseSink, sent: RelayHeaders): Promise<void> {
    const { request: upstream, proxy } = this.#upstream
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
      sent,
      remote: this.#upstream.remote,
      ...(proxy ? { proxy: `${proxy.place} (${proxy.variable})` } : {}),
      decoded: body.decodes || undefined,
      timings: { protocol: `HTTP/${incoming.httpVersion}`, ...this.#upstream.timings },
    })
    for (let bytes = await body.next(); bytes; bytes = await body.next()) await sink.data(bytes)
    const trailers = pairs(incoming.rawTrailers)
    sink.end(trailers.length > 0 ? { trailers } : {})
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
