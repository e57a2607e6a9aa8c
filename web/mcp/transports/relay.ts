/**
 * A `fetch` whose requests go through the local proxy, for servers that send no CORS headers. Transports keep the
 * server's real URLs and never know. The other half is `proxy/relay.ts`, the contract `proxy/wire.ts`.
 *
 * What it gives is what the server sent: any status, every header (`Set-Cookie` too), and redirects as answers, whatever
 * `init.redirect` says. `init.credentials`, `init.cache` and `init.mode` change nothing: no cookie is kept or sent
 * unless it stands among the headers.
 */
import { messageOf, TransportError, type TransportErrorCode } from '../errors.ts'
import type {
  ProxyError,
  RelayFrameType,
  RelayHead,
  RelayHeaders,
  RelayRequest,
  TokenHeader,
} from '../../../proxy/wire.ts'

export interface RelayOptions {
  /** Address of the proxy, closed by a slash. */
  readonly base: string
  /** The launch token. */
  readonly token: string
  /** Reaches the proxy. Default: the runtime's own. */
  readonly fetch?: typeof fetch
  /** Accept certificates that nobody vouches for. Default: false. */
  readonly insecureTls?: boolean
}

/** What `relayFetch` resolves with. */
export interface RelayedResponse extends Response {
  /** What `headers` cannot show: order, case and duplicates, what was sent, and which address answered. */
  readonly relay: RelayHead
}

const TOKEN: TokenHeader = 'Periscope-Token'
const FRAME: RelayFrameType = { head: 0x48, data: 0x44, end: 0x45, failed: 0x46 }

/** Bytes of a frame that is read whole; the proxy bounds a head at 256 KB before it is JSON. */
const LONGEST_FRAME = 4 * 1024 * 1024

/** Answers that never have a body (RFC 9110 sections 6.4.1, 15.3.5 and 15.4.5). */
const NO_BODY = new Set([204, 304])

/**
 * @returns a drop-in `fetch`, which rejects as one does when its signal aborts, and else with a TransportError:
 * `unreachable` (the server could not be reached: `details.relayCode` says why, `details.remedy` what to do),
 * `proxy-refused` (a bound, an address that cannot be relayed), `no-proxy` (it does not answer or does not know us),
 * `proxy-lost`. A body that breaks off errors with `stream-lost` (the server did it) or `proxy-lost`.
 */
export const relayFetch = (options: RelayOptions): typeof fetch => {
  // A bare `fetch` called as a method of another object throws "Illegal invocation" in browsers.
  const fetchWith = options.fetch ?? fetch
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
      decode: true,
    }
    signal?.throwIfAborted()
    let response: Response
    try {
      response = await fetchWith(`${options.base}api/relay`, {
        method: 'POST',
        headers: { [TOKEN]: options.token, 'content-type': 'application/octet-stream' },
        body: joined(new TextEncoder().encode(`${JSON.stringify(asked)}\n`), body.bytes),
        cache: 'no-store',
        credentials: 'omit',
        ...(signal ? { signal } : {}),
        ...(init.keepalive ? { keepalive: true } : {}),
      })
    } catch (error) {
      signal?.throwIfAborted()
      throw new TransportError(
        'no-proxy',
        `The local proxy does not answer: ${messageOf(error)}`,
        { url, remedy: 'Start Periscope again and open the address that it prints.' },
        { cause: error },
      )
    }
    if (!response.ok || !response.body) throw await refusalOf(response, url)
    const relayed = new RelayedBody(response.body, url, signal)
    const head = await relayed.head()
    const bodiless = method === 'HEAD' || NO_BODY.has(head.status)
    if (bodiless) void relayed.skip()
    return present(bodiless ? undefined : relayed, head, url)
  }
}

