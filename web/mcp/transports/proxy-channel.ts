/**
 * The page's connection to the local proxy: short POSTs in one direction, and one stream of frames in the other, for
 * all child processes and relayed responses together (a browser allows six connections per host). The stream is resumed
 * where it broke, so a short interruption loses nothing.
 */
import { wait } from '../deadline.ts'
import { messageOf, TransportError } from '../errors.ts'
import { pacer } from '../pace.ts'
import { Signal } from '../signal.ts'
import { randomUuid } from '../web-crypto.ts'
import type { FilesChanged, PageEvent, ProxyError } from '../../../proxy/wire.ts'
import { EventAssembler, FrameReader, GarbledFrame, type Frame, type RelayEvent } from './proxy-framing.ts'

export interface ProxyChannelOptions {
  /** URL of the proxy, with a trailing slash. */
  readonly base: string
  /** The launch token, sent only in `Periscope-Token`. */
  readonly token: string
  readonly fetch?: typeof fetch
}

/**
 * `closed`: nothing uses it, and there is no stream. `reconnecting`: an attempt to reach the proxy has failed, and the
 * next one follows.
 */
export type ProxyChannelState = 'closed' | 'connecting' | 'open' | 'reconnecting'

/** Receives what the proxy sends for one relayed request. */
export interface RelayListener {
  event(event: RelayEvent): void
  /** Nothing more will arrive. */
  lost(error: TransportError): void
}

export interface ChildrenListener {
  event(event: PageEvent): void
  lost(error: TransportError): void
}

export interface ProxyRequest {
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Continues even while the tab closes. */
  readonly keepalive?: boolean
  /** ms until the response; absent if the request may have to wait for a child. */
  readonly limit?: number
  readonly signal?: AbortSignal | undefined
}

/** ms between attempts to reach a proxy that is gone, and in total before everything using it is given up. */
const FIRST_DELAY = 200
const LONGEST_DELAY = 3_000
const PATIENCE = 20_000

/** ms until the head of the stream, and without a byte on it: the proxy sends one every 15 s. */
const HEAD_LIMIT = 10_000
const SILENCE_LIMIT = 45_000

/** ms that the stream stays open while nothing uses it. */
const IDLE_LIMIT = 3_000

export class ProxyChannel {
  readonly #base: string
  readonly #token: string
  readonly #fetch: typeof fetch
  readonly #relays = new Map<number, RelayListener>()
  readonly #states = new Signal<[ProxyChannelState]>()
  /** @returns a function that ends the subscription */
  readonly watch = this.#states.subscribe
  readonly #files = new Signal<[FilesChanged]>()
  /** Reports files of `--watch` that changed, while the stream is open. @returns as `watch` */
  readonly watchFiles = this.#files.subscribe
  #children: ChildrenListener | undefined
  #state: ProxyChannelState = 'closed'
  /** Identifies one lifetime of the channel; the proxy's state for it is separate. */
  #page = randomUuid()
  #life: AbortController | undefined
  #connected: Promise<void> | undefined
  #assembler = new EventAssembler()
  /** The last complete frame; 0 before the first. */
  #lastEventId = 0
  #requests = 0
  #users = 0
  #idleTimer: ReturnType<typeof setTimeout> | undefined

  constructor({ base, token, fetch: fetchWith = fetch }: ProxyChannelOptions) {
    this.#base = base
    this.#token = token
    // A bare `fetch` called as a method of another object throws "Illegal invocation" in browsers.
    this.#fetch = (input, init) => fetchWith(input, init)
  }

  get state(): ProxyChannelState {
    return this.#state
  }

  /** Receives the events of all children. */
  set children(listener: ChildrenListener) {
    this.#children = listener
  }

