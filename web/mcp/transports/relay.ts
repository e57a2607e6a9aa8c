/**
 * A `fetch` that sends requests through the local proxy, for servers without CORS headers. Transports keep using the
 * server's real URLs. The other side is `proxy/relay.ts`, the contract `proxy/wire.ts`.
 *
 * The response is exactly what the server sent: any status, every header (including `Set-Cookie`), and redirects as
 * responses, whatever `init.redirect` says. `init.credentials`, `init.cache` and `init.mode` have no effect: cookies
 * are neither stored nor sent, unless they are among the headers.
 */
import { wait } from '../deadline.ts'
import { TransportError, type TransportErrorCode } from '../errors.ts'
import { parsedUrl } from '../url.ts'
import type { ProxyError, RelayHead, RelayHeaders, RelayRequest } from '../../../proxy/wire.ts'
import type { RelayEvent } from './proxy-framing.ts'
import { ProxyChannel, type ProxyChannelOptions, type RelayListener } from './proxy-channel.ts'

/** Uses the page's channel, or one of its own, which closes when unused. */
export type RelayOptions = ({ readonly channel: ProxyChannel } | ProxyChannelOptions) & {
  /** Certificates that the user trusts: each is the only one that its host may have. Default: none. */
  readonly certificates?: readonly TrustedCertificate[]
  /** Refuse addresses that aren't public. Default: false. */
  readonly publicOnly?: boolean
  /** Values that the proxy inserts from its environment. Default: none. */
  readonly references?: HeaderReferences
}

/** A host as in a URL, and the SHA-256 fingerprint of its certificate in hex with colons: `localhost:8443 AB:CD:…`. */
export type TrustedCertificate = `${string} ${string}`

/** The fingerprint to expect, only for the very host and port that the user trusted it for. */
const certificateFor = (
  url: string,
  certificates: readonly TrustedCertificate[],
): Pick<RelayRequest, 'certificate'> => {
  const { protocol, host = '' } = parsedUrl(url) ?? {}
  const found = protocol === 'https:' && certificates.find((each) => each.startsWith(`${host} `))
  return found ? { certificate: found.slice(host.length + 1) } : {}
}

