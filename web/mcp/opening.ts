/**
 * What lifecycle detection may do with a connection while it opens: send requests, reconnect, switch to an older
 * transport.
 */
import type { CallOptions } from './call.ts'
import { TransportError } from './errors.ts'
import type { Era, Port } from './eras/era.ts'
import type { Connector } from './eras/select.ts'
import type { JsonObject } from './frame.ts'
import type { Requests } from './requests.ts'
import type { Revision } from './revision.ts'
import type { ConnectTimeouts } from './connect-timeouts.ts'
import type { Sink, Transport } from './transports/transport.ts'

export interface OpeningOptions {
  readonly clientInfo: JsonObject
  readonly capabilities?: (revision: Revision) => JsonObject
  readonly patience?: number
  readonly traceContext?: boolean
}

/** What the session provides. */
export interface OpeningHost {
  readonly requests: Requests
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
