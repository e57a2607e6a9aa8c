/**
 * One HTTP exchange, seen from all sides: request head, response head, end or failure, each a frame.
 */
import { messageOf, TransportError } from '../errors.ts'
import type { Seq } from '../frame.ts'
import { maskHeaders, utf8Length, type Tap } from './tap.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly headers: readonly (readonly [string, string])[]
  readonly purpose: 'message' | 'listen' | 'resume' | 'end-session'
  /** The request that began the stream which this one carries on. */
  readonly origin?: Seq
  readonly signal: AbortSignal
  readonly keepalive?: boolean
  readonly body?: string
  /** Another address than the tap's own: the endpoint that an event named. */
  readonly url?: string
  /** Told the request's seq before anything is sent, so that the message can name it as its carrier. */
  readonly captured?: (carrier: Seq) => void
}

export interface HttpAnswer {
  readonly response: Response
  /** The frame of the request: what everything else about the exchange refers to. */
  readonly seq: Seq
}

/** Longest body read whole, in bytes. */
const LONGEST_BODY = 72 * 1024 * 1024

export class HttpTap {
  readonly #tap: Tap
  readonly #url: string
  readonly #fetch: typeof fetch

  constructor(tap: Tap, url: string, fetchWith: typeof fetch = fetch) {
    this.#tap = tap
    this.#url = url
    // A bare `fetch` called as a method of another object throws "Illegal invocation" in browsers.
    this.#fetch = (input, init) => fetchWith(input, init)
  }

  /** @throws {TransportError} `unreachable`, or the reason of the signal */
  async send({
    method,
    headers,
    purpose,
    origin,
    signal,
    keepalive,
    body,
    captured,
    url = this.#url,
  }: HttpRequest): Promise<HttpAnswer> {
    const head = new Headers()
    for (const [name, value] of headers) head.append(name, value)
    const size = body === undefined ? 0 : utf8Length(body)
    const seq = this.#tap.append({
      kind: 'http',
      phase: 'request',
      method,
      url,
      headers: maskHeaders(head),
      size,
      purpose,
      ...(origin === undefined ? {} : { origin }),
    })
    captured?.(seq)
    let response: Response
    try {
      response = await this.#fetch(url, {
        method,
        headers: head,
        signal,
        cache: 'no-store',
        credentials: 'omit',
        ...(body === undefined ? {} : { body }),
        ...(keepalive ? { keepalive } : {}),
      })
    } catch (error) {
      throw this.#failed(seq, 'headers', error, signal)
    }
    this.#tap.append({
      kind: 'http',
      phase: 'response',
      request: seq,
      status: response.status,
      statusText: response.statusText,
      headers: maskHeaders(response.headers),
      ...(response.type === 'cors' ? { crossOrigin: true } : {}),
      ...(response.redirected ? { redirectedTo: response.url } : {}),
    })
    return { response, seq }
  }

  /**
   * Reads a body whole and keeps it in the frame that tells its end.
   * @throws {TransportError} the body broke off or is over the bound
   */
  async text(response: Response, seq: Seq): Promise<string> {
    const text = await this.read(response, seq)
    this.keep(seq, text)
    return text
  }

  /**
   * Reads a body whole. Its end is told by the caller: with `ended` where a message frame holds the text, else with `keep`.
   * @throws as `text`
   */
  async read(response: Response, seq: Seq): Promise<string> {
    try {
      return await readText(response.body, LONGEST_BODY)
    } catch (error) {
      throw this.#failed(seq, 'body', error)
    }
  }

  ended(seq: Seq, size: number): void {
    this.#tap.append({ kind: 'http', phase: 'end', request: seq, size })
  }

  /** A body that no other frame holds: kept here, up to a megabyte. */
  keep(seq: Seq, text: string): void {
    const cut = text.length > 1_000_000
    this.#tap.append({
      kind: 'http',
      phase: 'end',
      request: seq,
      size: utf8Length(text),
      ...(text === '' ? {} : { body: cut ? text.slice(0, 1_000_000) : text }),
      ...(cut ? { cut } : {}),
    })
  }

  /** The body of a stream broke off. */
  broke(seq: Seq, error: unknown, size: number, signal: AbortSignal): void {
    this.#failed(seq, 'body', error, signal, size)
  }

  #failed(seq: Seq, stage: 'headers' | 'body', error: unknown, signal?: AbortSignal, size?: number): TransportError {
    const aborted = signal?.aborted ? messageOf(signal.reason) : undefined
    this.#tap.append({
      kind: 'http',
      phase: 'failed',
      request: seq,
      stage,
      error: describe(error),
      ...(aborted === undefined ? {} : { aborted }),
      ...(size === undefined ? {} : { size }),
    })
    if (signal?.aborted) {
      return signal.reason instanceof TransportError
        ? signal.reason
        : new TransportError('cancelled', aborted!, {}, { cause: error })
    }
    if (error instanceof TransportError) return error
    const what = stage === 'headers' ? 'No answer could be had from' : 'The answer broke off from'
    return new TransportError(
      stage === 'headers' ? 'unreachable' : 'stream-lost',
      `${what} ${this.#url}: ${describe(error)}`,
      { url: this.#url, error: describe(error) },
      { cause: error },
    )
  }
}

/** Node hides the useful part ("ECONNREFUSED") in a cause; a browser has no useful part. */
const describe = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  const inner = cause instanceof Error ? cause.message || (cause as { code?: string }).code : undefined
  return inner ? `${messageOf(error)} (${inner})` : messageOf(error)
}

/** @throws {TransportError} `not-mcp` beyond `limit` bytes */
export const readText = async (body: ReadableStream<Uint8Array> | null, limit: number): Promise<string> => {
  if (!body) return ''
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const parts: string[] = []
  let size = 0
  for await (const chunk of chunksOf(body)) {
    size += chunk.byteLength
    if (size > limit) throw new TransportError('not-mcp', `The body is over ${limit} bytes`, { limit })
    parts.push(decoder.decode(chunk, { stream: true }))
  }
  parts.push(decoder.decode())
  return parts.join('')
}

/** Streams are async iterable in Node and Chromium, not yet in every browser. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  let done = false
  try {
    for (;;) {
      const result = await reader.read()
      if (result.done) break
      yield result.value
    }
    done = true
  } finally {
    if (!done) await reader.cancel().catch(() => {})
    reader.releaseLock()
  }
}
