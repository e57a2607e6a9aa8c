/**
 * The page's half of the local proxy: children are spawned and written to with POSTs, and everything they say comes
 * down one resumable event stream, however many there are (a browser allows six connections per host).
 */
import { wait } from '../deadline.ts'
import { messageOf, TransportError } from '../errors.ts'
import { LONG, parseLong } from '../json-slices.ts'
import type { Hello, PageEvent, ProxyError, Spawned, SpawnRequest } from '../../../proxy/wire.ts'
import { readEvents } from './sse.ts'

export interface BridgeOptions {
  /** Address of the proxy, closed by a slash. */
  readonly base: string
  /** The launch token, sent in `Periscope-Token` and nowhere else. */
  readonly token: string
  readonly fetch?: typeof fetch
  /** Names this load of the page; its children belong to it alone. */
  readonly page?: string
}

export type ChildEvent = PageEvent | { readonly type: 'proxy-lost'; readonly error: TransportError }
export type ChildListener = (event: ChildEvent) => void

/** Lines on their way to one child. */
interface Queue {
  lines: string[]
  /** The POST that will carry `lines`. */
  next: Promise<void> | undefined
  /** The POST under way. */
  tail: Promise<void>
}

/** ms between attempts to reach a proxy that went away, and in all before its children are given up. */
const FIRST_DELAY = 200
const LONGEST_DELAY = 3_000
const PATIENCE = 20_000

/** ms that the proxy may take for what it answers by itself. */
const ANSWER_LIMIT = 10_000

/** Events of a child whose spawn answer has not arrived yet; more than this is a proxy gone wrong. */
const EARLY_KEPT = 10_000

export class Bridge {
  readonly #base: string
  readonly #token: string
  readonly #fetch: typeof fetch
  readonly #page: string
  readonly #listeners = new Map<string, ChildListener>()
  readonly #early = new Map<string, PageEvent[]>()
  readonly #queues = new Map<string, Queue>()
  #life: AbortController | undefined
  #lastEventId: string | undefined
  #connected: Promise<void> | undefined

  constructor({ base, token, fetch: fetchWith = fetch, page = crypto.randomUUID() }: BridgeOptions) {
    this.#base = base
    this.#token = token
    // A bare `fetch` called as a method of another object throws "Illegal invocation" in browsers.
    this.#fetch = (input, init) => fetchWith(input, init)
    this.#page = page
  }

