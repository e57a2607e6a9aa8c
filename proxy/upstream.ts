/**
 * A request to an HTTP server, for the relay and for recording: sent exactly as given, with a limit for connecting.
 *
 * Uses Node's HTTP client, because `fetch` follows redirects, joins headers and hides some.
 */
import { Agent, request as requestPlain, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as requestSecure, type RequestOptions } from 'node:https'
import { isIP, type LookupFunction, Socket } from 'node:net'
import type { Duplex, Readable, Writable } from 'node:stream'
import { connect as connectSecure, type TLSSocket } from 'node:tls'
import { type Environment, type ForwardProxy, ForwardProxyError, forwardProxyFor } from './forward-proxy.ts'
import { pairs } from './forwarded-headers.ts'
import { errorWith } from './error-code.ts'
import { Http2Request } from './http2-request.ts'
import type { Limits } from './limits.ts'
import { passIfPinned, PinnedAgent } from './pinned-agent.ts'
import { withoutBrackets } from './public-address.ts'
import { CONNECT_TIMEOUT, explainForwardProxy, explainRelay, NOT_NEGOTIATED, refusesProtocol, type Stage } from './relay-failure.ts' // prettier-ignore
import { connectToProxy, openTunnel, settled } from './tunnel.ts'
import type { ProxyError, RelayTimings } from './wire.ts'

/** ms per address of a host name before trying the next one. Node's default of 250 ms is too short for distant servers. */
const SLOW_CONNECT = { autoSelectFamilyAttemptTimeout: 1_000 }

/** As TLS names them (RFC 7301 section 6). */
export type Protocol = 'http/1.1' | 'h2'

/** Offered to servers, so that one that speaks only HTTP/2 says so instead of failing in its own way. */
const HTTP_1 = { ALPNProtocols: ['http/1.1'] }

/** No keep-alive: a request on a connection that the server is just closing would fail for no reason. */
const AGENTS = { plain: new Agent(SLOW_CONNECT), secure: new SecureAgent({ ...SLOW_CONNECT, ...HTTP_1 }) }

export interface UpstreamOptions extends Omit<RequestOptions, 'headers' | 'lookup'> {
  /** A flat array, which keeps order and case, and to which Node adds none. */
  readonly headers?: readonly string[]
  /** SHA-256 of the only certificate to accept, in hex with colons. Default: those that this machine trusts. */
  readonly certificate?: string | undefined
  /** Resolves the server's name, and rejects those that aren't public. Default: the system's resolver. */
  readonly lookup?: LookupFunction | undefined
  /** Names the proxies. Default: that of this process. */
  readonly env?: Environment | undefined
  /** `h2` only over TLS. Default: `http/1.1`. */
  readonly protocol?: Protocol
  /** When connecting began, as in `performance.now()`, if the other protocol was refused. Default: now. */
  readonly since?: number
  /** Called before anything is sent, once the server accepts the request in this protocol. */
  readonly onReady?: () => void
}

/** What `ClientRequest` and `Http2Request` have in common. Emits `response` with an UpstreamResponse. */
export type UpstreamRequest = Writable & { setTimeout(ms: number, idle: () => void): unknown }

export type UpstreamResponse = Readable &
  Pick<IncomingMessage, 'statusCode' | 'statusMessage' | 'httpVersion' | 'rawHeaders' | 'rawTrailers' | 'complete'> & {
    readonly headers: { readonly 'content-encoding'?: string | undefined; readonly 'content-type'?: string | undefined }
  }

export class Upstream {
  readonly request: UpstreamRequest
  readonly protocol: Protocol
  /** The proxy of the user's network that the request goes through. */
  readonly proxy: ForwardProxy | undefined
  readonly #target: URL
  readonly #limits: Limits
  /** How far it got, for the explanation of a failure. */
  stage: Stage = 'connecting'
  /** Address and port of the server, once connected. Unknown behind a proxy. */
  remote: string | undefined
  readonly #startedAt = performance.now()
  #resolvedAt: number | undefined
  #connectedAt: number | undefined
  /** The proxy has opened the way to the server. */
  #tunnelledAt: number | undefined
  #securedAt: number | undefined
  #respondedAt: number | undefined
  #resumed = false
  /** The connection that is being made, which the request doesn't know yet. */
  #connecting: Socket | undefined
  /** A client certificate is sent if the server requires one. */
  readonly #identified: boolean
  readonly #timer: NodeJS.Timeout
  readonly #onReady: (() => void) | undefined
  /** The first failure. Later ones are only its consequences. */
  fault: unknown

