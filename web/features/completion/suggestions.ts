/**
 * Completion of an argument of a prompt or of a variable of a resource template: asked for while somebody types, a moment
 * after the last key, and taken back when another key makes it pointless.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion (SF-COMP)
 */
import { ErrorCode, isObject, messageOf, ProtocolError, TransportError, Signal } from '../../mcp/index.ts'
import type { Json, JsonObject, Peer, Seq } from '../../mcp/index.ts'

/** SF-COMP-02: the name of a prompt, or a URI or URI template as the server listed it. */
export type CompletionReference =
  { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string }

export interface CompletionRequest {
  readonly reference: CompletionReference
  /** Name of the argument or variable. */
  readonly argument: string
  /** As far as it was typed. */
  readonly value: string
  /** What was entered for the arguments beside it; it may hold `argument` itself, which is not sent (SF-COMP-03). */
  readonly context: Readonly<Record<string, string>>
}

/** What is wrong with an answer, as a code for the catalogues. */
export interface CompletionNote {
  readonly code: 'no-values' | 'no-string' | 'too-many' | 'bad-total' | 'bad-has-more' | 'total-too-small' | 'not-kept'
  /** A row of the checklist; absent where the bound is our own. */
  readonly rule?: string
  /** How many values it is about. */
  readonly count?: number
}

export interface Completion {
  /** In the server's order, as it sent them. */
  readonly values: readonly string[]
  /** How many there are in all, as far as the server says. */
  readonly total?: number
  /** There are more than these, by `hasMore` or by `total`. */
  readonly more: boolean
  readonly notes: readonly CompletionNote[]
}

/** SF-COMP-04: a server sends no more values at once. */
export const VALUES_MOST = 100
/** If a server sends more anyway, only these are shown. */
export const VALUES_KEPT = 1000

/** Reads a result without trust: what is no string is left out and counted, and nothing throws. */
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

/** The part of a Session that is needed here. */
export interface CompletionAsker {
  readonly peer: Peer | undefined
  /** @throws {UsageError} the session is not open */
  call(
    method: string,
    params: JsonObject,
  ): { readonly seq: Seq | undefined; readonly result: Promise<JsonObject>; cancel(reason?: string): void }
}

/**
 * Whether it is worth asking (SF-COMP-01). `declared`: the server says so. `try`: nothing can say so, in 2024-11-05 or
 * where a server tells nothing of itself. `undeclared`: it does not say so. `refused`: it does not know the method.
 */
export type CompletionSupport = 'declared' | 'try' | 'undeclared' | 'refused' | 'closed'

/** What was asked in one session (SF-COMP-05). */
export interface Answer {
  readonly completion: Completion
  /** The frame of the request. */
  readonly seq: Seq | undefined
}

const ANSWERS_KEPT = 300
/** UTF-16 units of all values kept together. */
const TEXT_KEPT = 2_000_000

/** The responses of one session, oldest first. A renewed session starts empty. */
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

  /** The request that was answered -32601. */
  get refused(): Seq | undefined {
    return this.#refused
  }

  find(request: CompletionRequest): Answer | undefined {
    this.#turn(this.#asker.peer)
    const key = this.#keyOf(request)
    const found = this.#answers.get(key)
    if (!found) return undefined
    // The least used go first.
    this.#answers.delete(key)
    this.#answers.set(key, found)
    return found
  }

  /**
   * Sends it. The answer is kept, a failure is not: the same may succeed the next time.
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
    // SF-COMP-03: older revisions do not know it.
    if (others.length === 0 || (this.#peer?.revision ?? '') < '2025-06-18') return params
    return { ...params, context: { arguments: Object.fromEntries(others) } }
  }

  /** By what is sent: the same request, the same answer. The order of the context says nothing. */
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

/** VN-25: a stateless server without `server/discover` declares nothing, and may have everything. */
const isSilent = ({ capabilities, evidence }: Peer): boolean =>
  Object.keys(capabilities).length === 0 &&
  evidence.some((seen) => seen.saw === 'probe' && seen.outcome === 'no-such-method')

export type CompletionState =
  /** Nothing completes here: a plain field. */
  | { readonly kind: 'off'; readonly why: CompletionSupport; readonly seq?: Seq }
  | { readonly kind: 'idle' }
  /** `before`: what was shown so far, until the answer comes. */
  | { readonly kind: 'asking'; readonly before?: Completion }
  | { readonly kind: 'ready'; readonly completion: Completion; readonly seq?: Seq; readonly cached: boolean }
  | { readonly kind: 'failed'; readonly message: string; readonly code?: number; readonly seq?: Seq }

/** ms after the last key. */
export const DEBOUNCE = 150

/** One field's completions: at most one request under way, and only for what was typed last. */
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
   * Asks, `DEBOUNCE` ms from now unless asked again before. What was asked earlier in the session is there at once.
   * Never throws: failures are states. @param wait ms; 0 where its user asked for the list
   */
  ask(request: CompletionRequest, wait = DEBOUNCE): void {
    const before = this.#shown()
    this.#drop('A newer input took its place')
    const rest = this.#resting()
    if (rest.kind === 'off') return this.#become(rest)
    const known = this.#cache.find(request)
    if (known) return this.#become(readyOf(known, true))
    this.#become({ kind: 'asking', ...(before ? { before } : {}) })
    this.#timer = setTimeout(() => this.#send(request), wait)
  }

  /** Nobody waits for it any more. What has come stays, a failure above all: its reason is still to be read. */
  stop(): void {
    this.#drop('The field was left')
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
