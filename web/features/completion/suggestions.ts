/**
 * Completion of prompt arguments and resource template variables: requested a moment after the last keystroke, and
 * cancelled if another keystroke makes it obsolete.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion (SF-COMP)
 */
import { ErrorCode, isObject, messageOf, ProtocolError, TransportError, Signal } from '../../mcp/index.ts'
import type { Json, JsonObject, Peer, Seq } from '../../mcp/index.ts'

/** SF-COMP-02: the name of a prompt, or a URI or URI template as listed by the server. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

export interface CompletionRequest {
  readonly reference: CompletionReference
  /** Name of the argument or variable. */
  readonly argument: string
  /** The text typed so far. */
  readonly value: string
  /** Values of the other arguments. May include `argument` itself, which isn't sent (SF-COMP-03). */
  readonly context: Readonly<Record<string, string>>
}

/** A problem with a response, as a code for the catalogues. */
export interface CompletionNote {
  readonly code: 'no-values' | 'no-string' | 'too-many' | 'bad-total' | 'bad-has-more' | 'total-too-small' | 'not-kept'
  /** Rule ID in web/lint/requirements.json; absent if the limit is our own. */
  readonly rule?: string
  /** The number of values concerned. */
  readonly count?: number
}

export interface Completion {
  /** In the order the server sent. */
  readonly values: readonly string[]
  /** The total number, if the server sends it. */
  readonly total?: number
  /** Whether there are more, by `hasMore` or `total`. */
  readonly more: boolean
  readonly notes: readonly CompletionNote[]
}

/** SF-COMP-04: most values that a server may send at once. */
export const VALUES_MOST = 100
/** If a server sends more anyway, only this many are shown. */
export const VALUES_KEPT = 1000

/** Parses an untrusted result: values that aren't strings are dropped and counted. Never throws. */
export const completionOf = (result: JsonObject): Completion => {
  const completion = isObject(result.completion) ? result.completion : {}
  const { values, total, hasMore } = completion
  const notes: CompletionNote[] = []
  if (!Array.isArray(values)) notes.push({ code: 'no-values', rule: 'SF-COMP-02' })
  const sent: readonly Json[] = Array.isArray(values) ? (values as readonly Json[]) : []
  const texts = sent.slice(0, VALUES_KEPT).filter((value) => typeof value === 'string')
  const odd = Math.min(sent.length, VALUES_KEPT) - texts.length
  if (odd > 0) notes.push({ code: 'no-string', rule: 'SF-COMP-02', count: odd })
  if (sent.length > VALUES_MOST) notes.push({ code: 'too-many', rule: 'SF-COMP-04', count: sent.length })
  if (sent.length > VALUES_KEPT) notes.push({ code: 'not-kept', count: sent.length - VALUES_KEPT })
  const all = typeof total === 'number' && Number.isFinite(total) && total >= 0 ? total : undefined
  if (total !== undefined && all === undefined) notes.push({ code: 'bad-total', rule: 'SF-COMP-04' })
  if (all !== undefined && all < sent.length) notes.push({ code: 'total-too-small', rule: 'SF-COMP-04', count: all })
  if (hasMore !== undefined && typeof hasMore !== 'boolean') notes.push({ code: 'bad-has-more', rule: 'SF-COMP-04' })
  const more = hasMore === true || (all !== undefined && all > sent.length) || sent.length > VALUES_KEPT
  return { values: texts, ...(all === undefined ? {} : { total: all }), more, notes }
}

/** The part of a Session that is used here. */
export interface CompletionAsker {
  readonly peer: Peer | undefined
  /** @throws {UsageError} the session is not open */
  call(
    method: string,
    params: JsonObject,
  ): { readonly seq: Seq | undefined; readonly result: Promise<JsonObject>; cancel(reason?: string): void }
}

/**
 * Whether to send completion requests (SF-COMP-01). `declared`: the server declares the capability. `try`: it can't be
 * declared, in 2024-11-05 or by a server without `server/discover`. `undeclared`: the server doesn't declare it.
 * `refused`: it doesn't know the method.
 */