  constructor(
    target: URL,
    limits: Limits,
    { protocol = 'http/1.1', since = performance.now(), onReady, ...options }: UpstreamOptions,
  ) {
    this.#target = target
    this.#limits = limits
    this.protocol = protocol
    this.#onReady = onReady
    this.#identified = options.cert !== undefined
    this.proxy = this.#proxyOf(options.env)
    this.request = protocol === 'h2' ? this.#requestHttp2(options) : this.#requestHttp1(options)
    this.#timer = setTimeout(() => this.fail(errorWith(CONNECT_TIMEOUT, 'The connection timed out')), since + limits.connect - performance.now()) // prettier-ignore
    this.request.once('response', () => (this.#respondedAt = performance.now()))
    this.request.on('error', (error) => (this.fault ??= error))
    this.request.once('close', () => clearTimeout(this.#timer))
  }

  #requestHttp1({ certificate, lookup, env: _, headers, path, ...options }: UpstreamOptions): UpstreamRequest {
    const proxied = this.proxy
    const target = this.#target
    const secure = target.protocol === 'https:'
    const direct = !proxied && this.fault === undefined
    const pinned =
      certificate === undefined || !direct
        ? undefined
        : new PinnedAgent({
            ...SLOW_CONNECT,
            ...HTTP_1,
            fingerprint: certificate,
            onConnecting: (socket) => {
              this.#connecting = socket
              this.#watch(socket, secure)
            },
          })
    const own = direct
      ? { agent: secure ? (pinned ?? AGENTS.secure) : AGENTS.plain }
      : {
          createConnection: (_: unknown, done: (error: Error | null, socket: Duplex) => void) =>
            void this.#connect({ certificate, lookup, tls: options }, done),
        }
    const throughPlain = proxied && !secure
    const authorization = throughPlain ? proxied.authorization : undefined
    const request = (secure ? requestSecure : requestPlain)({
      ...own,
      hostname: withoutBrackets(target.hostname),
      port: target.port || (secure ? 443 : 80),
      maxHeaderSize: this.#limits.relayAnswerHead,
      ...options,
      ...(lookup && direct ? { lookup } : {}),
      ...(headers && {
        headers: authorization === undefined ? headers : [...headers, 'Proxy-Authorization', authorization],
      }),
      // A proxy gets the whole URL; `*` is left out of it (RFC 9112 section 3.2.4).
      path: throughPlain ? `http://${target.host}${path === '*' ? '' : (path ?? '/')}` : path,
    })
    // Node silently drops headers above its default of 2000. `maxHeaderSize` already limits them.
    request.maxHeadersCount = 0
    if (direct && !pinned) request.once('socket', (socket) => this.#watch(socket, secure))
    request.once('upgrade', (_, socket) => {
      socket.destroy()
      this.fail(errorWith('HPE_UPGRADE', 'the server switched protocols unexpectedly'))
    })
    return request
  }

  #requestHttp2({ certificate, lookup, headers = [], path, method, ...tls }: UpstreamOptions): UpstreamRequest {
    return new Http2Request({
      target: this.#target,
      method: method ?? 'GET',
      path: path ?? '/',
      headers: pairs(headers),
      maxHeaderSize: this.#limits.relayAnswerHead,
      connect: (done) => void this.#connect({ certificate, lookup, tls }, done),
    })
  }

  /** The server refused the protocol in the TLS handshake, so it got nothing of the request (RFC 7301 section 3.2). */
  get isRefusedProtocol(): boolean {
    return this.stage === 'securing' && refusesProtocol(this.fault)
  }

  /** Call this once there is a response. */
  get timings(): RelayTimings {
    const resolvedAt = this.#resolvedAt ?? this.#startedAt
    const connectedAt = this.#connectedAt ?? resolvedAt
    const tunnelledAt = this.#tunnelledAt ?? connectedAt
    const readyAt = this.#securedAt ?? tunnelledAt
    return {
      ...(this.#resolvedAt === undefined ? {} : { dns: between(this.#startedAt, resolvedAt) }),
      connect: between(resolvedAt, connectedAt),
      ...(this.#tunnelledAt === undefined ? {} : { tunnel: between(connectedAt, tunnelledAt) }),
      ...(this.#securedAt === undefined ? {} : { tls: between(tunnelledAt, readyAt) }),
      ...(this.#resumed ? { resumed: true } : {}),
      firstByte: between(readyAt, this.#respondedAt ?? performance.now()),
    }
  }

  /** Only a proxy of the user's network responds with 407. Over CONNECT, this status would be the server's own. */
  refusalIn({ statusCode }: Pick<IncomingMessage, 'statusCode'>): ForwardProxyError | undefined {
    if (!this.proxy || statusCode !== 407 || this.#target.protocol !== 'http:') return undefined
    return new ForwardProxyError({ is: 'status', status: 407 }, this.proxy.variable)
  }

  explain(fault: unknown): ProxyError {
    const seconds = this.#limits.connect / 1000
    return (
      explainForwardProxy(fault, this.#target, this.stage, seconds, this.proxy) ??
      explainRelay(fault, this.#target, this.stage, seconds, this.#identified)
    )
  }

  #proxyOf(env: Environment | undefined): ForwardProxy | undefined {
    try {
      return forwardProxyFor(this.#target, env)
    } catch (error) {
      this.fault = error
      return undefined
    }
  }

  /** Makes a connection that the request's own agent can't make: through the proxy, or for HTTP/2. */
  async #connect(
    { certificate, lookup, tls }: Pick<UpstreamOptions, 'certificate' | 'lookup'> & { readonly tls: RequestOptions },
    done: (error: Error | null, socket: Duplex) => void,
  ): Promise<void> {
    const { proxy } = this
    const target = this.#target
    const { ca, cert, key } = tls
    // With an error instead of a connection, the request would never close.
    const settle = (error: Error | null, socket: Duplex): void => {
      if (error) this.fail(error)
      this.#connecting = this.protocol === 'h2' ? undefined : this.#connecting
      done(null, socket)
    }
    // Before this, the request doesn't exist and can't fail.
    await Promise.resolve()
    try {
      if (this.fault !== undefined) throw this.fault as Error
      if (this.protocol === 'h2' && this.request.destroyed) throw errorWith('ECONNRESET', 'The request was ended')
      const tunnel = proxy && (await this.#connectThrough(proxy, lookup, ca))
      if (tunnel && target.protocol === 'http:') return settle(null, tunnel)
      const host = withoutBrackets(target.hostname)
      const secured = connectSecure({
        ALPNProtocols: [this.protocol],
        ca,
        cert,
        key,
        ...(tunnel ? { socket: tunnel } : { ...SLOW_CONNECT, host, port: Number(target.port || 443) }),
        ...(tunnel || !lookup ? {} : { lookup }),
        // For an address, `host` is what the certificate is compared with.
        ...(isIP(host) === 0 ? { servername: host } : { host }),
        ...(certificate === undefined ? {} : { rejectUnauthorized: false }),
      })
      this.#connecting = secured
      if (tunnel) secured.once('secureConnect', () => this.#secured(secured))
      else this.#watch(secured, true)
      if (certificate !== undefined) return passIfPinned(secured, certificate, settle)
      // Only the handshake shows whether the server accepts HTTP/2.
      if (this.protocol === 'h2') await settled(secured, 'secureConnect')
      settle(null, secured)
    } catch (error) {
      settle(error as Error, this.#connecting ?? new Socket())
    }
  }

  /** @returns a connection to the proxy for http, and one to the server for https */
  async #connectThrough(
    proxy: ForwardProxy,
    lookup: LookupFunction | undefined,
    ca: RequestOptions['ca'],
  ): Promise<Socket> {
    const target = this.#target
    this.stage = 'proxy'
    const socket = await connectToProxy(proxy, target, {
      publicLookup: lookup,
      tls: { ca },
      onConnecting: (tcp) => {
        this.#connecting = tcp
        // It was ended while the name was being resolved.
        if (this.request.destroyed) tcp.destroy(errorWith('ECONNRESET', 'The request was ended'))
        tcp.once('lookup', () => (this.#resolvedAt = performance.now()))
        tcp.once('connect', () => (this.#connectedAt = performance.now()))
      },
    })
    if (target.protocol === 'http:') {
      if (proxy.secure) this.#tunnelledAt = performance.now()
      this.#ready()
      // A failure until the response may be the proxy's.
      this.stage = 'proxy'
      return socket
    }
    const tunnel = await openTunnel(socket, proxy, target)
    this.#tunnelledAt = performance.now()
    this.stage = 'securing'
    return tunnel
  }

  #watch(socket: Socket, secure: boolean): void {
    // With several addresses, Node reports each. All of them come from one lookup.
    socket.once('lookup', () => (this.#resolvedAt = performance.now()))
    socket.once('connect', () => {
      this.#connectedAt = performance.now()
      const { remoteAddress, remotePort } = socket
      if (remoteAddress !== undefined) {
        this.remote = `${remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`
      }
      if (secure) this.stage = 'securing'
      else this.#ready()
    })
    if (secure) socket.once('secureConnect', () => this.#secured(socket as TLSSocket))
  }

  #secured(socket: TLSSocket): void {
    this.#securedAt = performance.now()
    this.#resumed = socket.isSessionReused()
    if (this.protocol === 'h2' && socket.alpnProtocol !== 'h2') {
      return this.fail(errorWith(NOT_NEGOTIATED, 'The server accepted no HTTP/2'))
    }
    this.#ready()
  }

  /** Only connecting has a time limit. */
  #ready(): void {
    this.stage = 'waiting'
    clearTimeout(this.#timer)
    this.#onReady?.()
  }

  fail(fault: unknown): void {
    this.fault ??= fault
    this.destroy(fault instanceof Error ? fault : undefined)
  }

  /** Ends the request and its connection, even one that is still being made. */
  destroy(error?: Error): void {
    this.request.destroy(error)
    this.#connecting?.destroy()
  }
}

const between = (from: number, to: number): number => Math.round((to - from) * 100) / 100
