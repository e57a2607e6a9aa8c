/** Disturbs a line of messages: stdio, sockets, WebSockets, and the server in this page. */
import { TransportError } from '../mcp/index.ts'
import type { DisturbedLine, FaultKind, InjectedFault, LineEnd } from '../mcp/index.ts'
import { corrupted, heldFor, LONGEST_HELD, originalOf } from './alter.ts'
import type { Chosen, FaultChooser } from './chooser.ts'

/** Messages that are held back at a time; further ones arrive without delay. */
const MOST_QUEUED = 10_000

interface Queued<Item> {
  readonly item: Item
  /** When it arrived. */
  readonly at: number
}

/**
 * Works through what arrives one by one, in order: what waits is overtaken by nothing but the fault that says so. It goes
 * on with what it holds when faults are switched off.
 */
export class FaultyLine<Item> implements DisturbedLine<Item> {
  readonly #end: LineEnd<Item>
  readonly #faults: FaultChooser
  readonly #queue: Queued<Item>[] = []
  /** Aborted when the transport ends: from then on, nothing waits. */
  readonly #ending = new AbortController()
  #running = false
  #held: { readonly item: Item; readonly since: number } | undefined
  /** What the decision about this connection's end was made for. */
  #run: unknown
  #cut: Chosen<'cut'> | undefined
  #count = 0
  #isOver = false

  constructor(end: LineEnd<Item>, faults: FaultChooser) {
    this.#end = end
    this.#faults = faults
  }

  sent(text: string): void {
    this.#faults.sent(text)
  }

  arrived(item: Item): void {
    this.#queue.push({ item, at: this.#faults.now() })
    if (!this.#running) void this.#work()
  }

  end(): void {
    this.#ending.abort()
    // Otherwise the loop releases it in its place.
    if (!this.#running) this.#release()
  }

  async #work(): Promise<void> {
    this.#running = true
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        const disturbed = this.#pass(next)
        if (disturbed) await disturbed
      }
    } finally {
      this.#running = false
      // One that couldn't be delivered must not silence the rest.
      if (this.#queue.length > 0) void this.#work()
    }
  }

  #mark(fault: FaultKind, facts: Omit<InjectedFault, 'kind' | 'event' | 'fault'> = {}): void {
    this.#end.mark({ kind: 'fault', event: 'injected', fault, ...facts })
  }

  #pass({ item, at }: Queued<Item>): void | Promise<void> {
    const text = this.#end.textOf(item)
    if (text === undefined) {
      this.#release()
      return this.#end.deliver(item)
    }
    // The connection is over for the client, although the other side may not know yet.
    if (this.#isOver) return undefined
    if (this.#ending.signal.aborted || !this.#faults.isOn) {
      this.#release()
      return this.#end.deliver(item)
    }
    return this.#disturb(item, text, at)
  }

  async #disturb(item: Item, text: string, at: number): Promise<void> {
    const [end, faults] = [this.#end, this.#faults]
    const methods = faults.methodsOf(text)
    if (this.#endsBy(methods)) return
    const late = faults.choose('delay', methods)
    if (late && this.#queue.length < MOST_QUEUED) {
      this.#mark('delay', { ms: late.ms })
      // Since it arrived: messages that come one behind the other are late together, like in a slow network.
      const rest = at + late.ms - faults.now()
      if (rest > 0) await faults.pause(rest, this.#ending.signal)
      if (this.#ending.signal.aborted || !faults.isOn) {
        this.#release()
        return end.deliver(item)
      }
    }
    const broken = faults.choose('corrupt', methods)
    const next = broken ? end.withText(item, corrupted(text, broken.random)) : item
    const held = this.#held
    if (held) {
      this.#held = undefined
      this.#mark('reorder')
      if (broken) this.#mark('corrupt', originalOf(text))
      end.deliver(next)
      end.deliver(held.item)
    } else {
      if (broken) this.#mark('corrupt', originalOf(text))
      if (faults.choose('reorder', methods)) return this.#hold(next)
      end.deliver(next)
    }
    if (faults.choose('duplicate', methods)) {
      this.#mark('duplicate')
      end.deliver(next)
    }
    if (this.#concerns(methods)) this.#count++
    this.#endsBy(methods)
  }

  #hold(item: Item): void {
    const held = { item, since: this.#faults.now() }
    this.#held = held
    void this.#faults.pause(LONGEST_HELD, this.#ending.signal).then(() => this.#held === held && this.#release())
  }

  /** Nothing overtook it, so it is only late. */
  #release(): void {
    const held = this.#held
    this.#held = undefined
    if (!held || this.#isOver) return
    const ms = heldFor(held.since, this.#faults.now())
    if (ms > 0) this.#mark('delay', { ms })
    this.#end.deliver(held.item)
  }

  #concerns(methods: readonly string[]): boolean {
    return this.#cut !== undefined && (this.#cut.method === undefined || methods.includes(this.#cut.method))
  }

  /** Cuts the connection if it is time. Whether it happens is decided once for each connection. */
  #endsBy(methods: readonly string[]): boolean {
    if (this.#run !== this.#faults.run) {
      this.#run = this.#faults.run
      this.#count = 0
      this.#cut = this.#faults.chooseForConnection()
    }
    const cut = this.#cut
    if (!cut || this.#isOver || !this.#concerns(methods) || this.#count < cut.after) return false
    this.#isOver = true
    this.#held = undefined
    this.#mark('cut', { after: this.#count })
    this.#end.cut(new TransportError('connection-closed', 'An injected fault cut the connection', { injected: true }))
    return true
  }
}
