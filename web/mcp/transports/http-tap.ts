/** Sends the HTTP requests of a transport, signed by the authorizer, and records each exchange. */
import type { HeaderList, HttpDraft, Seq } from '../frame.ts'
import { type Tap, utf8Length } from './tap.ts'
import { messageOf, TransportError } from '../errors.ts'
import { maskHeaders, maskUrl } from '../../secrets/index.ts'
import { ConnectionSlot, type ConnectionSlots } from './connection-limit.ts'
import { type Detour, isRepeatable } from './detour.ts'
import type { InterferenceSlot } from './interference.ts'
import type { RelayedResponse } from './relay.ts'
import { Utf8Decoder } from './utf8-decoder.ts'

// Signs the requests of a connection, and decides what to do when the server refuses one. Independent of sign-in
// protocols.

/** A request was refused with 401 or 403. */
export interface Refusal {
  /** Its frame. */
  readonly request: Seq
  readonly method: string
  readonly url: string
  readonly status: 401 | 403
  /** `WWW-Authenticate`, if the page can see it. */
  readonly challenge: string | null
  /** Headers from other origins are hidden from a page unless CORS exposes them. */
  readonly crossOrigin: boolean
  /** `DPoP-Nonce` (RFC 9449 section 9). */
  readonly dpopNonce: string | null
  /** What the request was for: `tools/call echo`, `listen` … Retries are counted per operation (AU-SCOPE-05). */
  readonly operation: string
  /** The headers that the authorizer had added to this request. */
  readonly sent: HeaderList
  /** How often this request has been sent, from 1. */
  readonly attempt: number
  /** Aborted when the request is no longer needed. */
  readonly signal: AbortSignal
  /** Text of the response, up to 64 KB, for servers that put information there which CORS hides in the headers. */
  body(): Promise<string>
}

export interface Authorizer {
  /**
   * Headers for a request about to be sent: POST, GET and DELETE all carry the token (AU-GEN-02). Never throws: without
   * a token there are none.
   */
  headers(request: { readonly method: string; readonly url: string }): Promise<readonly (readonly [string, string])[]>
  /** @returns whether to send it again, with the headers that apply then. Never throws. */
  answerRefusal(refusal: Refusal): Promise<boolean>
  /** Masks the sent credentials in received text: a server may echo them (SEC-15). Cheap if there are none. */
  masked(text: string): string
}

// Records an HTTP exchange: request head, response head, end or failure, each as a frame. The transports and the
// sign-in requests send differently, but produce the same frames.

/** Masks secrets in a response. */
interface HttpMasks {
  url(url: string): string
  headers(headers: Headers): HeaderList
}

type HttpRequestHead = Omit<Extract<HttpDraft, { phase: 'request' }>, 'kind' | 'phase'>

export class HttpRecorder {
  readonly #tap: Pick<Tap, 'append'>
  readonly #masks: HttpMasks

  constructor(tap: Pick<Tap, 'append'>, masks: HttpMasks) {
    this.#tap = tap
    this.#masks = masks
  }

  /** @param head with its secrets masked; @returns the frame that all others of this exchange refer to */
  request(head: HttpRequestHead): Seq {
    return this.#tap.append({ kind: 'http', phase: 'request', ...head })
  }

  /** It waits for a connection because `open` older requests occupy them. */
  queued(request: Seq, open: number): void {
    this.#tap.append({ kind: 'http', phase: 'queued', request, open })
  }

  response(request: Seq, response: Response & Partial<Pick<RelayedResponse, 'relay'>>): void {
    const { status, statusText, headers, type, redirected, url, relay } = response
    this.#tap.append({
      kind: 'http',
      phase: 'response',
      request,
      status,
      statusText,
      headers: this.#masks.headers(headers),
      crossOrigin: type === 'cors' || undefined,
      redirectedTo: redirected ? this.#masks.url(url) : undefined,
      timings: relay?.timings,
      proxy: relay?.proxy,
    })
  }

  /** @param body if no message frame contains it, with secrets masked */
  end(request: Seq, size: number, body = '', cut = false): void {
    this.#tap.append({ kind: 'http', phase: 'end', request, size, body: body || undefined, cut: cut || undefined })
  }

  /** @param more `aborted`: why we ended it ourselves; `size`: bytes of the body that had arrived */
  failed(
    request: Seq,
    stage: 'headers' | 'body',
    error: string,
    more: { readonly aborted?: string | undefined; readonly size?: number | undefined } = {},
  ): void {
    this.#tap.append({ kind: 'http', phase: 'failed', request, stage, error, ...more })
  }
}

interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly headers: readonly (readonly [string, string])[]
  readonly purpose: 'message' | 'listen' | 'resume' | 'end-session'
  /** The request that started the stream which this one resumes. */
  readonly origin?: Seq
  readonly signal: AbortSignal
  readonly keepalive?: boolean
  readonly body?: string
  /** Another URL than the tap's own: the endpoint from an event. */
  readonly url?: string
  /** Called with the request's seq before anything is sent, so that the message can name it as its carrier. */
  readonly onRequestFrame?: (carrier: Seq) => void
  /** What the request is for; refusals are counted by it. Default: its purpose. */
  readonly operation?: string
  /** Called when the user must be asked before it can continue, and when that is over. */
  readonly held?: (held: boolean) => void
}

export interface HttpAnswer {
  readonly response: Response
  /** The frame of the request, which all other frames of the exchange refer to. */
  readonly seq: Seq
}

/** Attempts after which a refusal counts as permanent (AU-TOK-05, AU-SCOPE-05). */
const MOST_ATTEMPTS = 8

const isRefusal = (status: number): status is 401 | 403 => status === 401 || status === 403

/** A short description of what a message is for: refusals are counted by it. */
export const operationOf = (asked: readonly { readonly method: string; readonly name?: string }[]): string =>
  asked.map(({ method, name }) => (name === undefined ? method : `${method} ${name}`)).join(', ') || 'message'

/** Reads the beginning of a body, which stays readable. */
const peek = async (response: Response): Promise<string> => {
  try {
    return await readText(response.clone().body, 65_536)
  } catch {
    return ''
  }
}

/** Failures of the local proxy itself. */
const PROXY_FAILURES: ReadonlySet<string> = new Set(['no-proxy', 'proxy-lost', 'proxy-refused'])

/** Longest body to read completely, in bytes. */
const LONGEST_BODY = 72 * 1024 * 1024

interface HttpTapOptions {
  readonly fetch?: typeof fetch
  readonly authorizer?: Authorizer
  /** This page's connections; absent if requests don't use them. */
  readonly connectionSlots?: ConnectionSlots
  /** Taken when the browser refuses a request that may be repeated. */
  readonly detour?: Detour
  readonly faults?: InterferenceSlot
}

/** Why a direct request was given up. */
const UNANSWERED_OPTIONS = 'The server responds, but not to OPTIONS, which the browser sends first'

type SentInit = RequestInit & { readonly body: string | undefined }

/** How a request is sent once more. */
interface Repetition {
  /** The request that it repeats. */
  readonly again?: Seq | undefined
  readonly by?: Detour | undefined
  /** Called with the seq of its frame before anything is sent. */
  readonly began?: (seq: Seq) => void
}

export class HttpTap {
  readonly #recorder: HttpRecorder
  readonly #url: string
  readonly #fetch: typeof fetch
  readonly #authorizer: Authorizer | undefined
  readonly #connectionSlots: ConnectionSlots | undefined
  readonly #slots = new Map<Seq, ConnectionSlot>()
  readonly #detour: Detour | undefined
  readonly #faults: InterferenceSlot | undefined
  readonly #tap: Tap

