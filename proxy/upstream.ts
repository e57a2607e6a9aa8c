/**
 * A request to an HTTP server, for the relay and for recording: sent exactly as given, with a limit for connecting.
 *
 * Uses Node's HTTP client, because `fetch` follows redirects, joins headers and hides some.
 */
import { Agent, request as requestPlain, type ClientRequest } from 'node:http'
import { Agent as SecureAgent, request as requestSecure, type RequestOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Limits } from './limits.ts'
import { PinnedAgent } from './pinned-agent.ts'
import { CONNECT_TIMEOUT, explainRelay, type Stage } from './relay-failure.ts'
import type { ProxyError, RelayTimings } from './wire.ts'

/** ms per address of a host name before trying the next one. Node's default of 250 ms is too short for distant servers. */
const SLOW_CONNECT = { autoSelectFamilyAttemptTimeout: 1_000 }

/** No keep-alive: a request on a connection that the server is just closing would fail for no reason. */
const AGENTS = { plain: new Agent(SLOW_CONNECT), secure: new SecureAgent(SLOW_CONNECT) }

export interface UpstreamOptions extends RequestOptions {
  /** SHA-256 of the only certificate to accept, in hex with colons. Default: those that this machine trusts. */
  readonly certificate?: string | undefined
}

export class Upstream {
  readonly request: ClientRequest
  readonly #target: URL
  readonly #limits: Limits
  /** How far it got, for the explanation of a failure. */
  stage: Stage = 'connecting'
  /** Address and port of the server, once connected. */
  remote: string | undefined
  readonly #startedAt = performance.now()
  #resolvedAt: number | undefined
  #connectedAt: number | undefined
  #securedAt: number | undefined
  #respondedAt: number | undefined
  #resumed = false
  /** The connection of a pinned certificate, which the request doesn't know before it is compared. */
  #connecting: Socket | undefined
  /** The first failure. Later ones are only its consequences. */
  fault: unknown

  /** @param options with `headers` as a flat array, which keeps order and case, and to which Node adds none */
  constructor(target: URL, limits: Limits, { certificate, ...options }: UpstreamOptions) {
    this.#target = target
    this.#limits = limits
    const secure = target.protocol === 'https:'
    const ready = (): void => clearTimeout(timer)
    const pinned =
      certificate === undefined
        ? undefined
        : new PinnedAgent({
            ...SLOW_CONNECT,
            fingerprint: certificate,
            onConnecting: (socket) => {
              this.#connecting = socket
              this.#watch(socket, secure, ready)
            },
          })
    this.request = (secure ? requestSecure : requestPlain)({
      agent: secure ? (pinned ?? AGENTS.secure) : AGENTS.plain,
      hostname: target.hostname.replace(/^\[|\]$/g, ''),
      port: target.port || (secure ? 443 : 80),
      maxHeaderSize: limits.relayAnswerHead,
      ...options,
    })
    // Node silently drops headers above its default of 2000. `maxHeaderSize` already limits them.
    this.request.maxHeadersCount = 0
    const timer = setTimeout(() => this.fail(errorWith(CONNECT_TIMEOUT, 'The connection timed out')), limits.connect)
    if (!pinned) this.request.once('socket', (socket) => this.#watch(socket, secure, ready))
    this.request.once('response', () => (this.#respondedAt = performance.now()))
    this.request.once('upgrade', (_, socket) => {
      socket.destroy()
      this.fail(errorWith('HPE_UPGRADE', 'the server switched protocols unexpectedly'))
    })
    this.request.on('error', (error) => (this.fault ??= error))
    this.request.once('close', ready)
  }

  /** Call this once there is a response. */
  get timings(): RelayTimings {
    const resolvedAt = this.#resolvedAt ?? this.#startedAt
    const connectedAt = this.#connectedAt ?? resolvedAt
    const readyAt = this.#securedAt ?? connectedAt
    return {
      ...(this.#resolvedAt === undefined ? {} : { dns: between(this.#startedAt, resolvedAt) }),
      connect: between(resolvedAt, connectedAt),
      ...(this.#securedAt === undefined ? {} : { tls: between(connectedAt, readyAt) }),
      ...(this.#resumed ? { resumed: true } : {}),
      firstByte: between(readyAt, this.#respondedAt ?? performance.now()),
    }
  }

  explain(fault: unknown): ProxyError {
    return explainRelay(fault, this.#target, this.stage, this.#limits.connect / 1000)
  }

  #watch(socket: Socket, secure: boolean, ready: () => void): void {
    const connected = (): void => {
      this.stage = 'waiting'
      ready()
    }
    // With several addresses, Node reports each. All of them come from one lookup.
    socket.once('lookup', () => (this.#resolvedAt = performance.now()))
    socket.once('connect', () => {
      this.#connectedAt = performance.now()
      const { remoteAddress, remotePort } = socket
      if (remoteAddress !== undefined) {
        this.remote = `${remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`
      }
      if (secure) this.stage = 'securing'
      else connected()
    })
    if (!secure) return
    socket.once('secureConnect', () => {
      this.#securedAt = performance.now()
      this.#resumed = (socket as TLSSocket).isSessionReused()
      connected()
    })
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

const errorWith = (code: string, message: string): Error => Object.assign(new Error(message), { code })
