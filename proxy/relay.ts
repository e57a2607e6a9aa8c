/**
 * The relay: one HTTP request sent for the page, its answer handed back as it is and as it comes. What travels, and
 * what does not, is laid down in `wire.ts`. Rules 11, 12 and 17.
 *
 * On Node's own HTTP client, because `fetch` follows redirects, joins headers and hides some.
 */
import { Agent, request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'
import type { Socket } from 'node:net'
import { BodyReader } from './body-reader.ts'
import type { Limits } from './limits.ts'
import { mayBePublic, notPublic, publicLookup, type Lookup } from './public-address.ts'
import { Refusal } from './refusal.ts'
import { CONNECT_TIMEOUT, explainRelay, type Stage } from './relay-failure.ts'
import type { IncomingRelayRequest } from './relay-request.ts'
import type { ProxyError, RelayEnd, RelayHead, RelayHeaders } from './wire.ts'

/** Where a response goes: `head`, any number of `data`, and `end`; or `failed`, at any point. */
export interface ResponseSink {
  head(head: RelayHead): void
  /** Resolves when there is room for more. */
  data(bytes: Uint8Array): Promise<void>
  end(end: RelayEnd): void
  failed(error: ProxyError): void
}

/** What belongs to one connection, and what the relay itself has to say (RFC 9110 section 7.6.1). */
const HOP_BY_HOP =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|http2-settings|proxy-.*|content-length|expect|host|periscope-.*)$/

/** Where a name has several addresses: ms for each, before the next is tried. Node's 250 are too few for far servers. */
const SLOW_CONNECT = { autoSelectFamilyAttemptTimeout: 1_000 }

/** Bytes of a body that may wait for a server to read them, or for the connection to it, without holding up the page's POST. */
const UPLOAD_AHEAD = 256 * 1024

/** ms that a server which has answered may leave the rest of the request unread. */
const UNREAD_BODY_TIMEOUT = 1_000

export class Relay {
  readonly #ownHosts: ReadonlySet<string>
  readonly #limits: Limits
  readonly #publicLookup: ReturnType<typeof publicLookup>
  /** They keep no connection: to be sent on one that its server is just closing would fail a request for nothing. */
  readonly #agents = { 'http:': new Agent(SLOW_CONNECT), 'https:': new SecureAgent(SLOW_CONNECT) }
  /** Requests whose answers have not ended. */
  #open = 0

  /**
   * @param own values of Host under which this proxy is reached
   * @param lookup finds the addresses of a name for requests to public ones. Default: the system's
   */
  constructor(own: readonly string[], limits: Limits, lookup?: Lookup) {
    this.#ownHosts = new Set(own)
    this.#limits = limits
    this.#publicLookup = publicLookup(lookup)
  }

  /**
   * Sends a request, and resolves once its body was taken from the page; its response goes to `sink` as it comes.
   * @param signal aborts when the page gives up
   * @throws {Refusal} 400 `loop` and `not-public`, 413, 429 `too-many`: then `sink` is told nothing
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
    // Of an address nothing is looked up.
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
    const sent = requestHeaders(received)
    const secure = target.protocol === 'https:'
    const upstream = (secure ? requestSecure : requestPlain)({
      agent: this.#agents[secure ? 'https:' : 'http:'],
      hostname: target.hostname.replace(/^\[|\]$/g, ''),
      port: target.port || (secure ? 443 : 80),
      method: request.method,
      path: target.pathname + target.search,
      // As a flat list they go out in this order and case, and none is added.
      headers: sent.flat(),
      maxHeaderSize: this.#limits.relayAnswerHead,
      rejectUnauthorized: !request.insecureTls,
      ...(publicOnly && { lookup: this.#publicLookup }),
    })
    // Else all beyond the two thousandth go missing in silence; their size is bounded.
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

/** One request on its way. */
class RelayExchange {
  readonly #answer: Promise<IncomingMessage>
  readonly #upstream: ClientRequest
  readonly #request: IncomingRelayRequest
  readonly #limits: Limits
  #stage: Stage = 'connecting'
  #remote: string | undefined
  /** The first thing that went wrong; what follows from it says less. */
  #fault: unknown

  constructor(upstream: ClientRequest, received: IncomingRelayRequest, limits: Limits) {
    this.#upstream = upstream
    this.#request = received
    this.#limits = limits
    const timer = setTimeout(() => {
      this.#fail(Object.assign(new Error('The connection took too long'), { code: CONNECT_TIMEOUT }))
    }, limits.connect)
    upstream.once('socket', (socket) => this.#watch(socket, () => clearTimeout(timer)))
    this.#answer = new Promise((resolve, reject) => {
      upstream.once('response', resolve)
      upstream.once('upgrade', (_, socket) => {
        socket.destroy()
        this.#fail(Object.assign(new Error('the server switched protocols unexpectedly'), { code: 'HPE_UPGRADE' }))
      })
      upstream.on('error', (error) => (this.#fault ??= error))
      upstream.once('close', () => {
        clearTimeout(timer)
        reject(new Error('It ended'))
      })
    })
  }

  /**
   * Sends the body as fast as the server takes it. Reads it to its end in any case: a browser that is still sending
   * would not read a refusal, but see a broken connection.
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

  /** Hands on the response. Never rejects. */
  async deliver(sink: ResponseSink, sent: RelayHeaders): Promise<void> {
    try {
      await this.#deliver(await this.#answer, sink, sent)
    } catch (error) {
      this.#upstream.destroy()
      const fault = this.#fault ?? error
      // The page gets it as the response to its POST.
      if (!(fault instanceof Refusal)) sink.failed(this.#explain(fault))
    }
  }

  async #deliver(incoming: IncomingMessage, sink: ResponseSink, sent: RelayHeaders): Promise<void> {
    this.#stage = 'reading'
    incoming.once('end', () => {
      if (this.#upstream.writableFinished) return
      // Answered before it was asked in full: what it still reads it gets, but it is not waited for.
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
      ...(this.#remote !== undefined && { remote: this.#remote }),
      ...(body.decodes && { decoded: true }),
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

/** What goes out: the page's headers in its order, behind those of the connection. */
function requestHeaders({ request, target, length }: IncomingRelayRequest): [string, string][] {
  // A set: a list of this length, searched for each header, would block the proxy for a second.
  const named = new Set(
    request.headers.flatMap(([name, value]) =>
      name.toLowerCase() === 'connection' ? value.toLowerCase().split(/[\s,]+/) : [],
    ),
  )
  const forwarded = request.headers.filter(([name]) => {
    const lower = name.toLowerCase()
    return !HOP_BY_HOP.test(lower) && !named.has(lower)
  })
  const has = (wanted: string): boolean => forwarded.some(([name]) => name.toLowerCase() === wanted)
  const headers: [string, string][] = [
    ['Host', target.host],
    // Sent although it is closed behind the answer: told `close`, a server that answers before it has read the whole body
    // resets the connection, and its answer is lost with it.
    ['Connection', 'keep-alive'],
  ]
  if (length === undefined) headers.push(['Transfer-Encoding', 'chunked'])
  else if (length > 0 || /^(post|put|patch)$/i.test(request.method)) headers.push(['Content-Length', String(length)])
  // Bytes that nobody packed need no unpacking, and come in the chunks in which the server wrote them.
  if (!has('accept-encoding')) headers.push(['Accept-Encoding', 'identity'])
  // Some hosts refuse requests without one.
  if (!has('user-agent')) headers.push(['User-Agent', `mcp-periscope/${__VERSION__}`])
  for (const [name, value] of forwarded) headers.push([name, value])
  return headers
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

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!])
}
