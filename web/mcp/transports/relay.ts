/**
 * A `fetch` whose requests go through the local proxy, for servers that send no CORS headers. Transports keep the
 * server's real URLs and never know. The other half is `proxy/relay.ts`, the contract `proxy/wire.ts`.
 *
 * What it gives is what the server sent: any status, every header (`Set-Cookie` too), and redirects as answers, whatever
 * `init.redirect` says. `init.credentials`, `init.cache` and `init.mode` change nothing: no cookie is kept or sent
 * unless it stands among the headers.
 */
import { wait } from '../deadline.ts'
import { TransportError, type TransportErrorCode } from '../errors.ts'
import type { ProxyError, RelayHead, RelayHeaders, RelayRequest } from '../../../proxy/wire.ts'
import type { RelayEvent } from './frames.ts'
import { ProxyChannel, type ProxyChannelOptions, type RelayListener } from './proxy-channel.ts'

/** Through the channel that the page has, or through one of its own, which closes when nothing runs through it. */
export type RelayOptions = ({ readonly channel: ProxyChannel } | ProxyChannelOptions) & {
  /** Accept certificates that nobody vouches for. Default: false. */
  readonly insecureTls?: boolean
  /** Refuse addresses that are not public. Default: false. */
  readonly publicOnly?: boolean
}

/** What `relayFetch` resolves with. */
export interface RelayedResponse extends Response {
  /** What `headers` cannot show: order, case and duplicates, what was sent, and which address answered. */
  readonly relay: RelayHead
}

/** Bytes of a body that may be on their way unread, as in the proxy; half of them read, it is told so. */
const WINDOW = 1024 * 1024

/** ms after which the proxy is told again what it was told in vain. */
const AGAIN = 1_000

/** Answers that never have a body (RFC 9110 sections 6.4.1, 15.3.5 and 15.4.5). */
const NO_BODY = new Set([204, 304])

/**
 * @returns a drop-in `fetch`, which rejects as one does when its signal aborts, and else with a TransportError:
 * `unreachable` (the server could not be reached: `details.relayCode` says why, `details.remedy` what to do),
 * `proxy-refused` (a bound, an address that cannot be relayed), `no-proxy` (it does not answer or does not know us),
 * `proxy-lost`. A body that breaks off errors with `stream-lost` (the server did it) or `proxy-lost`.
 */
export const relayFetch = (options: RelayOptions): typeof fetch => {
  const channel = 'channel' in options ? options.channel : new ProxyChannel(options)
  return async (input, init = {}) => {
    const request = typeof input === 'object' && 'headers' in input ? input : undefined
    const url = withoutFragment(typeof input === 'string' ? input : 'href' in input ? input.href : input.url)
    const signal = init.signal ?? request?.signal
    const method = normalised(init.method ?? request?.method ?? 'GET')
    const body = await bytesOf(init.body === undefined ? request?.body : init.body)
    const asked: RelayRequest = {
      method,
      url,
      headers: asSent(init.headers ?? request?.headers, body.type),
      ...(options.insecureTls ? { insecureTls: true } : {}),
      ...(options.publicOnly ? { publicOnly: true } : {}),
      decode: true,
      ...(init.keepalive ? { keepalive: true } : {}),
    }
    signal?.throwIfAborted()
    const relayed = new RelayedRequest(channel, url, signal ?? undefined)
    const posted = joined(new TextEncoder().encode(`${JSON.stringify(asked)}\n`), body.bytes)
    const head = await relayed.send(posted, init.keepalive ?? false)
    const bodiless = method === 'HEAD' || NO_BODY.has(head.status)
    if (bodiless) relayed.skip()
    return present(bodiless ? undefined : relayed, head, url)
  }
}

/** One request, and the response that arrives for it on the stream of the channel. */
class RelayedRequest implements RelayListener {
  readonly #channel: ProxyChannel
  readonly #url: string
  readonly #signal: AbortSignal | undefined
  readonly #number: number
  readonly #release: () => void
  readonly #head: Promise<RelayHead>
  #resolveHead: (head: RelayHead) => void = () => {}
  #rejectHead: (reason: unknown) => void = () => {}
  /** Of the body, what has arrived and was not read. The proxy bounds it. */
  #held: Uint8Array<ArrayBuffer>[] = []
  /** Bytes that were read, and of which the proxy was not told. */
  #owed = 0
  #telling = false
  #state: 'waiting' | 'reading' | 'ended' | 'failed' = 'waiting'
  #fault: unknown
  #skipped = false
  #wake: () => void = () => {}