/** Headers that the user typed with `${env:NAME}` in their values. */
export interface HeaderReferences {
  /** The variables; other references stay as they are. */
  readonly names: readonly string[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The only origin that gets the values. */
  readonly origin: string
}

/** The response of `relayFetch`. */
export interface RelayedResponse extends Response {
  /**
   * Details that `headers` can't express: order, case and duplicates, the headers sent, and the server's IP address.
   */
  readonly relay: RelayHead
}

/** Unread bytes of a body that may be in transit, as in the proxy; credit is sent once half of them are read. */
const WINDOW = 1024 * 1024

/** ms before repeating a failed credit request. */
const AGAIN = 1_000

/** Responses that never have a body (RFC 9110 sections 6.4.1, 15.3.5 and 15.4.5). */
const NO_BODY = new Set([204, 304])

/**
 * @returns a drop-in `fetch`. If its signal aborts, it rejects like `fetch`, otherwise with a TransportError:
 * `unreachable` (the server couldn't be reached: `details.relayCode` says why, `details.remedy` what to do),
 * `proxy-refused` (a limit, a URL that can't be relayed, or a variable that isn't set), `no-proxy` (no response, or an
 * invalid token), `proxy-lost`. A body that breaks off errors with `stream-lost` (the server's fault) or `proxy-lost`.
 */
export const relayFetch = (options: RelayOptions): typeof fetch => {
  const channel = 'channel' in options ? options.channel : new ProxyChannel(options)
  return async (input, init = {}) => {
    const request = typeof input === 'object' && 'headers' in input ? input : undefined
    const url = withoutFragment(typeof input === 'string' ? input : 'href' in input ? input.href : input.url)
    const signal = init.signal ?? request?.signal
    const method = normalised(init.method ?? request?.method ?? 'GET')
    const body = await bytesOf(init.body === undefined ? request?.body : init.body)
    const headers = asSent(init.headers ?? request?.headers, body.type)
    const asked: RelayRequest = {
      method,
      url,
      headers,
      ...(options.references ? referencesIn(headers, options.references, url) : {}),
      ...certificateFor(url, options.certificates ?? []),
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

/** One request and its response, which arrives on the channel's stream. */
class RelayedRequest implements RelayListener {
  readonly #channel: ProxyChannel
  readonly #url: string
  readonly #signal: AbortSignal | undefined
  readonly #number: number
  readonly #release: () => void
  readonly #head: Promise<RelayHead>
  #resolveHead: (head: RelayHead) => void = () => {}
  #rejectHead: (reason: unknown) => void = () => {}
  /** Received but unread parts of the body. The proxy limits them. */
  #held: Uint8Array<ArrayBuffer>[] = []
  /** Bytes that were read but not yet credited to the proxy. */
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

  /** @throws {TransportError} why there is no response; the reason of the signal */
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
      // Rejects with the reason, which the stream's reader then receives.
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

  /** Discards the body. */
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
        // A copy, because the chunk that contains it may hold much more data.
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
      // A page that is closing can't wait for it.
      if (keepalive) connected.catch((error: unknown) => this.#fail(this.#ours(error)))
      else await connected
      if (!this.#isOpen) return
      const signal = this.#signal
      await this.#channel.tell('POST', `/relay/${this.#number}`, { body, keepalive, signal })
    } catch (error) {
      // The response may arrive before the request was sent completely; then the response counts.
      if (this.#state === 'waiting') this.#fail(this.#ours(error))
    }
  }

  readonly #abort = (): void => this.#breakOff(this.#signal!.reason)

  /** Aborts from the page's side. */
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

  /** Retries until it succeeds: without the credit, the proxy sends nothing more. */
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

  /** Converts an error for callers of `fetch`: it names the URL that they requested. */
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
 * A Response can't be constructed with every status and header that a server may send (browsers drop `Set-Cookie` and
 * refuse status 600), so its properties are overridden. And if a script-made body breaks, Chromium reports the reason
 * only to readers of the stream, so the methods are overridden to report it too.
 */
const present = (body: RelayedRequest | undefined, relay: RelayHead, url: string): Response => {
  const { status, statusText } = relay
  const headers = new Headers()
  for (const [name, value] of relay.headers) headers.append(name, value)
  const type = headers.get('content-type')
  // `blob` and `formData` use this type.
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

/**
 * An array of headers as written; `Headers` has already joined duplicates. Like `fetch`, adds an Accept header for any
 * type.
 */
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

/**
 * Marks the headers in which the proxy inserts values: exactly those that the user typed. A reference is never sent
 * literally, and never to another origin.
 * @throws {TransportError} `proxy-refused`
 */
const referencesIn = (
  headers: RelayHeaders,
  { names, headers: list, origin }: HeaderReferences,
  url: string,
): Pick<RelayRequest, 'references'> => {
  // As `Headers` writes them: duplicates joined, names in lower case, values trimmed.
  const typed = new Headers(list.map(([name, value]): [string, string] => [name, value]))
  const refers = (text: string) => names.some((name) => text.includes(`\${env:${name}}`))
  const marked: number[] = []
  for (const [index, [name, value]] of headers.entries()) {
    const own = typed.get(name)
    if (own === null || !refers(own) || !refers(value)) continue
    if (value !== own) {
      throw new TransportError('proxy-refused', `Another value was added to the header ${name}, which refers to environment variables`, { url }) // prettier-ignore
    }
    marked.push(index)
  }
  if (marked.length === 0) return {}
  const other = new URL(url).origin
  if (other !== origin) {
    throw new TransportError('proxy-refused', `Environment variables are only sent to ${origin}, not to ${other}`, { url }) // prettier-ignore
  }
  return { references: { names, headers: marked, origin } }
}

const NORMALISED = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])

/** `fetch` normalizes the case of six methods (Fetch Standard, "normalize a method"). */
const normalised = (method: string): string => (NORMALISED.has(method.toUpperCase()) ? method.toUpperCase() : method)

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')

/** Any body that `fetch` accepts, and the type it would assign. */
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

/** The codes that differ from those of other requests to the proxy. */
const CODES: Readonly<Record<number, TransportErrorCode>> = { 404: 'no-proxy', 410: 'proxy-lost' }

const factsOf = ({ code, remedy, system }: ProxyError, url: string) => ({
  url,
  relayCode: code,
  ...(remedy === undefined ? {} : { remedy }),
  ...(system === undefined ? {} : { system }),
})