  /** @throws {TransportError} `no-proxy`: nothing answers there, or it is not ours, or it refuses the token */
  async hello(): Promise<Hello> {
    return (await (await this.#request('GET', 'api/hello', undefined, { limit: ANSWER_LIMIT })).json()) as Hello
  }

  /**
   * Starts a child. From now on `listener` hears everything of it, in order.
   * @throws {TransportError} `spawn-failed` with the proxy's explanation as details; `no-proxy`
   */
  async spawn(request: SpawnRequest, listener: ChildListener): Promise<Spawned> {
    await this.#connect()
    const response = await this.#request('POST', `api/pages/${this.#page}/children`, JSON.stringify(request))
    const spawned = (await response.json()) as Spawned
    this.#listeners.set(spawned.child, listener)
    for (const event of this.#early.get(spawned.child) ?? []) this.#deliver(event)
    this.#early.delete(spawned.child)
    return spawned
  }

  /**
   * Writes a line to a child's stdin. Lines keep their order: what is said while a POST is under way goes with the next.
   * @throws {TransportError} `process-exited`, `proxy-lost`
   */
  async write(child: string, line: string): Promise<void> {
    const queue = this.#queues.get(child) ?? { lines: [], next: undefined, tail: Promise.resolve() }
    this.#queues.set(child, queue)
    queue.lines.push(line)
    // Two POSTs at once could overtake each other: one waits for the other and takes all that gathered meanwhile.
    queue.next ??= queue.tail.then(() => this.#flush(child, queue))
    await queue.next
  }

  /** Asks for the shutdown order (stdin, SIGTERM, SIGKILL); its steps arrive as events. */
  async end(child: string): Promise<void> {
    const path = `api/pages/${this.#page}/children/${child}`
    await this.#request('DELETE', path, undefined, { limit: ANSWER_LIMIT })
  }

  /** The page is going: its children end at once. Survives the closing of the tab. */
  leave(): void {
    if (!this.#life) return
    this.#life.abort()
    this.#life = undefined
    this.#request('DELETE', `api/pages/${this.#page}`, undefined, { keepalive: true }).catch(() => {})
    // Nobody hears of their exits any more: who waits for one would wait for ever.
    this.#loseAll(left())
  }

  async #flush(child: string, queue: Queue): Promise<void> {
    const text = queue.lines.map((line) => `${line}\n`).join('')
    queue.lines = []
    queue.next = undefined
    const posted = this.#request('POST', `api/pages/${this.#page}/children/${child}/stdin`, text)
    queue.tail = posted.then(
      () => {},
      () => {},
    )
    await posted
  }

  /** @param limit ms to the answer; what may have to wait for a child has none */
  async #request(
    method: string,
    path: string,
    body?: string,
    { keepalive = false, limit }: { keepalive?: boolean; limit?: number } = {},
  ): Promise<Response> {
    let response: Response
    try {
      response = await this.#fetch(this.#base + path, {
        method,
        headers: {
          'periscope-token': this.#token,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        cache: 'no-store',
        ...(body === undefined ? {} : { body }),
        ...(keepalive ? { keepalive } : {}),
        ...(limit === undefined ? {} : { signal: AbortSignal.timeout(limit) }),
      })
    } catch (error) {
      throw new TransportError('no-proxy', `The local proxy does not answer: ${messageOf(error)}`, {}, { cause: error })
    }
    if (response.ok) return response
    throw await refusal(response)
  }

  #connect(): Promise<void> {
    return (this.#connected ??= new Promise((resolve, reject) => {
      this.#life = new AbortController()
      void this.#listen(this.#life.signal, resolve, reject).finally(() => {
        this.#connected = undefined
        // Left before the stream stood; where it did, this changes nothing.
        reject(left())
      })
    }))
  }

  /** Reads the page's event stream for as long as the page lives, resuming where it was cut. */
  async #listen(signal: AbortSignal, opened: () => void, failed: (error: unknown) => void): Promise<void> {
    let failures = 0
    let lostAt = Date.now()
    while (!signal.aborted) {
      try {
        const response = await this.#fetch(`${this.#base}api/pages/${this.#page}/events`, {
          headers: {
            accept: 'text/event-stream',
            'periscope-token': this.#token,
            ...(this.#lastEventId === undefined ? {} : { 'last-event-id': this.#lastEventId }),
          },
          cache: 'no-store',
          signal,
        })
        if (!response.ok || !response.body) throw await refusal(response)
        failures = 0
        opened()
        await readEvents(response.body, {
          event: ({ id, data }) => {
            if (id !== undefined) this.#lastEventId = id
            if (data === '') return
            if (data.length <= LONG) return this.#deliver(JSON.parse(data) as PageEvent)
            return parseLong(data).then(({ value }) => this.#deliver(value as unknown as PageEvent))
          },
        })
        lostAt = Date.now()
      } catch (error) {
        if (signal.aborted) return
        const refused = error instanceof TransportError
        if (refused || Date.now() - lostAt > PATIENCE) {
          const lost = refused
            ? error
            : new TransportError('proxy-lost', `The local proxy went away: ${messageOf(error)}`)
          failed(lost)
          return this.#loseAll(lost)
        }
      }
      await wait(Math.min(FIRST_DELAY * 2 ** failures++, LONGEST_DELAY), signal)
    }
  }

  #deliver(event: PageEvent): void {
    if (event.type === 'gap' && event.reset) {
      // The proxy was started anew: it knows none of our children.
      this.#lastEventId = undefined
      return this.#loseAll(
        new TransportError('proxy-lost', 'The local proxy was started anew, and its children are gone'),
      )
    }
    if (event.type === 'gap') {
      for (const listener of this.#listeners.values()) listener(event)
      return
    }
    const listener = this.#listeners.get(event.child)
    if (listener) {
      if (event.type === 'exit') {
        this.#listeners.delete(event.child)
        this.#queues.delete(event.child)
      }
      listener(event)
      return
    }
    const early = this.#early.get(event.child) ?? []
    if (early.length < EARLY_KEPT) early.push(event)
    this.#early.set(event.child, early)
  }

  #loseAll(error: TransportError): void {
    const listeners = [...this.#listeners.values()]
    this.#listeners.clear()
    this.#early.clear()
    this.#queues.clear()
    for (const listener of listeners) listener({ type: 'proxy-lost', error })
  }
}

const left = (): TransportError => new TransportError('proxy-lost', 'The page has left the local proxy')

const CODES: Record<number, TransportError['code']> = {
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
  const message = error?.message ?? `The local proxy answered HTTP ${response.status}`
  return new TransportError(CODES[response.status] ?? 'proxy-lost', message, {
    status: response.status,
    ...(error ? { proxyCode: error.code } : {}),
    ...(error?.remedy === undefined ? {} : { remedy: error.remedy }),
    ...(error?.searched ? { searched: error.searched } : {}),
  })
}
