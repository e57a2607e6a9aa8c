/**
 * The page's side of the local proxy's processes: POSTs spawn children and write to them, and all their output arrives
 * on the channel's single stream.
 */
import type { TransportError } from '../errors.ts'
import type { Hello, PageEvent, Spawned, SpawnRequest } from '../../../proxy/wire.ts'
import { ProxyChannel, type ProxyChannelOptions } from './proxy-channel.ts'

export type BridgeOptions = ProxyChannelOptions

export type ChildEvent = PageEvent | { readonly type: 'proxy-lost'; readonly error: TransportError }
export type ChildListener = (event: ChildEvent) => void

interface RunningChild {
  readonly listener: ChildListener
  /** Lets the channel close. */
  readonly release: () => void
}

/** Lines waiting to be sent to one child. */
interface Queue {
  lines: string[]
  /** The POST that will carry `lines`. */
  next: Promise<void> | undefined
  /** The POST in progress. */
  tail: Promise<void>
}

/** ms for responses that the proxy produces on its own. */
const ANSWER_LIMIT = 10_000

/** Events of a child whose spawn response hasn't arrived; more than this means that the proxy is faulty. */
const EARLY_KEPT = 10_000

export class Bridge {
  /** The page's relayed requests also use it. */
  readonly channel: ProxyChannel
  readonly #children = new Map<string, RunningChild>()
  readonly #early = new Map<string, PageEvent[]>()
  readonly #queues = new Map<string, Queue>()

  constructor(options: BridgeOptions) {
    this.channel = new ProxyChannel(options)
    this.channel.children = {
      event: (event) => this.#deliver(event),
      lost: (error) => this.#loseAll(error),
    }
  }

  /** @throws {TransportError} `no-proxy`: no response, or not our proxy, or it refuses the token */
  async hello(): Promise<Hello> {
    return (await (await this.channel.send('GET', 'api/hello', { limit: ANSWER_LIMIT })).json()) as Hello
  }

  /**
   * Starts a child. `listener` receives all its events from now on, in order.
   * @throws {TransportError} `spawn-failed` with the proxy's explanation as details; `no-proxy`
   */
  async spawn(request: SpawnRequest, listener: ChildListener): Promise<Spawned> {
    const release = this.channel.use()
    let spawned: Spawned
    try {
      await this.channel.connect()
      const response = await this.channel.ask('POST', '/children', { body: JSON.stringify(request) })
      spawned = (await response.json()) as Spawned
    } catch (error) {
      release()
      throw error
    }
    this.#children.set(spawned.child, { listener, release })
    // A `gap` here concerns only this child.
    for (const event of this.#early.get(spawned.child) ?? []) {
      if (event.type === 'gap') listener(event)
      else this.#deliver(event)
    }
    this.#early.delete(spawned.child)
    return spawned
  }

  /**
   * Writes a line to a child's stdin. Lines keep their order: lines written during a POST go with the next one.
   * @throws {TransportError} `process-exited`, `proxy-lost`
   */
  async write(child: string, line: string): Promise<void> {
    const queue = this.#queues.get(child) ?? { lines: [], next: undefined, tail: Promise.resolve() }
    this.#queues.set(child, queue)
    queue.lines.push(line)
    // Two parallel POSTs could overtake each other, so one waits for the other and takes everything collected
    // meanwhile.
    queue.next ??= queue.tail.then(() => this.#flush(child, queue))
    await queue.next
  }

  /** Requests the shutdown sequence (stdin, SIGTERM, SIGKILL); its steps arrive as events. */
  async end(child: string): Promise<void> {
    await this.channel.tell('DELETE', `/children/${child}`, { limit: ANSWER_LIMIT })
  }

  /** The page is unloading: ends its children at once. Works even while the tab closes. */
  leave(): void {
    this.channel.leave()
  }

  async #flush(child: string, queue: Queue): Promise<void> {
    const body = queue.lines.map((line) => `${line}\n`).join('')
    queue.lines = []
    queue.next = undefined
    const posted = this.channel.tell('POST', `/children/${child}/stdin`, { body })
    queue.tail = posted.then(
      () => {},
      () => {},
    )
    await posted
  }

  #deliver(event: PageEvent): void {
    if (event.type === 'gap') {
      for (const { listener } of this.#children.values()) listener(event)
      return
    }
    const child = this.#children.get(event.child)
    if (child) {
      if (event.type === 'exit') {
        this.#children.delete(event.child)
        this.#queues.delete(event.child)
        child.release()
      }
      child.listener(event)
      return
    }
    const early = this.#early.get(event.child) ?? []
    this.#early.set(event.child, early)
    if (early.length < EARLY_KEPT) return void early.push(event)
    const last = early.pop()!
    early.push({ type: 'gap', lost: last.type === 'gap' ? last.lost + 1 : 2 })
  }

  #loseAll(error: TransportError): void {
    const children = [...this.#children.values()]
    this.#children.clear()
    this.#early.clear()
    this.#queues.clear()
    for (const { listener, release } of children) {
      release()
      listener({ type: 'proxy-lost', error })
    }
  }
}