export type CompletionSupport = 'declared' | 'try' | 'undeclared' | 'refused' | 'closed'

/** A response received in this session (SF-COMP-05). */
export interface Answer {
  readonly completion: Completion
  /** The frame of the request. */
  readonly seq: Seq | undefined
}

const ANSWERS_KEPT = 300
/** UTF-16 units of all cached values together. */
const TEXT_KEPT = 2_000_000

/** The cached responses of one session, least recently used first. A renewed session starts with an empty cache. */
export class CompletionCache {
  readonly #asker: CompletionAsker
  #peer: Peer | undefined
  readonly #answers = new Map<string, Answer & { readonly weight: number }>()
  #weight = 0
  #refused: Seq | undefined

  constructor(asker: CompletionAsker) {
    this.#asker = asker
  }

  get support(): CompletionSupport {
    const { peer } = this.#asker
    this.#turn(peer)
    if (!peer) return 'closed'
    if (this.#refused !== undefined) return 'refused'
    if ('completions' in peer.capabilities) return 'declared'
    return peer.revision < '2025-03-26' || isSilent(peer) ? 'try' : 'undeclared'
  }

  /** The request that was answered with -32601. */
  get refused(): Seq | undefined {
    return this.#refused
  }

  find(request: CompletionRequest): Answer | undefined {
    this.#turn(this.#asker.peer)
    const key = this.#keyOf(request)
    const found = this.#answers.get(key)
    if (!found) return undefined
    // Reinserted at the end, so that the least recently used are dropped first.
    this.#answers.delete(key)
    this.#answers.set(key, found)
    return found
  }

  /**
   * Sends the request. Responses are cached; failures aren't, because a retry may succeed.
   * @throws {UsageError} the session is not open
   */
  send(request: CompletionRequest): {
    readonly answer: Promise<Answer>
    cancel(reason: string): void
    seq(): Seq | undefined
  } {
    const { peer } = this.#asker
    this.#turn(peer)
    const key = this.#keyOf(request)
    const call = this.#asker.call('completion/complete', this.#paramsOf(request))
    const answer = call.result.then(
      (result) => {
        const answer = { completion: completionOf(result), seq: call.seq }
        if (peer === this.#peer) this.#keep(key, answer)
        return answer
      },
      (error: unknown) => {
        const unknown = error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound
        if (unknown && peer === this.#peer) this.#refused = call.seq ?? -1
        throw error
      },
    )
    return { answer, cancel: (reason) => call.cancel(reason), seq: () => call.seq }
  }

  #paramsOf({ reference, argument, value, context }: CompletionRequest): JsonObject {
    const params: JsonObject = { ref: { ...reference }, argument: { name: argument, value } }
    const others = Object.entries(context).filter(([name]) => name !== argument)
    // SF-COMP-03: earlier versions don't define it.
    if (others.length === 0 || (this.#peer?.revision ?? '') < '2025-06-18') return params
    return { ...params, context: { arguments: Object.fromEntries(others) } }
  }

  /** Key of a request by its content. The order of the context doesn't matter. */
  #keyOf(request: CompletionRequest): string {
    const sorted = Object.fromEntries(Object.entries(request.context).sort(([a], [b]) => (a < b ? -1 : 1)))
    return JSON.stringify(this.#paramsOf({ ...request, context: sorted }))
  }

  #keep(key: string, answer: Answer): void {
    const weight = key.length + answer.completion.values.reduce((sum, { length }) => sum + length, 0)
    this.#weight += weight - (this.#answers.get(key)?.weight ?? 0)
    this.#answers.delete(key)
    this.#answers.set(key, { ...answer, weight })
    for (const [oldest, { weight: freed }] of this.#answers) {
      if (this.#answers.size <= ANSWERS_KEPT && this.#weight <= TEXT_KEPT) break
      this.#answers.delete(oldest)
      this.#weight -= freed
    }
  }

  #turn(peer: Peer | undefined): void {
    if (peer === this.#peer) return
    this.#peer = peer
    this.#answers.clear()
    this.#weight = 0
    this.#refused = undefined
  }
}

/** VN-25: a stateless server without `server/discover` declares nothing, but may support anything. */
const isSilent = ({ capabilities, evidence }: Peer): boolean =>
  Object.keys(capabilities).length === 0 &&
  evidence.some((seen) => seen.saw === 'probe' && seen.outcome === 'no-such-method')

export type CompletionState =
  /** No completion: a plain field. */
  | { readonly kind: 'off'; readonly why: CompletionSupport; readonly seq?: Seq }
  | { readonly kind: 'idle' }
  /** `before`: the previous completion, shown until the response arrives. */
  | { readonly kind: 'asking'; readonly before?: Completion }
  | { readonly kind: 'ready'; readonly completion: Completion; readonly seq?: Seq; readonly cached: boolean }
  | { readonly kind: 'failed'; readonly message: string; readonly code?: number; readonly seq?: Seq }

/** ms after the last key. */
export const DEBOUNCE = 150

/** The completions of one field: at most one pending request, for the latest text. */
export class Completer {
  readonly #cache: CompletionCache
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe
  #state: CompletionState
  #timer: ReturnType<typeof setTimeout> | undefined
  #sent: ReturnType<CompletionCache['send']> | undefined

  constructor(book: CompletionCache) {
    this.#cache = book
    this.#state = this.#resting()
  }

  get current(): CompletionState {
    return this.#state
  }

  /**
   * Requests a completion `DEBOUNCE` ms from now, unless called again before that. Cached responses are used at once.
   * Never throws: failures are states.
   * @param wait ms; 0 if the user opened the list explicitly
   */
  ask(request: CompletionRequest, wait = DEBOUNCE): void {
    const before = this.#shown()
    this.#drop('Superseded by newer input')
    const rest = this.#resting()
    if (rest.kind === 'off') return this.#become(rest)
    const known = this.#cache.find(request)
    if (known) return this.#become(readyOf(known, true))
    this.#become({ kind: 'asking', ...(before ? { before } : {}) })
    this.#timer = setTimeout(() => this.#send(request), wait)
  }

  /** Drops the pending request. A response or failure that has arrived stays, so that its reason can still be read. */
  stop(): void {
    this.#drop('The suggestions were closed')
    if (this.#state.kind === 'asking') this.#become(this.#resting())
  }

  #send(request: CompletionRequest): void {
    this.#timer = undefined
    let sent: ReturnType<CompletionCache['send']>
    try {
      sent = this.#cache.send(request)
    } catch (error) {
      return this.#become({ kind: 'failed', message: messageOf(error) })
    }
    this.#sent = sent
    sent.answer.then(
      (answer) => this.#sent === sent && this.#settle(readyOf(answer, false)),
      (error: unknown) => {
        if (this.#sent !== sent) return
        const off = this.#resting()
        if (off.kind === 'off') return this.#settle(off)
        if (error instanceof TransportError && error.code === 'cancelled') return this.#settle({ kind: 'idle' })
        const seq = sent.seq()
        this.#settle({
          kind: 'failed',
          message: messageOf(error),
          ...(error instanceof ProtocolError ? { code: error.code } : {}),
          ...(seq === undefined ? {} : { seq }),
        })
      },
    )
  }

  #settle(state: CompletionState): void {
    this.#sent = undefined
    this.#become(state)
  }

  #drop(reason: string): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const sent = this.#sent
    this.#sent = undefined
    sent?.cancel(reason)
  }

  #shown(): Completion | undefined {
    if (this.#state.kind === 'ready') return this.#state.completion
    return this.#state.kind === 'asking' ? this.#state.before : undefined
  }

  #resting(): CompletionState {
    const { support, refused } = this.#cache
    if (support === 'declared' || support === 'try') return { kind: 'idle' }
    return { kind: 'off', why: support, ...(refused !== undefined && refused >= 0 ? { seq: refused } : {}) }
  }

  #become(state: CompletionState): void {
    this.#state = state
    this.#changes.emit()
  }
}

const readyOf = ({ completion, seq }: Answer, cached: boolean): CompletionState => ({
  kind: 'ready',
  completion,
  cached,
  ...(seq === undefined ? {} : { seq }),
})
