/**
 * Streamable HTTP: one POST per message, with JSON or an event stream as the response. From 2025-03-26 to 2025-11-25
 * also a GET stream for unprompted server messages, sessions by header, and resumable streams. 2026-07-28 has none of
 * these: closing a stream cancels its request, and a broken stream loses it (TR-HTTP-10, TR-HTTP-11).
 *
 * A 404 for the session ID is recognised here. `session.ts` then opens a new session, and `outgoing-requests.ts` sends
 * the request again.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
import { wait } from '../deadline.ts'
import { TransportError } from '../errors.ts'
import type { JsonObject, Seq } from '../frame.ts'
import {
  idInOtherType,
  isRequestId,
  isObject,
  messagesIn,
  OPENING_METHODS,
  read,
  type RequestId,
  requestsIn,
} from '../jsonrpc.ts'
import { eraOf, type Revision } from '../revision.ts'
import { type Authorizer, type HttpAnswer, HttpTap, operationOf, readText } from './http-tap.ts'
import { EventChannel, type Resumption } from './resumable-stream.ts'
import { HttpSseTransport } from './http-sse.ts'
import type { ConnectionSlots } from './connection-limit.ts'
import type { Detour } from './detour.ts'
import type { InterferenceSlot } from './interference.ts'
import { type Outbound, type Received, textOf, utf8LengthInSteps } from './tap.ts'
import type { Sink, Transport } from './transport.ts'
import { unusableResponse } from './unusable-response.ts'

export interface StreamableHttpOptions {
  readonly url: string
  /** Sent with every request, for example `Authorization`. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Default: the runtime's own. A relay is passed in here. */
  readonly fetch?: typeof fetch
  /** This page's connections, to detect a request that waits for one; absent if a relay sends the requests. */
  readonly connectionSlots?: ConnectionSlots
  /** Another way to the server, for when the browser refuses the direct one. */
  readonly detour?: Detour
  /** Signs each request, after `headers`. */
  readonly authorizer?: Authorizer
  /** Faults that the user injects. */
  readonly faults?: InterferenceSlot
  /** Switch to HTTP+SSE if a server refuses this transport (TR-SSE-05). Default: yes. */
  readonly fallback?: boolean
  /** For HTTP+SSE: follow an endpoint on another origin (TR-SSE-03). */
  readonly foreignEndpoint?: boolean
  /** ms; by default 30 s for headers while connecting, 30 s for the GET stream's headers, 3 s for DELETE. */
  readonly limits?: Partial<Limits>
}

interface Limits {
  readonly headers: number
  readonly answer: number
  readonly listen: number
  readonly end: number
}

const DEFAULT_LIMITS: Limits = { headers: 30_000, answer: 30_000, listen: 30_000, end: 3_000 }

/** Attempts to reopen the GET stream if the server fails it before it ever worked. */
const LISTEN_ATTEMPTS = 3

export class StreamableHttpTransport implements Transport {
  readonly name = 'Streamable HTTP'
  readonly perRequest = true
  readonly #options: StreamableHttpOptions
  readonly #limits: Limits
  #sink!: Sink
  #http!: HttpTap
  #sessionId: string | undefined
  #revision: Revision | undefined
  /** Ends everything that is open; replaced with each session. */
  #life = new AbortController()

  constructor(options: StreamableHttpOptions) {
    this.#options = options
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
  }

  async open(sink: Sink): Promise<void> {
    this.#sink = sink
    this.#http = new HttpTap(sink.tap, this.#options.url, this.#options)
  }

  settled(revision: Revision): void {
    this.#revision = revision
  }