  constructor(tap: Tap, url: string, options: HttpTapOptions = {}) {
    const { fetch: fetchWith = fetch, authorizer, connectionSlots, detour, faults } = options
    this.#tap = tap
    this.#faults = faults
    this.#url = url
    this.#recorder = new HttpRecorder(tap, {
      url: (to) => this.masked(maskUrl(to)),
      headers: (heads) => maskHeaders(heads).map(([name, value]) => [name, this.masked(value)] as const),
    })
    this.#authorizer = authorizer
    this.#connectionSlots = connectionSlots
    this.#detour = detour
    // A bare `fetch` called as a method of another object throws "Illegal invocation" in browsers.
    this.#fetch = (input, init) => fetchWith(input, init)
  }

  /**
   * Sends it; again each time the authorizer has obtained what was missing.
   * @throws {TransportError} `unreachable`, or the reason of the signal
   */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const authorizer = this.#authorizer
    if (!authorizer) return await this.#sendEitherWay(request, [])
    let again: Seq | undefined
    for (let attempt = 1; ; attempt++) {
      const { method, url = this.#url, signal, operation = request.purpose, held } = request
      const sent = await authorizer.headers({ method, url })
      const answer = await this.#sendEitherWay(request, sent, again)
      const { response, seq } = answer
      if (!isRefusal(response.status) || attempt >= MOST_ATTEMPTS) return answer
      held?.(true)
      // After a redirect to another origin, its challenge doesn't apply to this server.
      const own = response.url === '' || new URL(response.url).origin === new URL(url).origin
      try {
        const retry = await authorizer.answerRefusal({
          request: seq,
          method,
          url,
          status: response.status,
          challenge: own ? response.headers.get('www-authenticate') : null,
          crossOrigin: response.type === 'cors',
          dpopNonce: own ? response.headers.get('dpop-nonce') : null,
          operation,
          sent,
          attempt,
          signal,
          body: () => peek(response),
        })
        if (!retry || signal.aborted) return answer
      } finally {
        held?.(false)
      }
      await this.text(response, seq)
      again = seq
    }
  }

  /** Directly, and if that fails and nothing can happen twice, through the local proxy; from then on always. */
  async #sendEitherWay(
    request: HttpRequest,
    signed: readonly (readonly [string, string])[],
    again?: Seq,
  ): Promise<HttpAnswer> {
    const detour = this.#detour
    if (!detour || detour.taken) return await this.#send(request, signed, { again, by: detour })
    let direct: Seq | undefined
    const repeatable = isRepeatable(request.method, request.body)
    const given = new AbortController()
    const giveUp = () => given.abort(new TransportError('unreachable', UNANSWERED_OPTIONS, { url: this.#url }))
    // Only until the headers arrive: the body of a response belongs to its reader.
    if (repeatable && detour.silent?.aborted) giveUp()
    else if (repeatable) detour.silent?.addEventListener('abort', giveUp, { once: true })
    try {
      const signal = repeatable && detour.silent ? AbortSignal.any([request.signal, given.signal]) : request.signal
      return await this.#send({ ...request, signal }, signed, { again, began: (seq) => (direct = seq) })
    } catch (refused) {
      const isHidden = refused instanceof TransportError && refused.code === 'unreachable'
      if (!isHidden || request.signal.aborted || !repeatable) throw refused
      let answer: HttpAnswer
      try {
        answer = await this.#send(request, signed, { again: direct, by: detour })
      } catch (error) {
        if (!(error instanceof TransportError)) throw refused
        // The proxy knows why the server can't be reached. Its own failures explain only why there is no detour.
        if (!PROXY_FAILURES.has(error.code)) throw error
        throw new TransportError(
          refused.code,
          refused.message,
          {
            ...refused.details,
            proxyCode: error.code,
            ...(error.details.proxyStatus === undefined ? {} : { proxyStatus: error.details.proxyStatus }),
          },
          { cause: error },
        )
      }
      const names = [...request.headers, ...signed].map(([name]) => name.toLowerCase())
      detour.take({ url: request.url ?? this.#url, method: request.method, headers: names })
      return answer
    } finally {
      detour.silent?.removeEventListener('abort', giveUp)
    }
  }

  async #send(
    { method, headers, purpose, origin, signal, keepalive, body, onRequestFrame, url = this.#url }: HttpRequest,
    signed: readonly (readonly [string, string])[],
    { again, by, began }: Repetition,
  ): Promise<HttpAnswer> {
    const head = new Headers()
    for (const [name, value] of headers) head.append(name, value)
    for (const [name, value] of signed) head.set(name, value)
    const size = body === undefined ? 0 : utf8Length(body)
    const seq = this.#recorder.request({
      method,
      url: maskUrl(url),
      headers: maskHeaders(head),
      size,
      purpose,
      origin,
      ...(by ? { relayed: true } : {}),
      again,
    })
    began?.(seq)
    // The message is in the trace already when it goes out once more.
    if (again === undefined) onRequestFrame?.(seq)
    if (this.#connectionSlots && !by) {
      const queued = (open: number) => this.#recorder.queued(seq, open)
      this.#slots.set(seq, new ConnectionSlot(this.#connectionSlots, url, queued))
    }
    let response: Response
    try {
      const init = { method, headers: head, signal, cache: 'no-store', credentials: 'omit', body, keepalive } as const
      response = await this.#fetchOrDisturb(seq, by?.fetch ?? this.#fetch, url, init)
    } catch (error) {
      throw this.#failed(seq, 'headers', error, signal)
    }
    this.#slots.get(seq)?.answered()
    this.#recorder.response(seq, response)
    return { response, seq }
  }

  #fetchOrDisturb(request: Seq, fetch: HttpTapOptions['fetch'] & {}, url: string, init: SentInit): Promise<Response> {
    const faults = this.#faults?.current
    if (!faults) return fetch(url, init)
    return faults.exchange({
      fetch,
      url,
      init,
      body: init.body,
      mark: (fault) => void this.#tap.append({ kind: 'fault', event: 'injected', request, ...fault }),
      masked: (text) => this.masked(text),
    })
  }

  /**
   * Reads a complete body and stores it in the frame of its end.
   * @throws {TransportError} the body broke off or exceeds the limit
   */
  async text(response: Response, seq: Seq): Promise<string> {
    const { text } = await this.read(response, seq)
    this.keep(seq, text)
    return text
  }

  /**
   * Reads a complete body. The caller records its end: with `ended` if a message frame contains the text, otherwise
   * with `keep`.
   * @throws as `text`
   */
  async read(response: Response, seq: Seq): Promise<BodyText> {
    try {
      const { text, invalidUtf8 } = await readBody(response.body, LONGEST_BODY)
      return { text: this.masked(text), invalidUtf8 }
    } catch (error) {
      throw this.#failed(seq, 'body', error)
    }
  }

  /** Masks text that is read elsewhere, before it is stored. */
  masked(text: string): string {
    return this.#authorizer ? this.#authorizer.masked(text) : text
  }

  ended(seq: Seq, size: number): void {
    this.#over(seq)
    this.#recorder.end(seq, size)
  }

  /** A body that no other frame contains: stored here, up to a megabyte. */
  keep(seq: Seq, text: string): void {
    this.#over(seq)
    const cut = text.length > 1_000_000
    this.#recorder.end(seq, utf8Length(text), cut ? text.slice(0, 1_000_000) : text, cut)
  }

  /** The body of a stream broke off. */
  broke(seq: Seq, error: unknown, size: number, signal: AbortSignal): void {
    this.#failed(seq, 'body', error, signal, size)
  }

  #over(seq: Seq): void {
    this.#slots.get(seq)?.ended()
    this.#slots.delete(seq)
  }

  #failed(seq: Seq, stage: 'headers' | 'body', error: unknown, signal?: AbortSignal, size?: number): TransportError {
    this.#over(seq)
    const aborted = signal?.aborted ? messageOf(signal.reason) : undefined
    this.#recorder.failed(seq, stage, describe(error), { aborted, size })
    if (signal?.aborted) {
      return signal.reason instanceof TransportError
        ? signal.reason
        : new TransportError('cancelled', aborted!, {}, { cause: error })
    }
    if (error instanceof TransportError) return error
    return new TransportError(
      stage === 'headers' ? 'unreachable' : 'stream-lost',
      stage === 'headers'
        ? `No response from ${this.#url}: ${describe(error)}`
        : `The response from ${this.#url} was cut off: ${describe(error)}`,
      { url: this.#url, error: describe(error) },
      { cause: error },
    )
  }
}

