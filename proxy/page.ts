/** One page: its children (processes and sockets), its relayed requests, and the single event stream for both (rules 1, 4 and 9). */
import { Buffer } from 'node:buffer'
import { encode, EventLog, FRAME, jsonPayload, type Outgoing } from './event-log.ts'
import type { Limits } from './limits.ts'
import type { MemoryBudget, Share } from './memory-budget.ts'
import { badRequest, endedRefusal, Refusal, size } from './refusal.ts'
import { RelayedResponse } from './relayed-response.ts'
import type { ChildEvent, LinePeer } from './line-peer.ts'
import { SocketPeer } from './socket-peer.ts'
import { isSocketTarget } from './socket-target.ts'
import { Child } from './stdio-child.ts'
import { ModulePeer, type LoadedTransport } from './transport-module.ts'
import type { FilesChanged, OpenRequest, ProcessUsage, Spawned, SpawnRequest } from './wire.ts'

/** Bytes handed to the connection at once. */
const MAX_CHUNK = 256 * 1024
const IDLE = encode({ type: FRAME.idle, subject: 0, payload: [] }, 0)[0]![0]!
const MAX_EXITED = 256

interface Stream {
  open: boolean
  /** Wakes the stream while it waits for events. */
  wake: () => void
}

export class Page {
  readonly #limits: Limits
  readonly #log: EventLog
  readonly #memory: MemoryBudget
  readonly #transports: readonly LoadedTransport[]
  /** The log's share of the memory budget. */
  readonly #share: Share
  readonly #nameChild: () => string
  readonly #forget: () => void
  readonly #children = new Map<string, LinePeer>()
  /** Unfinished responses, by the page's number for the request. */
  readonly #relayed = new Map<number, RelayedResponse>()
  /** Children whose `exit` was delivered: stdin for them gets 410 instead of 404. */
  readonly #exited = new Set<string>()
  #stream: Stream | undefined
  #timer: NodeJS.Timeout | undefined
  #paused = false
  /** The memory budget is exhausted and this page holds a large share. */
  #memoryShort = false
  #leaseExpired = false
  #ended = false
  /** No page will read the events any more. Output is still read so that the children can finish, then discarded. */
  #discarding = false