  older(): Transport | undefined {
    const { url, headers, fetch, foreignEndpoint, authorizer, detour, faults } = this.#options
    if (this.#options.fallback === false) return undefined
    return new HttpSseTransport({ url, headers, fetch, foreignEndpoint, authorizer, detour, faults })
  }

  async send(outbound: Outbound, signal?: AbortSignal): Promise<void> {
    const life = this.#life.signal
    const text = textOf(outbound)
    const asked = requestsIn(outbound.text === undefined ? outbound.message : read(outbound.text).message)
    const awaited = asked.map(({ id }) => id)
    const headers = [
      ['content-type', 'application/json'],
      ['accept', 'application/json, text/event-stream'],
      ...this.#headers(Object.entries(outbound.headers ?? {})),
    ] as [string, string][]
    if (awaited.length > 0) this.#sink.step('waiting-for-headers', this.#limits.headers)
    const answer = await this.#http.send({
      method: 'POST',
      headers,
      purpose: 'message',
      signal: signal ? AbortSignal.any([signal, life]) : life,
      body: text,
      onRequestFrame: (carrier) => void this.#sink.tap.sent(outbound, carrier, text),
      operation: operationOf(asked),
      held: (held) => this.#sink.held?.(awaited, held),
    })
    if (awaited.length > 0) this.#sink.step('waiting-for-answer', this.#limits.answer)
    const { response } = answer
    if (asked.some(({ method }) => method === 'initialize') && response.ok) {
      this.#sessionId = response.headers.get('mcp-session-id') ?? undefined
    }
    if (!response.ok) return await this.#refused(answer, awaited)
    await this.#accepted(
      answer,
      awaited,
      // During these requests, no other stream could deliver the response.
      asked.some(({ method }) => OPENING_METHODS.has(method)),
      signal,
    )
  }

  listen(): void {
    void this.#listen()
  }

  renew(): void {
    this.#sessionId = undefined
    this.#revision = undefined
    this.#life.abort(new TransportError('session-expired', 'The session has expired'))
    this.#life = new AbortController()
  }

  async close(): Promise<void> {
    this.#life.abort(new TransportError('closed', 'The connection was closed'))
    if (this.#sessionId === undefined) return
    const headers = this.#headers()
    this.#sessionId = undefined
    try {
      // TR-HTTP-27. `keepalive` lets it finish while the page closes; 405 is allowed, and any other response is
      // accepted.
      const { response, seq } = await this.#http.send({
        method: 'DELETE',
        headers,
        purpose: 'end-session',
        keepalive: true,
        signal: AbortSignal.timeout(this.#limits.end),
      })
      await this.#http.text(response, seq)
    } catch {
      // The frames show the failure; no caller is left to report it to.
    }
  }

  #headers(extra: readonly (readonly [string, string])[] = []): [string, string][] {
    const headers: [string, string][] = []
    // The stateless lifecycle encodes its own headers from the body, and has no sessions.
    if (!this.#isStateless) {
      const named = extra.some(([name]) => name.toLowerCase() === 'mcp-protocol-version')
      if (this.#revision !== undefined && this.#revision >= '2025-06-18' && !named) {
        headers.push(['mcp-protocol-version', this.#revision])
      }
      if (this.#sessionId !== undefined) headers.push(['mcp-session-id', this.#sessionId])
    }
    for (const [name, value] of [...(this.#options.headers ?? []), ...extra]) headers.push([name, value])
    return headers
  }

  get sessionId(): string | undefined {
    return this.#sessionId
  }

  get #isStateless(): boolean {
    return this.#revision !== undefined && eraOf(this.#revision) === 'stateless'
  }

  /** A 2xx response: 202 or empty, JSON, or a stream; without a known type, the body decides. */
  async #accepted(
    answer: HttpAnswer,
    awaited: readonly RequestId[],
    opens: boolean,
    signal?: AbortSignal,
  ): Promise<void> {
    const { response, seq } = answer
    const { status } = response
    if (isEventStream(response) && response.body) {
      void this.#channel(seq, 'post', awaited, signal).follow(response)
      return
    }
    const { text, invalidUtf8 } = await this.#http.read(response, seq)
    const isJson = /^\s*[[{\uFEFF]/.test(text)
    if (isJson) this.#http.ended(seq, await utf8LengthInSteps(text))
    else this.#http.keep(seq, text)
    // Nothing was requested, so nothing is missing: some servers accept a notification with `null` or `OK`
    // (TR-HTTP-04).
    if (!isJson && awaited.length === 0) return
    if (text.trim() === '') {
      for (const id of awaited) {
        // Some servers accept with 202 and respond on the GET stream once it exists: the call's own limit decides.
        const why = `HTTP ${status} without a response to request ${id}`
        this.#sink.tap.append({ kind: 'stream', event: 'gap', request: seq, why })
        if (this.#isStateless || opens)
          this.#sink.lost(id, new TransportError('stream-lost', why, { status, fault: 'empty-response' }))
      }
      return
    }
    if (!isJson) {
      const type = response.headers.get('content-type') ?? 'no content type'
      const saysJson = /^\s*application\/(?:[\w.-]+\+)?json\b/i.test(type)
      const why = saysJson
        ? `The body isn't JSON, although its Content-Type is ${type}`
        : `The response is ${type}, neither JSON nor an event stream`
      throw new TransportError('not-mcp', why, {
        status,
        url: this.#options.url,
        contentType: type,
        body: text.slice(0, 2000),
        ...(saysJson ? { fault: 'invalid-json' } : {}),
      })
    }
    const received = { ...(await this.#sink.tap.received(text, { carrier: seq, invalidUtf8 })), status }
    this.#sink.message(received, awaited.length === 1 ? awaited[0] : undefined)
    for (const id of awaited) {
      if (answers(received, id, awaited.length === 1)) continue
      const { explanation, details } = unusableResponse(received, id, awaited, text)
      this.#sink.lost(id, new TransportError('stream-lost', explanation, { ...details, status }))
    }
  }

  /** Not 2xx: a JSON-RPC error in the body is the response; otherwise the status is. */
  async #refused({ response, seq }: HttpAnswer, awaited: readonly RequestId[]): Promise<void> {
    const { status } = response
    const { text, invalidUtf8 } = await this.#http.read(response, seq)
    const isJson = /^\s*\{/.test(text)
    const aboutSession = this.#sessionId !== undefined && (status === 404 || (status === 400 && /session/i.test(text)))
    const details: JsonObject = {
      status,
      url: this.#options.url,
      body: text.slice(0, 2000),
      ...(this.#mayHideSession(response) ? { sessionIdHidden: true } : {}),
    }
    if (isJson) this.#http.ended(seq, await utf8LengthInSteps(text))
    else this.#http.keep(seq, text)
    const received = isJson ? await this.#sink.tap.received(text, { carrier: seq, invalidUtf8 }) : undefined
    if (aboutSession) {
      throw new TransportError('session-expired', `The server doesn't recognize the session (HTTP ${status})`, details)
    }
    if (status === 401) throw new TransportError('unauthorized', 'The server requires a sign-in (HTTP 401)', details)
    // BP-08: an error without an ID must belong to the request in the POST.
    if (received?.type === 'error' && isRpcError(received.message) && awaited.length === 1)
      return this.#sink.message({ ...received, status }, awaited[0])
    // The relay doesn't follow redirects: the user decides about their target.
    const location = status >= 300 && status < 400 ? response.headers.get('location') : null
    const what = `The server returned HTTP ${status} ${response.statusText}`.trim()
    const led = location === null ? what : `${what} and redirected to ${location.slice(0, 500)}`
    throw new TransportError('http-status', led, location === null ? details : { ...details, location })
  }

  /** BR-02: if CORS hides the session ID from the page, the server refuses whatever follows `initialize`. */
  #mayHideSession({ type, status }: Response): boolean {
    const refuses = status === 400 || status === 404
    return (
      refuses && type === 'cors' && this.#sessionId === undefined && this.#revision !== undefined && !this.#isStateless
    )
  }

  #channel(origin: Seq, began: 'get' | 'post', awaited: readonly RequestId[], signal?: AbortSignal): EventChannel {
    const life = this.#life.signal
    // TR-HTTP-11: stateless servers don't resume a broken stream. A stream without a pending response has no end to
    // wait for.
    const ends = this.#isStateless || (began === 'post' && awaited.length === 0)
    return new EventChannel({
      sink: this.#sink,
      http: this.#http,
      origin,
      awaited,
      signal: signal ? AbortSignal.any([signal, life]) : life,
      ...(ends ? {} : { resume: (resumption, abort) => this.#resume(resumption, abort, origin) }),
    })
  }

  /** TR-HTTP-19: requests the events after the last one with a GET, also for streams that a POST started. */
  async #resume({ lastEventId }: Resumption, signal: AbortSignal, origin?: Seq): Promise<HttpAnswer> {
    const headers: [string, string][] = [['accept', 'text/event-stream'], ...this.#headers()]
    if (lastEventId !== undefined) headers.push(['last-event-id', lastEventId])
    return await this.#http.send({
      method: 'GET',
      headers,
      purpose: lastEventId === undefined ? 'listen' : 'resume',
      origin,
      signal,
    })
  }

  /** TR-HTTP-15, -16: opened in the background; 405 is normal, and some servers never respond to it. */
  async #listen(): Promise<void> {
    const life = this.#life.signal
    for (let attempt = 1; attempt <= LISTEN_ATTEMPTS && !life.aborted; attempt++) {
      const patience = new AbortController()
      const timer = setTimeout(
        () =>
          patience.abort(
            new TransportError(
              'timeout',
              `No response to the GET request for an event stream within ${this.#limits.listen / 1000} s`,
            ),
          ),
        this.#limits.listen,
      )
      try {
        const answer = await this.#resume({}, AbortSignal.any([life, patience.signal]))
        clearTimeout(timer)
        if (answer.response.ok && isEventStream(answer.response)) {
          // The time limit only covers the headers: from here on, the channel's own lifetime applies.
          return await this.#channel(answer.seq, 'get', []).follow(answer.response)
        }
        this.#http.keep(answer.seq, this.#http.masked(await readText(answer.response.body, 1_000_000)))
        if (answer.response.status < 500) return
      } catch {
        clearTimeout(timer)
        if (patience.signal.aborted) return
      }
      await wait(1000 * 2 ** attempt, life)
    }
  }
}

const isEventStream = (response: Response): boolean =>
  /^\s*text\/event-stream\s*(;|$)/i.test(response.headers.get('content-type') ?? '')

/** Whether a response with this ID is among the received messages. @param alone no other request is awaited there */
const answers = ({ message }: Received, id: RequestId, alone: boolean): boolean =>
  messagesIn(message).some(
    (part) =>
      // Only an error may come without the id (BP-08).
      (alone && (part.id ?? null) === null && 'error' in part) ||
      ((part.id === id || (isRequestId(part.id) && idInOtherType(part.id) === id)) &&
        ('result' in part || 'error' in part)),
  )

/** Many servers send `{ "error": "insufficient_scope" }` (RFC 6750), which isn't a JSON-RPC response. */
const isRpcError = (message: Received['message']): boolean => isObject(message) && isObject(message.error)
