/**
 * One logical event stream over any number of HTTP responses.
 *
 * A stream may break at any byte. The channel stores the last event ID, waits as the server asked, and resumes from
 * there: nothing is lost, and nothing is delivered twice. Its transport sends the request with `Last-Event-ID`
 * (`#resume` in `streamable-http.ts`, TR-HTTP-19).
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
import { wait } from '../deadline.ts'
import { messageOf, TransportError } from '../errors.ts'
import type { Seq } from '../frame.ts'
import { idKey, isObject, isRequestId, keyAmong, type RequestId } from '../jsonrpc.ts'
import type { HttpAnswer, HttpTap } from './http-tap.ts'
import { readEvents, type StreamEvent } from './sse.ts'
import type { Received } from './tap.ts'
import type { Sink } from './transport.ts'
import { unusableResponse } from './unusable-response.ts'

export interface Resumption {
  readonly lastEventId?: string
}

export interface ChannelOptions {
  readonly sink: Sink
  readonly http: HttpTap
  /** The request that started the stream. */
  readonly origin: Seq
  /** Requests whose responses are due here; none for the GET stream, which ends only with the session. */
  readonly awaited: readonly RequestId[]
  readonly signal: AbortSignal
  /** Requests the rest; absent if a stream that ended can't be resumed. */
  readonly resume?: (resumption: Resumption, signal: AbortSignal) => Promise<HttpAnswer>
}

/** Limits and delays of reconnection, in ms. */
const FIRST_DELAY = 500
/** A server that asks for immediate retries and closes at once must not cause a busy loop. */
const SHORTEST_DELAY = 50
const LONGEST_DELAY = 30_000
/** The longest `retry` that is obeyed; the frame shows the server's value. */
const LONGEST_RETRY = 300_000
/** Failures in a row before an awaited response is given up. The GET stream is retried for the whole session. */
const MOST_FAILURES = 8
/** IDs remembered to detect a repeated event. */
const IDS_KEPT = 10_000
/** A stream that stays open after its responses is closed, because a page has six connections (BR-08). */
const LINGER_AFTER_ANSWER = 5_000

export class EventChannel {
  readonly #options: ChannelOptions
  readonly #awaited: Map<string, RequestId>
  readonly #hadAwaited: boolean
  /** Event ID -> fingerprint of its data. */
  readonly #seen = new Map<string, number>()
  /** The HTTP request whose body is being read. */
  #carrier: Seq
  #lastEventId: string | undefined
  #retry: number | undefined
  #failures = 0
  /** An event that exceeded the limit: resuming would only repeat it. */
  #dropped: string | undefined
  /** How the last response broke the format of event streams. */
  #misframed: 'unfinished-event' | 'stray-lines' | undefined
  /** The last event that could have been a response, but wasn't. */
  #last: Received | undefined

  constructor(options: ChannelOptions) {
    this.#options = options
    this.#carrier = options.origin
    this.#awaited = new Map(options.awaited.map((id) => [idKey(id), id]))
    this.#hadAwaited = options.awaited.length > 0
  }