  /**
   * @param memory counts the log and the children's lines
   * @param nameChild returns a name that is unique within the proxy: `c` and a number
   * @param forget called once, when the page can be dropped
   * @param transports those of modules
   */
  constructor(
    limits: Limits,
    memory: MemoryBudget,
    nameChild: () => string,
    forget: () => void,
    transports: readonly LoadedTransport[] = [],
  ) {
    this.#transports = transports
    this.#limits = limits
    this.#log = new EventLog(limits.replay)
    this.#nameChild = nameChild
    this.#memory = memory
    this.#share = memory.share({
      pause: (paused) => {
        this.#memoryShort = paused
        this.#applyBackpressure()
      },
      release: () => {
        // The page may never return. If it does, it gets a gap.
        if (this.#leaseExpired) this.#log.clear()
        else this.#log.release()
        this.#share.set(this.#log.held)
      },
    })
    this.#forget = () => {
      this.#share.close()
      forget()
    }
    this.#restartLease()
  }

  /** Children that have not exited. */
  get children(): number {
    return this.#children.size
  }

  /** Has no stream, no children and no requests. */
  get idle(): boolean {
    return !this.#stream && this.#children.size === 0 && this.#relayed.size === 0
  }

  /**
   * The child's first events may arrive before this resolves.
   * @throws {Refusal} 422 if the command doesn't start, 429 for too many children, 410 if the page has ended
   */
  spawn(request: SpawnRequest): Promise<Spawned> {
    return this.#start((deliver) => new Child(request, this.#limits, deliver, this.#memory))
  }

  /**
   * Connects to a socket, or through the transport of a module. Like a child, it counts against the limits, and ends with the page.
   * @throws {Refusal} as `spawn`; 422 if it can't be opened
   */
  async open({ target }: OpenRequest): Promise<Spawned> {
    if (isSocketTarget(target))
      return this.#start((deliver) => new SocketPeer(target, this.#limits, deliver, this.#memory))
    const name = target.slice(0, target.indexOf(':'))
    const module = this.#transports.find((one) => one.name === name)
    if (!module) {
      throw new Refusal(422, {
        code: 'no-transport',
        message: `The local proxy has no transport named ${name}.`,
        remedy: 'Start Periscope with --transport FILE, where FILE is the module that provides it.',
      })
    }
    const rest = target.slice(name.length + 1)
    return this.#start((deliver) => new ModulePeer(module, rest, this.#limits, deliver))
  }

  async #start(create: (deliver: (event: ChildEvent) => void) => LinePeer): Promise<Spawned> {
    if (this.#ended) throw endedRefusal()
    if (this.#children.size >= this.#limits.childrenPerPage) {
      throw new Refusal(429, {
        code: 'too-many',
        message: `This page already runs ${this.#children.size} servers. The limit is ${this.#limits.childrenPerPage}.`,
        remedy: 'Disconnect one first.',
      })
    }
    const name = this.#nameChild()
    const subject = Number(name.slice(1))
    const child = create((event) => {
      this.#deliver(toFrame(event, subject))
      if (event.type === 'exit' || event.type === 'closed') this.#childExited(name)
    })
    // Registered before it has started, so that ending the page meanwhile ends the child.
    this.#children.set(name, child)
    if (this.#paused) child.pause()
    // After its lease expired, a page may spawn before it opens a stream.
    if (!this.#stream) this.#restartLease()
    try {
      await child.started
    } catch (error) {
      this.#children.delete(name)
      this.#forgetIfDone()
      throw error
    }
    const { pid, inherited } = child
    return { child: name, ...(pid === undefined ? {} : { pid }), ...(inherited === undefined ? {} : { inherited }) }
  }

  /**
   * Resolves once the pipe has accepted the bytes, or after `limits.stdinAnswer` ms if the child doesn't read: the POST
   * would otherwise occupy one of the browser's six connections.
   * @returns whether the pipe has accepted them
   * @throws {Refusal} 404, 410, or 413 if more than `limits.stdin` bytes are waiting
   */
  async write(name: string, bytes: Uint8Array): Promise<boolean> {
    const child = this.#find(name)
    if (child.unread + bytes.length > this.#limits.stdin) {
      throw new Refusal(413, {
        code: 'too-large',
        message: `The server isn't reading its stdin: ${size(child.unread)} are waiting, and the limit is ${size(this.#limits.stdin)}.`,
        remedy: 'Wait until it reads, or disconnect.',
      })
    }
    const written = child.write(bytes)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, this.#limits.stdinAnswer, 'late')))
    const outcome = await Promise.race([written, late])
    clearTimeout(timer)
    if (outcome === false) throw exitedRefusal(name)
    if (outcome === true) return true
    void written.then((taken) => {
      const what = 'What was written to a stdin that the server has closed'
      const lost = { type: 'lost', stream: 'stdin', what, size: bytes.length, head: '', tail: '' } as const
      // After an exit, the exit event already implies the loss.
      if (!taken && this.#children.has(name)) this.#deliver(toFrame(lost, Number(name.slice(1))))
    })
    return false
  }

  /**
   * Registers a response under the page's number.
   * @param keepalive continue if the page leaves
   * @throws {Refusal} 400 if the number is in use, 410 if the page has ended
   */
  relay(subject: number, keepalive: boolean): RelayedResponse {
    if (this.#ended) throw endedRefusal()
    if (this.#relayed.has(subject))
      throw badRequest(`Request ${subject} is already in progress.`, 'Use another number.')
    const relayed: RelayedResponse = new RelayedResponse({
      subject,
      keepalive,
      deliver: (event) => this.#deliver(event),
      isFlowing: () => !this.#paused,
      onEnd: () => {
        if (this.#relayed.get(subject) === relayed) this.#relayed.delete(subject)
      },
    })
    this.#relayed.set(subject, relayed)
    if (!this.#stream) this.#restartLease()
    return relayed
  }

  /** The relayed request with this number, until its response ends. */
  relayed(subject: number): RelayedResponse | undefined {
    return this.#relayed.get(subject)
  }

  /** Starts the shutdown of a child. @throws {Refusal} 404 for an unknown child */
  endChild(name: string): void {
    if (!this.#exited.has(name)) void this.#find(name).end()
  }

  /** Ends the page and all children. Resolves once all their processes are gone. */
  async end(): Promise<void> {
    this.#ended = true
    for (const relayed of [...this.#relayed.values()]) relayed.pageLeft()
    const children = [...this.#children.values()]
    if (!this.#stream) this.#discardEvents()
    await Promise.all(children.map((child) => child.end()))
    this.#forgetIfDone()
  }

  /** Sends SIGKILL to all children. */
  kill(): void {
    for (const child of this.#children.values()) child.kill()
  }

  /**
   * Opens the page's stream of frames, and closes the previous one.
   * @param after the last ID that the page has seen, 0 for none
   */
  listen(after: number): ReadableStream<Uint8Array> {
    this.#close()
    const gap = this.#log.resumeAfter(after)
    const stream: Stream = { open: true, wake: () => {} }
    this.#stream = stream
    this.#restartLease()
    this.#applyBackpressure()
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => controller.enqueue(gap ? Buffer.concat([IDLE, gap]) : IDLE),
        pull: async (controller) => {
          // A pull means the previous chunk was read, which alone renews the lease. The lease restarts with each chunk.
          if (this.#stream === stream) clearTimeout(this.#timer)
          const piece = this.#take(stream) ?? (await this.#wait(stream)) ?? IDLE
          if (!stream.open) return controller.close()
          controller.enqueue(piece)
          this.#restartLease()
        },
        cancel: () => this.#streamClosed(stream),
      },
      // No read-ahead: unread events stay in the log, where they count against the limits.
      { highWaterMark: 0 },
    )
  }

  /**
   * What a child and its descendants use.
   * @throws {Refusal} 404 if no child of this page has this pid
   */
  usage(pid: number): Promise<ProcessUsage> {
    for (const child of this.#children.values()) if (child instanceof Child && child.pid === pid) return child.usage()
    throw noSuchServer(`process ${pid}`)
  }

  /** Files of `--watch` changed. A page that is away briefly gets it later; one that left its children doesn't. */
  filesChanged(change: FilesChanged): void {
    if (!this.#stream && this.#children.size === 0) return
    this.#deliver({ type: FRAME.files, subject: 0, payload: jsonPayload(change) })
  }

  #find(name: string): LinePeer {
    const child = this.#children.get(name)
    if (child) return child
    if (this.#exited.has(name)) throw exitedRefusal(name)
    throw noSuchServer(name)
  }

  #childExited(name: string): void {
    this.#children.delete(name)
    this.#exited.add(name)
    if (this.#exited.size > MAX_EXITED) this.#exited.delete(this.#exited.values().next().value!)
    this.#forgetIfDone()
  }

  #deliver(event: Outgoing): void {
    if (this.#discarding) return
    this.#log.append(event)
    this.#share.set(this.#log.held)
    this.#stream?.wake()
    this.#applyBackpressure()
  }

  #discardEvents(): void {
    this.#discarding = true
    this.#log.clear()
    this.#share.close()
    for (const child of this.#children.values()) child.resume()
  }

  #take(stream: Stream): Buffer | undefined {
    if (!stream.open) return undefined
    const piece = this.#log.take(MAX_CHUNK)
    this.#share.set(this.#log.held)
    if (piece) this.#applyBackpressure()
    else if (this.#ended && this.#children.size === 0) this.#streamClosed(stream)
    return piece
  }

  async #wait(stream: Stream): Promise<Buffer | undefined> {
    if (!stream.open) return undefined
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      stream.wake = resolve
      timer = setTimeout(resolve, this.#limits.heartbeat)
      timer.unref()
    })
    clearTimeout(timer)
    return this.#take(stream)
  }

  /** Pauses the children while the page lags behind, and resumes at half the limit. */
  #applyBackpressure(): void {
    const queued = this.#log.queued
    if (this.#discarding) return
    if (!this.#paused && (this.#memoryShort || queued > this.#limits.queue)) {
      this.#paused = true
      for (const child of this.#children.values()) child.pause()
    } else if (this.#paused && !this.#memoryShort && queued <= this.#limits.queue / 2) {
      this.#paused = false
      for (const child of this.#children.values()) child.resume()
      for (const relayed of this.#relayed.values()) relayed.resume()
    }
  }

  #close(): void {
    if (!this.#stream) return
    this.#stream.open = false
    this.#stream.wake()
    this.#stream = undefined
  }

  #streamClosed(stream: Stream): void {
    stream.open = false
    if (this.#stream !== stream) return
    this.#close()
    if (this.#ended) this.#discardEvents()
    this.#restartLease()
    this.#forgetIfDone()
  }

  /**
   * If nothing reads the stream for `lease` ms, the page's children end, and later its events are dropped. An open stream
   * that isn't read (a frozen page, a dead connection) doesn't renew the lease (rule 4).
   */
  #restartLease(): void {
    clearTimeout(this.#timer)
    this.#leaseExpired = false
    this.#timer = setTimeout(() => {
      this.#close()
      this.#leaseExpired = true
      for (const relayed of [...this.#relayed.values()]) relayed.pageLeft()
      for (const child of this.#children.values()) void child.end()
      this.#timer = setTimeout(() => {
        this.#ended = true
        this.kill()
        this.#discardEvents()
        this.#forget()
      }, this.#limits.memory)
      this.#timer.unref()
    }, this.#limits.lease)
    this.#timer.unref()
  }

  #forgetIfDone(): void {
    if (!this.#ended || this.#children.size > 0) return
    // An open stream first delivers the last exits, then closes itself.
    if (this.#stream) this.#stream.wake()
    else {
      clearTimeout(this.#timer)
      this.#forget()
    }
  }
}

function toFrame(event: ChildEvent, subject: number): Outgoing {
  if ('line' in event) {
    const { type, line } = event
    return { type: FRAME[type], subject, payload: line.pieces, invalidUtf8: line.invalidUtf8 }
  }
  const { type, ...facts } = event
  return { type: FRAME[type], subject, payload: jsonPayload(facts) }
}

function exitedRefusal(name: string): Refusal {
  return new Refusal(410, {
    code: 'gone',
    message: `The server "${name}" has exited or closed its stdin.`,
    remedy: 'Connect again to restart it.',
  })
}

const noSuchServer = (name: string): Refusal =>
  new Refusal(404, {
    code: 'not-found',
    message: `This page has no server "${name}".`,
    remedy: 'Connect again. The server may have exited while the page was inactive.',
  })