  constructor(channel: ProxyChannel, url: string, signal: AbortSignal | undefined) {
    this.#channel = channel
    this.#url = url
    this.#signal = signal
    this.#release = channel.use()
    this.#number = channel.listenTo(this)
    this.#head = new Promise((resolve, reject) => {
      this.#resolveHead = resolve
      this.#rejectHead = reject
    })
    this.#head.catch(() => {})
    signal?.addEventListener('abort', this.#abort)
  }

  /** @throws {TransportError} why there is no response; whatever the signal was aborted with */
  async send(body: Uint8Array<ArrayBuffer>, keepalive: boolean): Promise<RelayHead> {
    void this.#post(body, keepalive)
    return await this.#head
  }

  /** Why the body broke off, if it did. */
  get fault(): unknown {
    return this.#fault
  }

  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream({
      // Rejects with the reason, which is then what the reader of the stream gets.
      pull: async (controller) => {
        while (this.#held.length === 0 && this.#isOpen) await new Promise<void>((resolve) => (this.#wake = resolve))
        const piece = this.#held.shift()
        if (piece) {
          this.#read(piece.length)
          return controller.enqueue(piece)
        }
        if (this.#state === 'failed') throw this.#fault
        controller.close()
      },
      cancel: (reason) => this.#breakOff(reason),
    })
  }

  /** Nobody wants the body. */
  skip(): void {
    this.#skipped = true
    for (const piece of this.#held.splice(0)) this.#read(piece.length)
  }

  event(event: RelayEvent): void {
    if (!this.#isOpen) return
    switch (event.type) {
      case 'head':
        this.#state = 'reading'
        return this.#resolveHead(event.value as RelayHead)
      case 'data': {
        // Of its own, for the chunk that it came in may hold much else.
        if (this.#skipped) return this.#read(event.bytes.length)
        this.#held.push(event.bytes.slice())
        return this.#wake()
      }
      case 'end':
        return this.#end('ended')
      case 'failed': {
        const error = event.value as ProxyError
        const refused = error.code === 'not-public'
        const code = this.#state === 'reading' ? 'stream-lost' : refused ? 'proxy-refused' : 'unreachable'
        return this.#fail(new TransportError(code, error.message, factsOf(error, this.#url)))
      }
    }
  }

  lost(error: TransportError): void {
    this.#fail(this.#ours(error))
  }

  get #isOpen(): boolean {
    return this.#state === 'waiting' || this.#state === 'reading'
  }

  async #post(body: Uint8Array<ArrayBuffer>, keepalive: boolean): Promise<void> {
    try {
      const connected = this.#channel.connect()
      // A page that is closing has no time to wait for it.
      if (keepalive) connected.catch((error: unknown) => this.#fail(this.#ours(error)))
      else await connected
      if (!this.#isOpen) return
      const signal = this.#signal
      await this.#channel.tell('POST', `/relay/${this.#number}`, { body, keepalive, ...(signal ? { signal } : {}) })
    } catch (error) {
      // The response may have come before the request was sent to its end: then it is what counts.
      if (this.#state === 'waiting') this.#fail(this.#ours(error))
    }
  }

  readonly #abort = (): void => this.#breakOff(this.#signal!.reason)

  /** The page gives up. */
  #breakOff(reason: unknown): void {
    if (!this.#isOpen) return
    this.#held = []
    this.#fail(reason)
    if (this.#channel.state === 'closed') return
    this.#channel.tell('DELETE', `/relay/${this.#number}`, { keepalive: true }).catch(() => {})
  }

  #fail(fault: unknown): void {
    if (!this.#isOpen) return
    this.#fault = fault
    this.#end('failed')
    this.#rejectHead(fault)
  }

  #end(state: 'ended' | 'failed'): void {
    this.#state = state
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#channel.forget(this.#number)
    this.#release()
    this.#wake()
  }

  #read(bytes: number): void {
    this.#owed += bytes
    if (this.#owed >= WINDOW / 2) void this.#tellRead()
  }

  /** Told until it is heard: a proxy that never learns of it sends nothing more. */
  async #tellRead(): Promise<void> {
    if (this.#telling) return
    this.#telling = true
    while (this.#isOpen && this.#owed >= WINDOW / 2) {
      const bytes = this.#owed
      this.#owed = 0
      try {
        await this.#channel.tell('POST', `/relay/${this.#number}/credit`, { body: String(bytes) })
      } catch {
        this.#owed += bytes
        await wait(AGAIN, this.#signal)
      }
    }
    this.#telling = false
  }

  /** As callers of a `fetch` are told: with the URL that they asked for. */
  #ours(error: unknown): unknown {
    if (!(error instanceof TransportError)) return error
    const { status, proxyCode, remedy, ...more } = error.details
    const details = {
      ...more,
      url: this.#url,
      ...(proxyCode === undefined ? {} : { relayCode: proxyCode }),
      ...(status === undefined ? {} : { proxyStatus: status }),
      remedy: remedy ?? 'Start Periscope again and open the URL that it prints.',
    }
    const code = CODES[Number(status)] ?? error.code
    return new TransportError(code, error.message, details, { cause: error })
  }
}

/**
 * A Response cannot be made with every status and every header that a server may send (a browser drops `Set-Cookie`, and
 * refuses 600), so what it says of itself is laid over it. And where a body made by a script breaks, Chromium tells why to
 * readers of the stream alone, so the methods are made to tell it too.
 */
const present = (body: RelayedRequest | undefined, relay: RelayHead, url: string): Response => {
  const { status, statusText } = relay
  const headers = new Headers()
  for (const [name, value] of relay.headers) headers.append(name, value)
  const type = headers.get('content-type')
  // What `blob` and `formData` go by.
  const response = new Response(body?.stream() ?? null, type === null ? {} : { headers: { 'content-type': type } })
  const own: Record<string, unknown> = { status, statusText, headers, url, relay, ok: status >= 200 && status <= 299 }
  for (const name of ['arrayBuffer', 'blob', 'formData', 'json', 'text'] as const) {
    const read = response[name].bind(response) as () => Promise<unknown>
    own[name] = () =>
      read().catch((error: unknown) => {
        throw body?.fault ?? error
      })
  }
  return Object.defineProperties(
    response,
    Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value, configurable: true }])),
  )
}

