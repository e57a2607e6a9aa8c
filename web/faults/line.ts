/** Disturbs a line of messages: stdio, sockets, WebSockets, and the server in this page. */
import { TransportError } from '../mcp/index.ts'
import type { DisturbedLine, FaultKind, InjectedFault, LineEnd } from '../mcp/index.ts'
import { corrupted, LONGEST_HELD, originalOf } from './alter.ts'
import type { Chosen, FaultChooser } from './chooser.ts'

/**
 * Works through what arrives one by one, in order: what waits is overtaken by nothing but the fault that says so. It goes
 * on with what it holds when faults are switched off.
 */
export class FaultyLine<Item> implements DisturbedLine<Item> {
  readonly #end: LineEnd<Item>
  readonly #faults: FaultChooser
  readonly #queue: Item[] = []
  #running = false
  #held: { readonly item: Item } | undefined
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
    this.#queue.push(item)
    if (!this.#running) void this.#work()
  }

  async #work(): Promise<void> {
    this.#running = true
    for (let item = this.#queue.shift(); item !== undefined; item = this.#queue.shift()) {
      const disturbed = this.#pass(item)
      if (disturbed) await disturbed
    }
    this.#running = false
  }

  #mark(fault: FaultKind, facts: Omit<InjectedFault, 'kind' | 'event' | 'fault'> = {}): void {
    this.#end.mark({ kind: 'fault', event: 'injected', fault, ...facts })
  }

  #pass(item: Item): void | Promise<void> {
    const text = this.#end.textOf(item)
    if (text === undefined) {
      this.#release()
      return this.#end.deliver(item)
    }
    // The connection is over for the client, although the other side may not know yet.
    if (this.#isOver) return undefined
    if (!this.#faults.isOn && !this.#held) return this.#end.deliver(item)
    return this.#disturb(item, text)
  }

  async #disturb(item: Item, text: string): Promise<void> {
    const [end, faults] = [this.#end, this.#faults]
    const methods = faults.methodsOf(text)
    if (this.#endsBy(methods)) return
    const late = faults.choose('delay', methods)
    if (late) {
      this.#mark('delay', { ms: late.ms })
      await faults.wait(late.ms)
    }
    const broken = faults.choose('corrupt', methods)
    const next = broken ? end.withText(item, corrupted(text, broken.random)) : item
    if (this.#held) {
      this.#mark('reorder')
      if (broken) this.#mark('corrupt', originalOf(text))
      end.deliver(next)
      this.#release()
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
    const held = { item }
    this.#held = held
    void this.#faults.wait(LONGEST_HELD).then(() => this.#held === held && this.#release())
  }

  /** Nothing overtook it. */
  #release(): void {
    const held = this.#held
    this.#held = undefined
    if (held && !this.#isOver) this.#end.deliver(held.item)
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
