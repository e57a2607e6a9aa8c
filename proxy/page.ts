/** One page: its children, its relayed requests, and the one stream on which it hears of them (rules 1, 4 and 9). */
import { Buffer } from 'node:buffer'
import { EventLog } from './event-log.ts'
import { encode, FRAME, jsonPayload, type Outgoing } from './frames.ts'
import type { Limits } from './limits.ts'
import type { MemoryBudget, Share } from './memory-budget.ts'
import { badRequest, endedRefusal, Refusal, size } from './refusal.ts'
import { RelayedResponse } from './relayed-response.ts'
import { Child, type ChildEvent } from './stdio.ts'
import type { Spawned, SpawnRequest } from './wire.ts'

/** Bytes that go to the connection at once. */
const MAX_CHUNK = 256 * 1024
const IDLE = encode({ type: FRAME.idle, subject: 0, payload: [] }, 0)[0]![0]!
const MAX_EXITED = 256

interface Stream {
  open: boolean
  /** Ends the wait of a stream that has nothing to say. */
  wake: () => void
}

export class Page {
  readonly #limits: Limits
  readonly #log: EventLog
  readonly #memory: MemoryBudget
  /** Of the log. */
  readonly #share: Share
  readonly #nameChild: () => string
  readonly #forget: () => void
  readonly #children = new Map<string, Child>()
  /** Requests whose responses have not ended, by the number that the page gave them. */
  readonly #relayed = new Map<number, RelayedResponse>()
  /** Children whose `exit` was delivered, so that a line for them gets 410 and not 404. */
  readonly #exited = new Set<string>()
  #stream: Stream | undefined
  #timer: NodeJS.Timeout | undefined
  #paused = false
  /** The proxy holds too much, and this page has much of it. */
  #memoryShort = false
  /** The lease is over. */
  #leaseExpired = false
  #ended = false
  /** Nobody will ever read what the children still say: it is read, so that they can finish, and let go. */
  #discarding = false

  /**
   * @param memory what the log and the children's lines count in
   * @param nameChild a new name for each child, never given twice by one proxy: `c` and a number
   * @param forget called once, when nothing of this page is worth keeping
   */
  constructor(limits: Limits, memory: MemoryBudget, nameChild: () => string, forget: () => void) {
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
        // Nobody may ever come for it; whoever does hears of a gap.
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

  /** Nobody listens and nothing runs. */
  get idle(): boolean {
    return !this.#stream && this.#children.size === 0 && this.#relayed.size === 0
  }

  /**
   * Its first events may arrive before this answers.
   * @throws {Refusal} 422 when the command does not start, 429 when there are too many, 410 when the page is over
   */
  async spawn(request: SpawnRequest): Promise<Spawned> {
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
    const child = new Child(
      request,
      this.#limits,
      (event) => {
        this.#deliver(toFrame(event, subject))
        if (event.type === 'exit') this.#childExited(name)
      },
      this.#memory,
    )
    // Known before it has started, so that an end of the page in between finds it.
    this.#children.set(name, child)
    if (this.#paused) child.pause()
    // A page whose lease is over may come back with a new child before it listens again.
    if (!this.#stream) this.#restartLease()
    try {
      await child.started
    } catch (error) {
      this.#children.delete(name)
      this.#forgetIfDone()
      throw error
    }
    return { child: name, pid: child.pid }
  }

  /**
   * Resolves when the child's pipe has taken the bytes, or after `limits.stdinAnswer` ms while they wait for a child that
   * does not read: the page's POST must not hold one of its six connections for as long as that takes.
   * @returns whether the pipe has taken them
   * @throws {Refusal} 404, 410, or 413 when more than `limits.stdin` bytes wait already
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
      // Of one that has exited, the exit tells it.
      if (!taken && this.#children.has(name)) this.#deliver(toFrame(lost, Number(name.slice(1))))
    })
    return false
  }

  /**
   * Makes place for a response, under a number that the page chose.
   * @param keepalive it goes on when the page leaves
   * @throws {Refusal} 400 for a number that is in use, 410 when the page is over
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

  /** The relayed request of this number, as long as its response has not ended. */
  relayed(subject: number): RelayedResponse | undefined {
    return this.#relayed.get(subject)
  }

  /** Begins the shutdown of one child. @throws {Refusal} 404 for a child that was never here */
  endChild(name: string): void {
    if (!this.#exited.has(name)) void this.#find(name).end()
  }

  /** Ends all children for good. Resolves when no process of theirs is left. */
  async end(): Promise<void> {
    this.#ended = true
    for (const relayed of [...this.#relayed.values()]) relayed.pageLeft()
    const children = [...this.#children.values()]
    if (!this.#stream) this.#discardEvents()
    await Promise.all(children.map((child) => child.end()))
    this.#forgetIfDone()
  }

  /** SIGKILL to all that is left. */
  kill(): void {
    for (const child of this.#children.values()) child.kill()
  }

  /**
   * The page's stream of frames. It replaces the one before.
   * @param after the last id that the page has seen, 0 for none
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
          // What was sent before has been read: only that shows that somebody is there. The next piece must be, too.
          if (this.#stream === stream) clearTimeout(this.#timer)
          const piece = this.#take(stream) ?? (await this.#wait(stream)) ?? IDLE
          if (!stream.open) return controller.close()
          controller.enqueue(piece)
          this.#restartLease()
        },
        cancel: () => this.#streamClosed(stream),
      },
      // Nothing is taken ahead: what is not read stays in the log, and there it counts.
      { highWaterMark: 0 },
    )
  }

  #find(name: string): Child {
    const child = this.#children.get(name)
    if (child) return child
    if (this.#exited.has(name)) throw exitedRefusal(name)
    throw new Refusal(404, {
      code: 'not-found',
      message: `This page has no server \`${name}\`.`,
      remedy: 'Connect again. The server may have exited while the page was inactive.',
    })
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

  /** Reads no more from the children while the page is behind; half way down it reads again. */
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
   * Without a stream that is read the page has `lease` ms to come back; then its children end, and later its events go
   * too. A stream that is open and not read (a frozen page, a forgotten connection) is no sign of life (rule 4).
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
    // The stream, where there is one, still delivers the last exits and closes itself behind them.
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
    message: `The server \`${name}\` has exited or closed its stdin.`,
    remedy: 'Connect again to restart it.',
  })
}
