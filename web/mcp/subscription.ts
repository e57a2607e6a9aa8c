/**
 * `subscriptions/listen`: one request that stays open and delivers notifications until one side ends it.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
import type { PendingCall } from './pending-call.ts'
import { wait } from './deadline.ts'
import { ProtocolError, TransportError, UsageError } from './errors.ts'
import type { JsonObject, Seq } from './frame.ts'
import { META } from './meta-keys.ts'
import { isObject, type RequestId } from './jsonrpc.ts'

/**
 * `listening`: requested. `granted`: the server acknowledged it. `waiting`: interrupted, will be requested again.
 * `ended`: the server ended it with a result. `refused`: the response was an error. `closed`: by us.
 */
export type SubscriptionState = 'listening' | 'granted' | 'waiting' | 'ended' | 'refused' | 'closed'

/** All subscriptions of a session; an incoming notification is matched by its ID (SUB-06). */
export class Subscriptions {
  readonly #host: Omit<SubscriptionHost, 'left'>
  readonly #open = new Set<Subscription>()

  constructor(host: Omit<SubscriptionHost, 'left'>) {
    this.#host = host
  }

  get all(): readonly Subscription[] {
    return [...this.#open]
  }

  begin(filter: JsonObject): Subscription {
    const left = () => void this.#open.delete(subscription)
    const subscription = new Subscription({ ...this.#host, left }, filter)
    this.#open.add(subscription)
    return subscription
  }

  /**
   * SUB-08: a server may end it with `notifications/cancelled` instead of a result. Returns true if the ID was that of
   * a subscription.
   */
  endedByServer(id: RequestId): boolean {
    const subscription = this.all.find((one) => one.id === id)
    subscription?.endedByServer()
    return subscription !== undefined
  }

  /** `notifications/subscriptions/acknowledged` */
  acknowledged(params: JsonObject): void {
    const id = isObject(params._meta) ? params._meta[META.subscription] : undefined
    const subscription = this.all.find((one) => one.id === id)
    subscription?.acknowledged(isObject(params.notifications) ? params.notifications : {})
  }
}

/** What a session provides to a subscription. */
export interface SubscriptionHost {
  readonly begin: (params: JsonObject) => PendingCall
  readonly dispatch: (pending: PendingCall) => Promise<void>
  readonly cancel: (pending: PendingCall, reason: string) => void
  /** It is active again after an interruption. */
  readonly again: (request: Seq, why: string) => void
  readonly over: AbortSignal
  /** We closed it. */
  readonly left: () => void
}

const FIRST_DELAY = 500
const LONGEST_DELAY = 30_000
/** ms after which a broken stream counts as a success, so the delays start from the shortest again. */
const STOOD = 10_000

export class Subscription {
  readonly filter: JsonObject
  readonly #host: SubscriptionHost
  #state: SubscriptionState = 'listening'
  #pending: PendingCall
  #granted: JsonObject | undefined
  #failures = 0
  #cut: string | undefined

  /** @param filter `params.notifications` (SUB-01) */
  constructor(host: SubscriptionHost, filter: JsonObject) {
    this.#host = host
    this.filter = filter
    this.#pending = this.#ask()
    void this.#follow()
  }

  get state(): SubscriptionState {
    return this.#state
  }

  /** The ID that its notifications name (SUB-05); changes with each reconnect. */
  get id(): RequestId {
    return this.#pending.id
  }

  /** The frame of the current request. */
  get seq(): Seq | undefined {
    return this.#pending.seq
  }

  /** The part of the filter that the server acknowledged (SUB-03). */
  get granted(): JsonObject | undefined {
    return this.#granted
  }

  /** SUB-07: ends it, by closing its stream or with a notification, depending on the transport. */
  close(): void {
    if (this.#isOver) return
    this.#state = 'closed'
    this.#host.left()
    this.#host.cancel(this.#pending, 'no longer listening')
  }

  endedByServer(): void {
    if (!this.#isOver) this.#state = 'ended'
  }

  /** `notifications/subscriptions/acknowledged` (SUB-02). */
  acknowledged(granted: JsonObject): void {
    if (this.#isOver) return
    this.#state = 'granted'
    this.#granted = granted
    if (this.#cut !== undefined && this.seq !== undefined) this.#host.again(this.seq, this.#cut)
    this.#cut = undefined
  }

  #ask(): PendingCall {
    const pending = this.#host.begin({ notifications: this.filter })
    void this.#host.dispatch(pending)
    return pending
  }

  async #follow(): Promise<void> {
    for (;;) {
      const begun = Date.now()
      try {
        await this.#pending.result
        // SUB-08: a result is the server's graceful end, so don't request it again.
        this.endedByServer()
        return
      } catch (error) {
        if (this.#isOver || this.#host.over.aborted) return
        if (error instanceof ProtocolError || error instanceof UsageError || !isCut(error)) {
          this.#state = 'refused'
          return
        }
        // SUB-09: nothing is replayed; changes in between must be loaded separately.
        this.#state = 'waiting'
        this.#cut = error.message
        this.#failures = Date.now() - begun > STOOD ? 0 : this.#failures + 1
      }
      const delay = Math.min(FIRST_DELAY * 2 ** this.#failures, LONGEST_DELAY)
      await wait(delay * (0.75 + Math.random() * 0.5), this.#host.over)
      if (this.#isOver || this.#host.over.aborted) return
      this.#state = 'listening'
      this.#pending = this.#ask()
    }
  }

  get #isOver(): boolean {
    return this.#state === 'ended' || this.#state === 'refused' || this.#state === 'closed'
  }
}

/** A broken stream, or an attempt that didn't get through. An HTTP error status is the server's decision instead. */
const isCut = (error: unknown): error is TransportError =>
  error instanceof TransportError && (error.code === 'stream-lost' || error.code === 'unreachable')
