/**
 * Where faults are injected that the user chose, if any: between what arrives and the transport that gets it. The faults
 * themselves are in `web/faults`, and loaded with the first of them; a connection without faults only has an empty slot.
 */
import type { FaultDraft } from '../frame.ts'
import type { TransportError } from '../errors.ts'

/** A fault that was injected, before it is recorded. */
export type InjectedFault = Extract<FaultDraft, { event: 'injected' }>

/** What is known of an HTTP request that may be disturbed. */
export interface DisturbedRequest {
  readonly fetch: typeof fetch
  readonly url: string
  readonly init: RequestInit
  /** The text of its body. */
  readonly body: string | undefined
  /** Records a fault. Its frame comes before all frames of what it changes. */
  readonly mark: (fault: Omit<InjectedFault, 'kind' | 'event' | 'request'>) => void
  /** Masks credentials in received text before it is recorded. */
  readonly masked: (text: string) => string
}

/** The end of a line of messages at which they arrive: stdio, a socket, a WebSocket, a server in this page. */
export interface LineEnd<Item> {
  /** The text of a message; `undefined` for what only keeps its place among messages, such as the exit of a process. */
  textOf(item: Item): string | undefined
  withText(item: Item, text: string): Item
  deliver(item: Item): void
  /** Records a fault in its place among what is delivered. */
  mark(fault: InjectedFault): void
  /** The connection ends now. */
  cut(error: TransportError): void
}

/** One connection's line of messages, while faults may be injected into it. */
export interface DisturbedLine<Item> {
  /** A message leaves: the response to it is known by its ID. */
  sent(text: string): void
  arrived(item: Item): void
  /** The transport ends: what is held back is delivered at once and in order, and nothing that arrives waits any more. */
  end(): void
}

export interface Interference {
  /** @throws like `fetch` */
  exchange(request: DisturbedRequest): Promise<Response>
  line<Item>(end: LineEnd<Item>): DisturbedLine<Item>
}

/** Empty unless the user injects faults, which may begin and end while the connection is open. */
export interface InterferenceSlot {
  readonly current?: Interference | undefined
}

/** Passes on what arrives, undisturbed until the slot is filled. */
export class Arrivals<Item> {
  #slot: InterferenceSlot | undefined
  readonly #end: LineEnd<Item>
  /** Stays once it is there: it may hold messages back when faults are switched off. */
  #line: DisturbedLine<Item> | undefined

  constructor(slot: InterferenceSlot | undefined, end: LineEnd<Item>) {
    this.#slot = slot
    this.#end = end
  }

  sent(text: string): void {
    this.#current?.sent(text)
  }

  arrived(item: Item): void {
    const line = this.#current
    if (line) line.arrived(item)
    else this.#end.deliver(item)
  }

  /** The transport ends. Call it before anything that waits for the last arrival. */
  end(): void {
    this.#line?.end()
    this.#slot = undefined
  }

  get #current(): DisturbedLine<Item> | undefined {
    return (this.#line ??= this.#slot?.current?.line(this.#end))
  }
}