  /**
   * Reads the response and its successors until all awaited responses have arrived, or can't arrive any more. Never
   * throws.
   */
  async follow(response: Response): Promise<void> {
    const { signal } = this.#options
    let why = await this.#read(response)
    while (!signal.aborted && !this.#done) {
      const { resume } = this.#options
      if (this.#dropped !== undefined && this.#hadAwaited) return this.#giveUp(this.#dropped)
      if (!resume) return this.#hadAwaited ? this.#giveUp(why) : undefined
      if (this.#lastEventId === undefined && this.#hadAwaited)
        return this.#giveUp('its events had no ids to resume from')
      const next = await this.#reconnect(resume, why)
      if (next === 'refused') return
      if (signal.aborted) break
      if (next) why = await this.#read(next)
      else if (this.#hadAwaited && this.#failures >= MOST_FAILURES)
        return this.#giveUp(`${MOST_FAILURES} attempts to resume it failed`)
    }
    if (signal.aborted) this.#abandon(signal.reason)
  }

  get #done(): boolean {
    return this.#hadAwaited && this.#awaited.size === 0
  }

  async #read(response: Response): Promise<string> {
    const { sink, http, signal } = this.#options
    const request = this.#carrier
    sink.tap.append({ kind: 'stream', event: 'open', request })
    if (!response.body) return 'the HTTP response had no body'
    let linger: ReturnType<typeof setTimeout> | undefined
    const enough = new AbortController()
    // A runtime may keep a body open although its request was aborted.
    const over = () => enough.abort()
    signal.addEventListener('abort', over, { once: true })
    const { size, broken, unfinished, stray } = await readEvents(
      response.body,
      {
        event: (event) => {
          const after = () => {
            if (this.#done) linger ??= setTimeout(() => enough.abort(), LINGER_AFTER_ANSWER)
          }
          const taken = this.#event(event)
          return taken ? taken.then(after) : after()
        },
        comment: (text) =>
          void sink.tap.append({ kind: 'stream', event: 'comment', request, text: http.masked(text).slice(0, 1000) }),
        retry: (delay) => {
          this.#retry = delay
          sink.tap.append({ kind: 'stream', event: 'retry', request, delay })
        },
        tooLarge: (limit) => {
          this.#dropped = `an event of more than ${limit} characters was dropped`
          sink.tap.append({ kind: 'stream', event: 'gap', request, why: this.#dropped })
        },
      },
      { signal: enough.signal },
    )
    clearTimeout(linger)
    signal.removeEventListener('abort', over)
    if (broken === undefined && (this.#done || !signal.aborted)) http.ended(request, size)
    else http.broke(request, broken ?? signal.reason, size, signal)
    this.#misframed = unfinished ? 'unfinished-event' : stray === undefined ? undefined : 'stray-lines'
    const why = this.#done ? 'answered' : signal.aborted ? 'aborted' : broken === undefined ? 'ended' : 'broken'
    sink.tap.append({ kind: 'stream', event: 'close', request, why, unfinished, stray: stray && http.masked(stray) })
    return broken === undefined ? 'the server closed the stream' : `the stream was interrupted: ${messageOf(broken)}`
  }

  #event({ id, name, data: sent, invalidUtf8 }: StreamEvent): void | Promise<void> {
    const { sink, http } = this.#options
    const data = http.masked(sent)
    const request = this.#carrier
    this.#failures = 0
    const repeated = this.#isRepeated(id, data)
    // TR-HTTP-21: a priming event carries an ID but no message. TR-HTTP-18: each message travels once.
    if (data === '' || repeated || (name !== undefined && name !== 'message')) {
      sink.tap.append({
        kind: 'stream',
        event: 'data',
        request,
        id,
        name,
        data: data || undefined,
        size: data.length,
        repeated: repeated || undefined,
      })
      return
    }
    const received = sink.tap.received(data, { carrier: request, invalidUtf8, eventId: id, eventName: name })
    return received instanceof Promise ? received.then((late) => this.#message(late)) : this.#message(received)
  }

  #message(received: Received): void {
    const only = this.#options.awaited.length === 1 ? this.#options.awaited[0] : undefined
    const parts = Array.isArray(received.message) ? received.message : [received.message]
    for (const part of parts) {
      if (!isObject(part) || 'method' in part) continue
      if (isRequestId(part.id)) this.#awaited.delete(keyAmong(this.#awaited, part.id))
      // BP-08: an error without an ID must be the response to the only request.
      else if ('error' in part && only !== undefined) this.#awaited.clear()
    }
    if (received.message === undefined || parts.some((part) => isObject(part) && !('method' in part)))
      this.#last = received
    this.#options.sink.message(received, only)
  }

  /**
   * Remembers the event, and returns whether it arrived before the stream broke. Only the same ID with the same data
   * after a resumption counts: a server that reuses one ID for every event is odd, but its messages must not be
   * dropped.
   */
  #isRepeated(id: string | undefined, data: string): boolean {
    if (id === undefined || id === '') return false
    this.#lastEventId = id
    const print = fingerprint(data)
    const repeated = this.#carrier !== this.#options.origin && data !== '' && this.#seen.get(id) === print
    this.#seen.set(id, print)
    if (this.#seen.size > IDS_KEPT) this.#seen.delete(this.#seen.keys().next().value!)
    return repeated
  }

  /** One attempt: a response to continue with, nothing (retry), or the server's refusal. */
  async #reconnect(
    resume: NonNullable<ChannelOptions['resume']>,
    why: string,
  ): Promise<Response | undefined | 'refused'> {
    const { sink, http, signal } = this.#options
    const delay = this.#delay()
    sink.tap.append({
      kind: 'stream',
      event: 'resume',
      request: this.#carrier,
      delay,
      attempt: this.#failures + 1,
      why,
      lastEventId: this.#lastEventId,
    })
    await wait(delay, signal)
    if (signal.aborted) return undefined
    this.#failures++
    try {
      const { response, seq } = await resume({ lastEventId: this.#lastEventId }, signal)
      this.#carrier = seq
      if (response.ok && /^\s*text\/event-stream/i.test(response.headers.get('content-type') ?? '')) return response
      await http.text(response, seq)
      if (response.status >= 500 || response.status === 429) return undefined
      this.#giveUp(`the server refused to resume it (HTTP ${response.status})`)
      return 'refused'
    } catch {
      // The failure is recorded; the next attempt waits longer.
      return undefined
    }
  }

  /**
   * TR-HTTP-23: at least the server's delay; doubled after each failure; randomized, so that tabs don't retry in
   * lockstep.
   */
  #delay(): number {
    const asked = Math.min(Math.max(this.#retry ?? 0, SHORTEST_DELAY), LONGEST_RETRY)
    const backoff =
      this.#failures === 0 && this.#retry !== undefined ? 0 : Math.min(FIRST_DELAY * 2 ** this.#failures, LONGEST_DELAY)
    if (asked >= backoff) return asked + Math.round(Math.random() * 20)
    return Math.round(Math.max(asked, backoff * (0.75 + Math.random() * 0.5)))
  }

  #giveUp(why: string): void {
    const { sink, origin } = this.#options
    sink.tap.append({ kind: 'stream', event: 'gap', request: origin, why })
    this.#lose(`and ${why}`)
  }

  /** The session ended, so pending requests are rejected now instead of at their limits. */
  #abandon(reason: unknown): void {
    this.#lose(`because Periscope closed it: ${messageOf(reason)}`)
  }

  #lose(why: string): void {
    for (const id of this.#awaited.values()) {
      const unusable = this.#last && unusableResponse(this.#last, id, this.#options.awaited)
      const ended = `The stream ended before the response, ${why}`
      const misframed = this.#misframed === undefined ? {} : { fault: this.#misframed }
      this.#options.sink.lost(
        id,
        new TransportError('stream-lost', unusable?.explanation ?? ended, { ...misframed, ...unusable?.details, id }),
      )
    }
  }
}

/**
 * FNV-1a over the length and at most 4096 characters: enough to distinguish a repeated event from another one with the
 * same ID.
 */
const fingerprint = (text: string): number => {
  let hash = 0x811c9dc5 ^ text.length
  for (let index = 0; index < text.length && index < 4096; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