  /**
   * Opens the stream if it isn't open.
   * @throws {TransportError} `no-proxy`: no response, or not our proxy, or it refuses the token
   */
  connect(): Promise<void> {
    return (this.#connected ??= new Promise((resolve, reject) => {
      const life = (this.#life = new AbortController())
      this.#enter('connecting')
      void this.#listen(life.signal, resolve, reject).finally(() => {
        // Left before the stream was open; afterwards, this has no effect.
        reject(left())
        if (this.#life === life) this.#close()
      })
    }))
  }

  /** Keeps the stream open. @returns a function that releases it; further calls do nothing */
  use(): () => void {
    this.#users++
    clearTimeout(this.#idleTimer)
    let used = true
    return () => {
      if (!used) return
      used = false
      if (--this.#users > 0) return
      clearTimeout(this.#idleTimer)
      this.#idleTimer = setTimeout(() => this.leave(), IDLE_LIMIT)
    }
  }

  /** @returns the number of a new relayed request; the listener receives its frames */
  listenTo(listener: RelayListener): number {
    const request = ++this.#requests
    this.#relays.set(request, listener)
    return request
  }

  forget(request: number): void {
    this.#relays.delete(request)
  }

  /** Ends everything that uses the channel, at once. Works even while the tab closes. */
  leave(): void {
    clearTimeout(this.#idleTimer)
    if (!this.#life) return
    this.#life.abort()
    this.tell('DELETE', '', { keepalive: true }).catch(() => {})
    this.#close()
    // Otherwise these promises would never settle.
    this.#loseAll(left())
  }

  /**
   * A request to the proxy, below the page's own path.
   * @throws {TransportError} `no-proxy`, or the proxy's refusal; the reason of `signal`
   */
  ask(method: string, path: string, options: ProxyRequest = {}): Promise<Response> {
    return this.send(method, `api/pages/${this.#page}${path}`, options)
  }

  /**
   * Like `ask`, if only success matters.
   * @throws as `ask`
   */
  async tell(method: string, path: string, options: ProxyRequest = {}): Promise<void> {
    // Read it completely, so that its connection is free for the next request.
    await (await this.ask(method, path, options)).arrayBuffer().catch(() => {})
  }

  /** Like `ask`, anywhere below `base`. */
  async send(method: string, path: string, { body, keepalive, limit, signal }: ProxyRequest = {}): Promise<Response> {
    let response: Response
    try {
      response = await this.#fetch(this.#base + path, {
        method,
        headers: {
          'periscope-token': this.#token,
          ...(body === undefined
            ? {}
            : { 'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream' }),
        },
        cache: 'no-store',
        credentials: 'omit',
        body,
        keepalive,
        signal: signal ?? (limit === undefined ? undefined : AbortSignal.timeout(limit)),
      })
    } catch (error) {
      signal?.throwIfAborted()
      throw noProxy(error)
    }
    if (response.ok) return response
    throw await refusal(response)
  }

  /** Reads the stream for this lifetime, resuming it after interruptions. Never rejects. */
  async #listen(signal: AbortSignal, opened: () => void, failed: (error: unknown) => void): Promise<void> {
    let failures = 0
    let lostAt: number | undefined
    while (!signal.aborted) {
      const attempt = new AbortController()
      const abort = () => attempt.abort()
      signal.addEventListener('abort', abort, { once: true })
      try {
        const response = await this.#open(attempt)
        failures = 0
        this.#enter('open')
        opened()
        await this.#read(response.body!, attempt)
        lostAt = Date.now()
      } catch (error) {
        if (signal.aborted) return
        const cause = lossOf(error, lostAt, failures)
        if (cause) {
          failed(cause)
          return this.#loseAll(cause)
        }
        if (lostAt !== undefined) this.#enter('reconnecting')
      } finally {
        signal.removeEventListener('abort', abort)
      }
      await wait(Math.min(FIRST_DELAY * 2 ** failures++, LONGEST_DELAY), signal)
    }
  }

  async #open(attempt: AbortController): Promise<Response> {
    const timer = setTimeout(() => attempt.abort(), HEAD_LIMIT)
    try {
      const response = await this.#fetch(`${this.#base}api/pages/${this.#page}/events`, {
        headers: {
          'periscope-token': this.#token,
          ...(this.#lastEventId === 0 ? {} : { 'last-event-id': String(this.#lastEventId) }),
        },
        cache: 'no-store',
        credentials: 'omit',
        signal: attempt.signal,
      })
      if (response.ok && response.body) return response
      throw await refusal(response)
    } finally {
      clearTimeout(timer)
    }
  }

  /** @throws {GarbledFrame} a broken connection isn't an error: missing frames are sent again */
  async #read(body: ReadableStream<Uint8Array>, attempt: AbortController): Promise<void> {
    const reader = body.getReader()
    const frames = new FrameReader()
    const pause = pacer()
    let heardAt = Date.now()
    const watchdog = setInterval(() => {
      if (Date.now() - heardAt > SILENCE_LIMIT) attempt.abort()
    }, SILENCE_LIMIT / 3)
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        heardAt = Date.now()
        for (const frame of frames.read(value)) {
          this.#take(frame)
          const paused = pause()
          if (paused) await paused
          if (attempt.signal.aborted) return
        }
      }
    } catch (error) {
      if (!(error instanceof GarbledFrame)) return
      attempt.abort()
      throw error
    } finally {
      clearInterval(watchdog)
    }
  }

  #take(frame: Frame): void {
    const event = this.#assembler.take(frame)
    if (frame.id > 0) this.#lastEventId = frame.id
    if (!event) return
    if ('request' in event) return this.#relays.get(event.request)?.event(event)
    if (event.type === 'files') return this.#files.emit({ files: event.files, count: event.count })
    if (event.type !== 'gap') return this.#children?.event(event)
    if (event.reset) {
      // Frame numbers start again.
      this.#lastEventId = 0
      return this.#loseAll(
        new TransportError('proxy-lost', 'The local proxy was restarted, which ended everything that ran through it'),
      )
    }
    this.#children?.event(event)
    // An incomplete response must never look complete.
    this.#loseRelays(new TransportError('proxy-lost', `${event.lost} frames from the local proxy were lost`))
  }

  #enter(state: ProxyChannelState): void {
    if (this.#state === state) return
    this.#state = state
    this.#states.emit(state)
  }

  /** The next lifetime is a different page to the proxy, which may still be ending this one. */
  #close(): void {
    this.#life = undefined
    this.#connected = undefined
    this.#page = randomUuid()
    this.#lastEventId = 0
    this.#assembler = new EventAssembler()
    this.#enter('closed')
  }

  #loseAll(error: TransportError): void {
    this.#assembler.reset()
    this.#children?.lost(error)
    this.#loseRelays(error)
  }

  #loseRelays(error: TransportError): void {
    const relays = [...this.#relays.values()]
    this.#relays.clear()
    for (const relay of relays) relay.lost(error)
  }
}

