/**
 * What lifecycle detection may do with a connection while it opens: send requests, reconnect, switch to an older
 * transport.
 */
import type { CallOptions } from './pending-call.ts'
import { TransportError } from './errors.ts'
import type { Era, Port } from './eras/era.ts'
import type { Connector } from './eras/select.ts'
import type { JsonObject, Phase } from './frame.ts'
import type { OutgoingRequests } from './outgoing-requests.ts'
import type { Revision } from './revision.ts'
import type { Sink, Transport } from './transports/transport.ts'
import type { Tap } from './transports/tap.ts'

interface OpeningOptions {
  readonly clientInfo: JsonObject
  readonly capabilities?: (revision: Revision) => JsonObject
  readonly patience?: number
  readonly traceContext?: boolean
}

/** What the session provides. */
interface OpeningHost {
  readonly requests: OutgoingRequests
  readonly steps: ConnectTimeouts
  readonly isClosed: () => boolean
  readonly transport: () => Transport
  readonly sink: () => Sink
  /** Another transport replaces the current one. */
  readonly replace: (transport: Transport) => void
}

/**
 * A fallback beyond the limits of the steps, which end a hanging connection: packages may have to be downloaded first.
 */
const LIMIT = 120_000
const PATIENCE = { http: 30_000, other: 5_000 }

export class Opening implements Connector {
  readonly clientInfo: JsonObject
  readonly capabilities: (revision: Revision) => JsonObject
  readonly traceContext: boolean
  readonly http: boolean
  readonly process: boolean
  readonly patience: number
  readonly #host: OpeningHost

  constructor(
    { clientInfo, capabilities = () => ({}), patience, traceContext = false }: OpeningOptions,
    host: OpeningHost,
  ) {
    this.clientInfo = clientInfo
    this.capabilities = capabilities
    this.traceContext = traceContext
    this.http = host.transport().perRequest === true
    this.process = host.transport().restarts === true
    this.patience = patience ?? (this.http ? PATIENCE.http : PATIENCE.other)
    this.#host = host
  }

  handshakeOnly(): boolean {
    return this.#host.transport().handshakeOnly === true
  }

  /** Calls that ignore the user's limits, because each opening step has its own. */
  port(era: Era): Port {
    const { requests, steps } = this.#host
    return {
      call: async (method, params, limits) => {
        this.#mustLive()
        if (method === 'server/discover') steps.enter('probing', limits?.idle ?? LIMIT)
        else steps.probed()
        const options: CallOptions = { idle: LIMIT, total: LIMIT, ...limits, progress: false }
        const pending = requests.begin(era, method, params, options)
        void requests.dispatch(pending)
        return await pending.result
      },
      notify: async (method, params) => {
        this.#mustLive()
        this.#host.sink().step('sending-initialized', 10_000)
        await this.#host.transport().send(era.note(method, params))
      },
      settled: (revision) => this.#host.transport().settled?.(revision),
    }
  }

  async reopen(): Promise<void> {
    this.#mustLive()
    this.#host.steps.end()
    await this.#host.transport().open(this.#host.sink())
  }

  async older(): Promise<{ name: string; undo: () => Promise<void> } | undefined> {
    const before = this.#host.transport()
    const transport = before.older?.()
    if (!transport) return undefined
    this.#mustLive()
    const undo = async () => {
      this.#host.replace(before)
      await transport.close()
    }
    this.#host.replace(transport)
    try {
      await transport.open(this.#host.sink())
    } catch (error) {
      await undo()
      throw error
    }
    return { name: transport.name, undo }
  }

  #mustLive(): void {
    if (this.#host.isClosed()) throw new TransportError('closed', 'The session was ended')
  }
}

/** The current step of a connection and its timer: if connecting hangs, the error names the step. */
export class ConnectTimeouts {
  readonly #tap: Tap
  readonly #expired: (error: TransportError) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The step with its own limit. */
  #current: { readonly step: Phase; readonly limit: number } | undefined
  /** During a probe, the transport's steps are part of the probe and have no limits of their own. */
  #probing = false
  /** When the current step began, and when its limit last did, as of `Date.now()`. */
  #entered = 0
  #begun = 0

  constructor(tap: Tap, expired: (error: TransportError) => void) {
    this.#tap = tap
    this.#expired = expired
  }

  enter(step: Phase, limit: number): void {
    if (this.#probing && step !== 'starting-process' && step !== 'opening-connection') return
    this.end()
    if (step === 'probing') this.#probing = true
    // A probe ends at its own limit, which isn't a failure.
    else this.#run(step, limit)
    this.#tap.append({ kind: 'session', phase: 'opening', step, limit })
  }

  /**
   * Pauses while the user is asked, for a sign-in for example: that time isn't the server's. The step then gets its
   * full limit again.
   */
  hold(held: boolean): void {
    clearTimeout(this.#timer)
    if (!held && this.#current) this.#run(this.#current.step, this.#current.limit)
  }

  /** The limit of the current step begins again. */
  restart(): void {
    // The running timer reads it when it fires, so a process that prints a lot doesn't restart timers.
    this.#begun = Date.now()
  }

  #run(step: Phase, limit: number): void {
    this.#current = { step, limit }
    this.restart()
    this.#entered = this.#begun
    this.#wait(step, limit, limit)
  }

  #wait(step: Phase, limit: number, ms: number): void {
    this.#timer = setTimeout(() => {
      const left = this.#begun + limit - Date.now()
      if (left > 0) this.#wait(step, limit, left)
      else this.#expired(stepError(step, limit, this.#begun - this.#entered))
    }, ms)
  }

  /** The probe has ended, or the handshake continues without it. */
  probed(): void {
    this.#probing = false
  }

  end(): void {
    this.#probing = false
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#current = undefined
  }
}

/** A connection step exceeded its limit, which activity may have restarted. @param active ms until the limit last began */
const stepError = (step: Phase, limit: number, active: number): TransportError => {
  const name = step.replaceAll('-', ' ').replace('answer', 'response')
  const seconds = limit / 1000
  if (active < 1000) return new TransportError('timeout', `Still ${name} after ${seconds} s`, { step, limit })
  const total = active + limit
  return new TransportError(
    'timeout',
    `Still ${name} after ${Math.round(total / 1000)} s, the last ${seconds} s without activity`,
    { step, limit, total },
  )
}
