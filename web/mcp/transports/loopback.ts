/** An in-memory server: nothing travels over a network, but the Trace records everything as usual. */
import { TransportError } from '../errors.ts'
import { nextTask } from '../pace.ts'
import { Arrivals, type InjectedFault, type InterferenceSlot } from './interference.ts'
import type { Outbound } from './tap.ts'
import type { Sink, Transport } from './transport.ts'

/** The other end of a loopback: receives each message as text and responds through `reply`, possibly later. */
export interface LoopbackServer {
  /** @param reply sends one JSON-RPC text to the client, at any time until `close` */
  connect(reply: (text: string) => void): { receive(text: string): void; close(): void }
}

export class LoopbackTransport implements Transport {
  readonly name: string
  readonly #server: LoopbackServer
  #connection: ReturnType<LoopbackServer['connect']> | undefined
  #sink: Sink | undefined
  /** Replies are queued, so that a server which responds within `receive` doesn't re-enter the session. */
  #inbox: (string | InjectedFault | TransportError)[] = []
  #draining = false
  readonly #faults: InterferenceSlot | undefined
  #arrivals: Arrivals<string> | undefined

  /** @param faults that the user injects */
  constructor(server: LoopbackServer, name = 'loopback', faults?: InterferenceSlot) {
    this.#server = server
    this.name = name
    this.#faults = faults
  }

  async open(sink: Sink): Promise<void> {
    await this.close()
    this.#sink = sink
    // Of this connection only: what an earlier one left is never read.
    const inbox: (string | InjectedFault | TransportError)[] = (this.#inbox = [])
    const put = (item: string | InjectedFault | TransportError) => {
      inbox.push(item)
      void this.#drain()
    }
    const arrivals = (this.#arrivals = new Arrivals<string>(this.#faults, {
      textOf: (text) => text,
      withText: (_, text) => text,
      deliver: put,
      mark: put,
      cut: put,
    }))
    this.#connection = this.#server.connect((text) => arrivals.arrived(text))
  }

  async send(outbound: Outbound): Promise<void> {
    if (!this.#connection || !this.#sink) throw new TransportError('closed', 'The in-memory connection is closed')
    const { text } = this.#sink.tap.sent(outbound)
    this.#arrivals?.sent(text)
    this.#connection.receive(text)
  }

  async close(): Promise<void> {
    this.#arrivals?.end()
    this.#connection?.close()
    this.#connection = undefined
  }

  async #drain(): Promise<void> {
    if (this.#draining) return
    this.#draining = true
    await nextTask()
    let since = performance.now()
    const inbox = this.#inbox
    for (let index = 0; index < inbox.length; index++) {
      if (!this.#connection || inbox !== this.#inbox) break
      const item = inbox[index]!
      if (typeof item === 'string') {
        const received = this.#sink!.tap.received(item)
        this.#sink!.message(received instanceof Promise ? await received : received)
      } else if (item instanceof TransportError) {
        await this.close()
        this.#sink!.closed(item)
      } else this.#sink!.tap.append(item)
      if (performance.now() - since > 8) {
        await nextTask()
        since = performance.now()
      }
    }
    inbox.length = 0
    this.#draining = false
    // It was opened again meanwhile.
    if (this.#inbox.length > 0) void this.#drain()
  }
}