/** The frames of one answer. */
class RelayedBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>
  readonly #url: string
  readonly #signal: AbortSignal | undefined
  #rest: Uint8Array<ArrayBuffer> = new Uint8Array(0)
  /** Bytes that the data frame under way still has. */
  #left = 0
  #fault: unknown

  constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>, url: string, signal?: AbortSignal | null) {
    this.#reader = body.getReader()
    this.#url = url
    this.#signal = signal ?? undefined
  }

  /** @throws {TransportError} `proxy-lost` */
  async head(): Promise<RelayHead> {
    const [type, payload] = await this.#next()
    if (type !== FRAME.head) throw this.#garbled()
    return this.#parse<RelayHead>(payload)
  }

  /** Why the stream broke, if it did. */
  get fault(): unknown {
    return this.#fault
  }

  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream({
      // Rejects with the reason, which is then what the reader of the stream gets.
      pull: async (controller) => {
        const piece = await this.#piece().catch((error: unknown) => {
          throw (this.#fault = error)
        })
        if (piece) controller.enqueue(piece)
        else controller.close()
      },
      cancel: (reason) => this.#reader.cancel(reason),
    })
  }

  /** Reads the end of an answer that has no body, so that its connection can be used again. */
  async skip(): Promise<void> {
    await this.#piece().catch(() => {})
  }

  /** Bytes of the body, or `undefined` at its end. */
  async #piece(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const [type, payload] = await this.#next()
    if (type === FRAME.data) return payload
    if (type !== FRAME.end && type !== FRAME.failed) throw this.#garbled()
    // Nothing follows. Read so far, the connection can be used again.
    this.#reader.read().catch(() => {})
    if (type === FRAME.end) return undefined
    const error = this.#parse<ProxyError>(payload)
    throw new TransportError('stream-lost', error.message, factsOf(error, this.#url))
  }

  /** The next frame, or of a data frame as much as is there. */
  async #next(): Promise<[type: number, payload: Uint8Array<ArrayBuffer>]> {
    if (this.#left === 0) {
      const start = await this.#take(5)
      const length = new DataView(start.buffer, start.byteOffset).getUint32(1)
      const type = start[0]!
      if (type !== FRAME.data) {
        if (length > LONGEST_FRAME) throw this.#garbled()
        return [type, await this.#take(length)]
      }
      this.#left = length
    }
    if (this.#rest.length === 0) this.#rest = await this.#read()
    const payload = this.#rest.subarray(0, this.#left)
    this.#rest = this.#rest.subarray(payload.length)
    this.#left -= payload.length
    return [FRAME.data, payload]
  }

  async #take(length: number): Promise<Uint8Array<ArrayBuffer>> {
    while (this.#rest.length < length) this.#rest = joined(this.#rest, await this.#read())
    const taken = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return taken
  }

  async #read(): Promise<Uint8Array<ArrayBuffer>> {
    let result
    try {
      result = await this.#reader.read()
    } catch (error) {
      this.#signal?.throwIfAborted()
      throw this.#lost(messageOf(error), error)
    }
    if (result.done) throw this.#lost('its answer has no end')
    return result.value
  }

  #parse<T>(payload: Uint8Array): T {
    try {
      return JSON.parse(new TextDecoder().decode(payload)) as T
    } catch {
      throw this.#garbled()
    }
  }

  #lost(why: string, cause?: unknown): TransportError {
    return new TransportError(
      'proxy-lost',
      `The local proxy went away: ${why}`,
      { url: this.#url, remedy: 'Start Periscope again and open the address that it prints.' },
      { cause },
    )
  }

  #garbled(): TransportError {
    this.#reader.cancel().catch(() => {})
    return this.#lost('its answer is not one of a relay')
  }
}

/**
 * A Response cannot be made with every status and every header that a server may send (a browser drops `Set-Cookie`, and
 * refuses 600), so what it says of itself is laid over it. And where a body made by a script breaks, Chromium tells why to
 * readers of the stream alone, so the methods are made to tell it too.
 */
const present = (body: RelayedBody | undefined, relay: RelayHead, url: string): Response => {
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

const CODES: Readonly<Record<number, TransportErrorCode>> = {
  400: 'proxy-refused',
  401: 'no-proxy',
  403: 'no-proxy',
  404: 'no-proxy',
  413: 'proxy-refused',
  429: 'proxy-refused',
  502: 'unreachable',
  504: 'unreachable',
}

const refusalOf = async (response: Response, url: string): Promise<TransportError> => {
  const answer = (await response.json().catch(() => undefined)) as { error?: ProxyError } | undefined
  const error = answer?.error ?? { code: 'unknown', message: `The local proxy answered HTTP ${response.status}` }
  return new TransportError(CODES[response.status] ?? 'proxy-lost', error.message, {
    ...factsOf(error, url),
    proxyStatus: response.status,
  })
}

const factsOf = ({ code, remedy, system }: ProxyError, url: string) => ({
  url,
  relayCode: code,
  ...(remedy === undefined ? {} : { remedy }),
  ...(system === undefined ? {} : { system }),
})
