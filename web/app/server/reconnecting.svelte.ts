/** Reconnects after a lost connection: with growing pauses, a limit, and visible state. */
import { mayPass, pauseBefore, policyFor } from './back-off.ts'
import type { Lost } from './connection.ts'
import type { TargetKind } from '../connect/index.ts'

export interface Retry {
  /** From 1. */
  readonly attempt: number
  readonly most: number
  /** Start of the attempt, as ms of `performance.now()`. */
  readonly due: number
  readonly running: boolean
  /** Why the connection was lost. */
  readonly why: string
}

export class Reconnecting {
  readonly #attempt: () => Promise<Lost | undefined>
  #retry = $state.raw<Retry>()
  #gaveUp = $state.raw<number>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #tried = 0
  #openedAt = 0

  /** @param attempt connects once; resolves with the reason if it failed, otherwise with nothing */
  constructor(attempt: () => Promise<Lost | undefined>) {
    this.#attempt = attempt
  }

  /** The attempt in progress. */
  get current(): Retry | undefined {
    return this.#retry
  }

  /** Number of attempts after which it gave up. */
  get gaveUp(): number | undefined {
    return this.#gaveUp
  }

  opened(): void {
    this.#openedAt = performance.now()
  }

  /** The user took over. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#retry = undefined
    this.#gaveUp = undefined
    this.#tried = 0
  }

  /** An open connection was lost unexpectedly. */
  lost(lost: Lost, kind: TargetKind): void {
    const policy = policyFor(kind)
    if (performance.now() - this.#openedAt > policy.stood) this.#tried = 0
    this.#next(lost, kind)
  }

  /** Starts the waiting attempt immediately. */
  now(kind: TargetKind): void {
    const retry = this.#retry
    if (!retry || retry.running) return
    clearTimeout(this.#timer)
    void this.#run(retry, kind)
  }

  #next(lost: Lost, kind: TargetKind, why = lost.why): void {
    clearTimeout(this.#timer)
    const policy = policyFor(kind)
    const pause = mayPass(lost, kind) ? pauseBefore(policy, this.#tried, Math.random()) : undefined
    if (pause === undefined) {
      this.#gaveUp = this.#tried > 0 ? this.#tried : undefined
      this.#tried = 0
      this.#retry = undefined
      return
    }
    this.#gaveUp = undefined
    const retry: Retry = {
      attempt: this.#tried + 1,
      most: policy.most,
      due: performance.now() + pause,
      running: false,
      why,
    }
    this.#retry = retry
    this.#timer = setTimeout(() => void this.#run(retry, kind), pause)
  }

  async #run(waiting: Retry, kind: TargetKind): Promise<void> {
    const retry = { ...waiting, running: true }
    this.#retry = retry
    this.#tried++
    const failure = await this.#attempt()
    // Stopped meanwhile, or immediately lost again.
    if (this.#retry !== retry) return
    if (failure) this.#next(failure, kind, retry.why)
    else this.#retry = undefined
  }
}