/**
 * Whether a failed attempt is the last one, and why.
 * @param lostAt absent if there has been no stream yet
 * @param failures failed attempts in a row before this one
 */
const lossOf = (error: unknown, lostAt: number | undefined, failures: number): TransportError | undefined => {
  if (error instanceof TransportError) return error
  if (error instanceof GarbledFrame) {
    return new TransportError('proxy-lost', `Another program responded instead of the local proxy: ${error.message}`)
  }
  // The first attempt may have used a keep-alive connection that the proxy was just closing.
  if (lostAt === undefined) return failures > 0 ? noProxy(error) : undefined
  if (Date.now() - lostAt <= PATIENCE) return undefined
  return new TransportError('proxy-lost', `Lost connection to the local proxy: ${messageOf(error)}`)
}

const noProxy = (error: unknown): TransportError =>
  new TransportError('no-proxy', `The local proxy doesn't respond: ${messageOf(error)}`, {}, { cause: error })

const left = (): TransportError => new TransportError('proxy-lost', 'The page disconnected from the local proxy')

const CODES: Record<number, TransportError['code']> = {
  400: 'proxy-refused',
  401: 'no-proxy',
  403: 'no-proxy',
  404: 'process-exited',
  410: 'process-exited',
  413: 'proxy-refused',
  422: 'spawn-failed',
  429: 'proxy-refused',
}

const refusal = async (response: Response): Promise<TransportError> => {
  const body = (await response.json().catch(() => undefined)) as { error?: ProxyError } | undefined
  const error = body?.error
  const message = error?.message ?? `The local proxy returned HTTP ${response.status}`
  return new TransportError(CODES[response.status] ?? 'proxy-lost', message, {
    status: response.status,
    ...(error ? { proxyCode: error.code } : {}),
    ...(error?.remedy === undefined ? {} : { remedy: error.remedy }),
    ...(error?.searched ? { searched: error.searched } : {}),
  })
}
