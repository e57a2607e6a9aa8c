/**
 * A request to an HTTP server, for the relay and for recording: sent exactly as given, with a limit for connecting.
 *
 * Uses Node's HTTP client, because `fetch` follows redirects, joins headers and hides some.
 */
import { Agent, request as requestPlain, type ClientRequest } from 'node:http'
import { Agent as SecureAgent, request as requestSecure, type RequestOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { Limits } from './limits.ts'
import { CONNECT_TIMEOUT, explainRelay, type Stage } from './relay-failure.ts'
import type { ProxyError } from './wire.ts'

/** ms per address of a host name before trying the next one. Node's default of 250 ms is too short for distant servers. */
const SLOW_CONNECT = { autoSelectFamilyAttemptTimeout: 1_000 }

/** No keep-alive: a request on a connection that the server is just closing would fail for no reason. */
const AGENTS = { plain: new Agent(SLOW_CONNECT), secure: new SecureAgent(SLOW_CONNECT) }

export class Upstream {
  readonly request: ClientRequest
  readonly #target: URL
  readonly #limits: Limits
  /** How far it got, for the explanation of a failure. */
  stage: Stage = 'connecting'
  /** Address and port of the server, once connected. */
  remote: string | undefined
  /** The first failure. Later ones are only its consequences. */
  fault: unknown

  /** @param options with `headers` as a flat array, which keeps order and case, and to which Node adds none */
  constructor(target: URL, limits: Limits, options: RequestOptions) {
    this.#target = target
    this.#limits = limits
    const secure = target.protocol === 'https:'
    this.request = (secure ? requestSecure : requestPlain)({
      agent: secure ? AGENTS.secure : AGENTS.plain,
      hostname: target.hostname.replace(/^\[|\]$/g, ''),
      port: target.port || (secure ? 443 : 80),
      maxHeaderSize: limits.relayAnswerHead,
      ...options,
    })
    // Node silently drops headers above its default of 2000. `maxHeaderSize` already limits them.
    this.request.maxHeadersCount = 0
    const timer = setTimeout(() => this.fail(errorWith(CONNECT_TIMEOUT, 'The connection timed out')), limits.connect)
    this.request.once('socket', (socket) => this.#watch(socket, secure, () => clearTimeout(timer)))
    this.request.once('upgrade', (_, socket) => {
      socket.destroy()
      this.fail(errorWith('HPE_UPGRADE', 'the server switched protocols unexpectedly'))
    })
    this.request.on('error', (error) => (this.fault ??= error))
    this.request.once('close', () => clearTimeout(timer))
  }

  explain(fault: unknown): ProxyError {
    return explainRelay(fault, this.#target, this.stage, this.#limits.connect / 1000)
  }

  #watch(socket: Socket, secure: boolean, ready: () => void): void {
    const connected = (): void => {
      this.stage = 'waiting'
      ready()
    }
    socket.once('connect', () => {
      const { remoteAddress, remotePort } = socket
      if (remoteAddress !== undefined) {
        this.remote = `${remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`
      }
      if (secure) this.stage = 'securing'
      else connected()
    })
    if (secure) socket.once('secureConnect', connected)
  }

  fail(fault: unknown): void {
    this.fault ??= fault
    this.request.destroy(fault instanceof Error ? fault : undefined)
  }
}

const errorWith = (code: string, message: string): Error => Object.assign(new Error(message), { code })
