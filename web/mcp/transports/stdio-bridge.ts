/**
 * stdio through the local proxy: one message per line, in both directions. POSTs spawn children and write to them, and
 * all their output arrives on the channel's single stream.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
 */
import { jsonIn, type JsonObject } from '../../json/index.ts'
import { wait } from '../deadline.ts'
import { TransportError } from '../errors.ts'
import type { Hello, OpenRequest, PageEvent, ProcessUsage, Spawned, SpawnRequest } from '../../../proxy/wire.ts'
import { NewLines, watchActivity } from './activity.ts'
import { InOrder } from './in-order.ts'
import { Arrivals, type InjectedFault, type InterferenceSlot } from './interference.ts'
import { ProxyChannel, type ProxyChannelOptions } from './proxy-channel.ts'
import { idKey, isRequestId, type RequestId, requestsIn } from '../jsonrpc.ts'
import type { Sink, Transport } from './transport.ts'
import type { Outbound } from './tap.ts'

export type BridgeOptions = ProxyChannelOptions

export type ChildEvent = PageEvent | { readonly type: 'proxy-lost'; readonly error: TransportError }
type ChildListener = (event: ChildEvent) => void

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
const OWN_ANSWER_LIMIT = 10_000

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
    return (await (await this.channel.send('GET', 'api/hello', { limit: OWN_ANSWER_LIMIT })).json()) as Hello
  }

  /**
   * Starts a child. `listener` receives all its events from now on, in order.
   * @throws {TransportError} `spawn-failed` with the proxy's explanation as details; `no-proxy`
   */
  spawn(request: SpawnRequest, listener: ChildListener): Promise<Spawned> {
    return this.#start(request, listener)
  }

  /**
   * Opens a socket, or the transport of a module. `closed` is its last event.
   * @throws as `spawn`
   */
  open(request: OpenRequest, listener: ChildListener): Promise<Spawned> {
    return this.#start(request, listener)
  }

  async #start(request: SpawnRequest | OpenRequest, listener: ChildListener): Promise<Spawned> {
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

  /** @throws {TransportError} it has ended */
  async usage(pid: number): Promise<ProcessUsage> {
    return (await (
      await this.channel.ask('GET', `/processes/${pid}`, { limit: OWN_ANSWER_LIMIT })
    ).json()) as ProcessUsage
  }

  /** Requests the shutdown sequence (stdin, SIGTERM, SIGKILL); its steps arrive as events. */
  async end(child: string): Promise<void> {
    await this.channel.tell('DELETE', `/children/${child}`, { limit: OWN_ANSWER_LIMIT })
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
      if (event.type === 'exit' || event.type === 'closed') {
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

/** A line that was dropped. `head` and `tail`: its first and last bytes. */
interface LostText {
  readonly what: string
  readonly size: number
  readonly head: string
  readonly tail: string
  /** It isn't a message. */
  readonly aside?: boolean
}

/**
 * Records a line that was dropped because it exceeded the limit. If it was a response, its request must not stay pending:
 * the first and last bytes of the line usually show which request that was. Fails it if there is exactly one candidate.
 */
export const tellLostText = (
  sink: Sink,
  kind: 'process' | 'transport',
  { what, size, head, tail, aside = false }: LostText,
): void => {
  const requests = aside ? [] : answeredBy(head, tail, sink.awaited?.() ?? [])
  const facts = requests.length === 0 ? {} : { requests }
  sink.tap.append({ kind, event: 'lost', what, size, ...facts })
  const [id] = requests
  if (id === undefined || requests.length > 1) return
  const mega = (size / 1024 / 1024).toFixed(1)
  sink.lost(
    id,
    new TransportError('proxy-refused', `The response was too large and was dropped: ${what} (${mega} MB)`, {
      id,
      size,
    }),
  )
}

/** @returns the requests that the line may have responded to; none if it wasn't a response to any of them */
export const answeredBy = (head: string, tail: string, awaited: readonly RequestId[]): readonly RequestId[] => {
  const start = /^\uFEFF?\s*([[{])/.exec(head)
  if (!start) return []
  if (start[1] === '{') {
    for (const members of [membersAtStart(head.slice(start[0].length)), membersAtEnd(tail)]) {
      if ('method' in members) return []
      const { id } = members
      if (isRequestId(id)) return awaited.filter((each) => idKey(each) === idKey(id))
    }
  }
  return awaited
}

const SCALAR = String.raw`(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)`
const MEMBER = String.raw`\s*"(?:[^"\\]|\\.)*"\s*:\s*${SCALAR}\s*`
const AT_START = new RegExp(`^(?:${MEMBER},)+`)
/** Without a `}` or `]` between them and the end, they are the message's own members. */
const AT_END = new RegExp(`(?:,${MEMBER})+(?=}\\s*$)`)

/** Members with short values at the start of the message. */
const membersAtStart = (text: string): JsonObject => {
  const members = AT_START.exec(text)?.[0].slice(0, -1) ?? ''
  const named = /^\s*"method"\s*:/.test(text.slice(members === '' ? 0 : members.length + 1))
  return { ...parsed(members), ...(named ? { method: '' } : {}) }
}

const membersAtEnd = (text: string): JsonObject => parsed(AT_END.exec(text)?.[0].slice(1) ?? '')

const parsed = (members: string): JsonObject => (jsonIn(`{${members}}`) ?? {}) as JsonObject

type WithoutChild<Type extends PageEvent['type']> = Omit<Extract<PageEvent, { type: Type }>, 'child'>
type Output =
  | WithoutChild<'line'>
  | WithoutChild<'unfinished'>
  | WithoutChild<'stderr'>
  | WithoutChild<'ending'>
  | WithoutChild<'lost'>

/** ms to start the process and to get its first response: `npx` may have to download a package first. */
export const START_LIMIT = 15_000
export const ANSWER_LIMIT = 90_000
/** ms between the refusal of a line and the event that says how the process ended. */
const EXIT_LIMIT = 2000

/** Records what a server process sends and receives, and delivers its messages. The process may be the proxy's or ours. */
export class ProcessRecorder {
  readonly #sink: () => Sink
  readonly #order = new InOrder()
  /** The process has sent a message. */
  #spoke = false

  /** @param sink the current one: a process that starts again may have another */
  constructor(sink: () => Sink) {
    this.#sink = sink
  }

  get spoke(): boolean {
    return this.#spoke
  }

  spawned(
    { command, args, cwd, env = {} }: SpawnRequest,
    pid: number | undefined,
    inherited?: readonly string[],
  ): void {
    this.#spoke = false
    const names = Object.keys(env)
    this.#sink().tap.append({ kind: 'process', event: 'spawn', command, args, cwd, env: names, inherited, pid })
  }

  spawnFailed({ command }: SpawnRequest, code: string, explanation: string): void {
    this.#sink().tap.append({ kind: 'process', event: 'spawn-failed', command, code, explanation })
  }

  /** @returns the line to write */
  sent(outbound: Outbound, answerLimit = ANSWER_LIMIT): string {
    const { text } = this.#sink().tap.sent(outbound)
    if (requestsIn(outbound.message).length > 0) this.#sink().step('waiting-for-answer', answerLimit)
    // TR-STDIO-02: a newline inside a message would split it in two.
    return outbound.byHand ? text : text.replaceAll('\n', ' ')
  }

  injected(fault: InjectedFault): void {
    this.#order.run(() => void this.#sink().tap.append(fault))
  }

  inOrder(happen: () => void | Promise<unknown>): void {
    this.#order.run(happen)
  }

  received(event: Output): void | Promise<unknown> {
    const sink = this.#sink()
    const { tap } = sink
    switch (event.type) {
      case 'line': {
        // A line that isn't a JSON object or array is noise: shown, never an error, never dropped.
        const received = tap.line(event.text, event.invalidUtf8 ?? false)
        this.#spoke ||= received !== undefined
        if (received instanceof Promise) return received.then((late) => late && sink.message(late))
        return received && sink.message(received)
      }
      case 'unfinished':
        return void tap.append({ kind: 'process', event: 'stdout-unfinished', text: event.text, size: event.size })
      case 'stderr':
        return void tap.append({ kind: 'process', event: 'stderr', text: event.text })
      case 'ending':
        return void tap.append({ kind: 'process', event: 'ending', step: event.step })
      case 'lost':
        return tellLostText(sink, 'process', { ...event, aside: event.stream !== 'stdout' })
    }
  }

  /** @returns the reason why nothing more can be sent */
  exited(exit: ProcessEnd, endsAtStart?: (exit: ProcessEnd) => boolean): TransportError {
    const { code, signal, stderr } = exit
    this.#sink().tap.append({ kind: 'process', event: 'exit', code, signal, stderr })
    const how = signal === null ? `exit code ${code}` : `signal ${signal}`
    return new TransportError('process-exited', `The process ended with ${how}`, {
      code,
      signal,
      stderr: [...stderr],
      ...(!this.#spoke && endsAtStart?.(exit) ? { atStart: true } : {}),
    })
  }
}

export interface StdioBridgeOptions {
  readonly bridge: Bridge
  readonly spawn: SpawnRequest
  /** ms to start the process and to get its first response: `npx` may have to download a package first. */
  readonly limits?: { readonly start?: number; readonly answer?: number }
  /**
   * The command may download a package before it starts the server. Then the limits begin again whenever the process shows
   * that it is busy, until its first message. `interval`: ms between two looks at it.
   */
  readonly downloads?: { readonly interval?: number } | undefined
  /** Whether a process that sent no message ended for a reason that would end the next one as well. */
  readonly endsAtStart?: (exit: ProcessEnd) => boolean
  /** Faults that the user injects. */
  readonly faults?: InterferenceSlot
}

/** How a process ended, and its last lines of stderr. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
  readonly stderr: readonly string[]
}

export class StdioBridgeTransport implements Transport {
  readonly name = 'stdio'
  readonly restarts = true
  readonly #options: StdioBridgeOptions
  #sink!: Sink
  readonly #recorder = new ProcessRecorder(() => this.#sink)
  #child: string | undefined
  #ending = false
  #replaced = false
  #exited: (reason: TransportError) => void = () => {}
  /** Why nothing more can be sent, once the process has ended or the proxy is lost. */
  #exit: Promise<TransportError | undefined> = Promise.resolve(undefined)
  #arrivals: Arrivals<ChildEvent>
  /** Aborted once nothing can be downloading any more. */
  #downloading = new AbortController()
  #newLines = new NewLines()

  constructor(options: StdioBridgeOptions) {
    this.#options = options
    this.#arrivals = this.#newArrivals()
  }

  async open(sink: Sink): Promise<void> {
    this.#sink = sink
    const { bridge, spawn, limits } = this.#options
    if (this.#child !== undefined) await this.#endBefore(this.#child)
    this.#arrivals = this.#newArrivals()
    sink.step('starting-process', limits?.start ?? START_LIMIT)
    try {
      // Output may arrive before the spawn response, but the frame of the start must come first.
      let early: ChildEvent[] | undefined = []
      const { child, pid, inherited } = await bridge.spawn(spawn, (event) =>
        early ? void early.push(event) : this.#heard(event),
      )
      this.#child = child
      this.#exit = new Promise((resolve) => (this.#exited = resolve))
      this.#recorder.spawned(spawn, pid, inherited)
      const before = early
      early = undefined
      for (const event of before) this.#heard(event)
      if (pid !== undefined) this.#watchDownload(pid)
      // The session was closed while the process was starting.
      if (this.#ending) await bridge.end(child).catch(() => {})
    } catch (error) {
      if (error instanceof TransportError) this.#recorder.spawnFailed(spawn, error.code, error.message)
      throw error
    }
  }

  #watchDownload(pid: number): void {
    const { bridge, downloads } = this.#options
    this.#downloading.abort()
    this.#downloading = new AbortController()
    this.#newLines = new NewLines()
    const { signal } = this.#downloading
    // Its first message may have arrived with the spawn response, and so may its end.
    if (!downloads || this.#child === undefined || this.#recorder.spoke) return
    void watchActivity(
      () => bridge.usage(pid),
      () => this.#sink.busy?.(),
      signal,
      downloads.interval,
    )
  }

  async send(outbound: Outbound): Promise<void> {
    if (this.#child === undefined || this.#ending)
      throw new TransportError('process-exited', "The process isn't running")
    const line = this.#recorder.sent(outbound, this.#options.limits?.answer)
    this.#arrivals.sent(line)
    try {
      await this.#options.bridge.write(this.#child, line)
    } catch (error) {
      throw (await this.#exitBehind(error)) ?? error
    }
  }

  /**
   * The proxy refuses a line for a process that has ended. The refusal may overtake the event with the exit code and the
   * last words, which comes on another connection, so wait for it. A process that only closed its stdin has none.
   */
  async #exitBehind(refused: unknown): Promise<TransportError | undefined> {
    if (!(refused instanceof TransportError) || refused.code !== 'process-exited') return undefined
    const waiting = new AbortController()
    try {
      return await Promise.race([this.#exit, wait(EXIT_LIMIT, waiting.signal).then(() => undefined)])
    } finally {
      waiting.abort()
    }
  }

  async close(): Promise<void> {
    if (this.#ending) return
    this.#ending = true
    this.#downloading.abort()
    this.#arrivals.end()
    if (this.#child === undefined) return
    try {
      await this.#options.bridge.end(this.#child)
      await this.#exit
    } catch {
      // The child is already gone, possibly with the proxy.
    }
  }

  /** Ends the process of a previous attempt; its end isn't reported to the session. */
  async #endBefore(child: string): Promise<void> {
    this.#replaced = true
    this.#arrivals.end()
    try {
      await this.#options.bridge.end(child)
      await this.#exit
    } catch {
      // It is already gone.
    }
    this.#child = undefined
    this.#replaced = false
  }

  #heard(event: ChildEvent): void {
    this.#arrivals.arrived(event)
  }

  #newArrivals(): Arrivals<ChildEvent> {
    return new Arrivals<ChildEvent>(this.#options.faults, {
      textOf: (event) => (event.type === 'line' ? event.text : undefined),
      withText: (event, text) => ({ ...event, text }) as ChildEvent,
      deliver: (event) => this.#recorder.inOrder(() => this.#happened(event)),
      mark: (fault) => this.#recorder.injected(fault),
      cut: (error) => this.#recorder.inOrder(() => void this.#cut(error)),
    })
  }

  /** A fault that the user injected: the process has to end, because nobody reads its output any more. */
  async #cut(error: TransportError): Promise<void> {
    if (this.#child === undefined || this.#ending) return
    await this.#endBefore(this.#child)
    if (!this.#ending) this.#sink.closed(error)
  }

  #happened(event: ChildEvent): void | Promise<unknown> {
    switch (event.type) {
      case 'gap': {
        const what = `${event.lost} frames of the proxy`
        return void this.#sink.tap.append({ kind: 'process', event: 'lost', what, size: 0 })
      }
      case 'exit': {
        const error = this.#recorder.exited(event, this.#options.endsAtStart)
        this.#child = undefined
        this.#downloading.abort()
        this.#exited(error)
        // Rule 6: pending requests are rejected with the exit status and the reason.
        return this.#ending || this.#replaced ? undefined : this.#sink.closed(error)
      }
      case 'proxy-lost':
        this.#child = undefined
        this.#downloading.abort()
        this.#exited(event.error)
        return this.#sink.closed(event.error)
      case 'closed':
        // Only sockets are closed.
        return
      case 'stderr':
        if (this.#options.downloads && !this.#recorder.spoke && this.#newLines.isNew(event.text)) this.#sink.busy?.()
        return this.#recorder.received(event)
      default: {
        const received = this.#recorder.received(event)
        if (this.#recorder.spoke) this.#downloading.abort()
        return received
      }
    }
  }
}
