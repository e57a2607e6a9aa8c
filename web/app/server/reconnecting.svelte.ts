/** Reconnects after a lost connection: with growing pauses, up to a limit, and visibly. */
import { mayPass, pauseBefore, policyFor, type Lost } from './back-off.ts'
import type { TargetKind } from '../connect/index.ts'

export interface Retry {
  /** From 1. */
  readonly attempt: number
  readonly most: number
  /** ms of `performance.now()` when the attempt begins. */
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

  /** @param attempt connects once; resolves with why it failed, or with nothing */
  constructor(attempt: () => Promise<Lost | undefined>) {
    this.#attempt = attempt
  }

  /** The attempt in progress. */
  get current(): Retry | undefined {
    return this.#retry
  }

  /** Attempts after which it was given up. */
  get gaveUp(): number | undefined {
    return this.#gaveUp
  }

  opened(): void {
    this.#openedAt = performance.now()
  }

  /** The user took it into his own hands. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#retry = undefined
    this.#gaveUp = undefined
    this.#tried = 0
  }

  /** An open connection ended without our doing. */
  lost(lost: Lost, kind: TargetKind): void {
    const policy = policyFor(kind)
    if (performance.now() - this.#openedAt > policy.stood) this.#tried = 0
    this.#next(lost, kind)
  }

  /** Begins the attempt that waits. */
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
    // Stopped meanwhile, or lost again at once.
    if (this.#retry !== retry) return
    if (failure) this.#next(failure, kind, retry.why)
    else this.#retry = undefined
  }
}