/** As written where it is a list; `Headers` have joined what came twice, and a `fetch` asks for any type by itself. */
const asSent = (headers: HeadersInit | undefined, bodyType: string | undefined): RelayHeaders => {
  const list: [string, string][] = Array.isArray(headers)
    ? headers.map(([name, value]) => [String(name), String(value)])
    : headers && Symbol.iterator in headers
      ? Array.from(headers as Iterable<[string, string]>)
      : Object.entries(headers ?? {})
  const has = (wanted: string) => list.some(([name]) => name.toLowerCase() === wanted)
  if (!has('accept')) list.push(['Accept', '*/*'])
  if (bodyType !== undefined && !has('content-type')) list.push(['Content-Type', bodyType])
  return list
}

const NORMALISED = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])

/** Of six methods a `fetch` mends the case (Fetch Standard, "normalize a method"). */
const normalised = (method: string): string => (NORMALISED.has(method.toUpperCase()) ? method.toUpperCase() : method)

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')

/** Any body a `fetch` takes, and the type it would give it. */
const bytesOf = async (
  body: BodyInit | null | undefined,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type?: string }> => {
  if (body === null || body === undefined) return { bytes: new Uint8Array(0) }
  const holder = new Response(body)
  const type = holder.headers.get('content-type') ?? undefined
  return { bytes: new Uint8Array(await holder.arrayBuffer()), ...(type === undefined ? {} : { type }) }
}

const joined = (first: Uint8Array<ArrayBuffer>, second: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  if (first.length === 0) return second
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** Where it is not that of any other request to the proxy. */
const CODES: Readonly<Record<number, TransportErrorCode>> = { 404: 'no-proxy', 410: 'proxy-lost' }

const factsOf = ({ code, remedy, system }: ProxyError, url: string) => ({
  url,
  relayCode: code,
  ...(remedy === undefined ? {} : { remedy }),
  ...(system === undefined ? {} : { system }),
})