/** Node puts the useful part ("ECONNREFUSED") in the cause; a browser provides none. */
const describe = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  const inner = cause instanceof Error ? cause.message || (cause as { code?: string }).code : undefined
  return inner ? `${messageOf(error)} (${inner})` : messageOf(error)
}

interface BodyText {
  readonly text: string
  /** Some bytes weren't UTF-8; in the text, they are U+FFFD. */
  readonly invalidUtf8: boolean
}

/** @throws {TransportError} `not-mcp` above `limit` bytes */
export const readText = async (body: ReadableStream<Uint8Array> | null, limit: number): Promise<string> =>
  (await readBody(body, limit)).text

const readBody = async (body: ReadableStream<Uint8Array> | null, limit: number): Promise<BodyText> => {
  if (!body) return { text: '', invalidUtf8: false }
  const decoder = new Utf8Decoder({ ignoreBOM: true })
  const parts: string[] = []
  let size = 0
  for await (const chunk of chunksOf(body)) {
    size += chunk.byteLength
    if (size > limit) throw new TransportError('not-mcp', `The body exceeds ${limit} bytes`, { limit })
    parts.push(decoder.decode(chunk))
  }
  parts.push(decoder.end())
  return { text: parts.join(''), invalidUtf8: decoder.invalid }
}

/** Streams are async iterable in Node and Chromium, but not yet in every browser. */
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
