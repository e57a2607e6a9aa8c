/**
 * The step a connection is in, and the timer that ends it: a connection that hangs says where.
 */
import { stepError } from './call.ts'
import type { TransportError } from './errors.ts'
import type { Phase } from './frame.ts'
import type { Tap } from './transports/tap.ts'

export class ConnectTimeouts {
  readonly #tap: Tap
  readonly #expired: (error: TransportError) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The step that has a limit of its own. */
  #current: { readonly step: Phase; readonly limit: number } | undefined
  /** While a probe runs, the steps of the transport are parts of it and have no limits of their own. */
  #probing = false

  constructor(tap: Tap, expired: (error: TransportError) => void) {
    this.#tap = tap
    this.#expired = expired
  }

  enter(step: Phase, limit: number): void {
    if (this.#probing && step !== 'starting-process') return
    this.end()
    if (step === 'probing') this.#probing = true
    // A probe ends by its own limit, which means something else than a failure.
    else this.#run(step, limit)
    this.#tap.append({ kind: 'session', phase: 'opening', step, limit })
  }

  /** Somebody is asked, for a sign-in perhaps: that time is not the server's. Afterwards the step has its limit anew. */
  hold(held: boolean): void {
    clearTimeout(this.#timer)
    if (!held && this.#current) this.#run(this.#current.step, this.#current.limit)
  }

  #run(step: Phase, limit: number): void {
    this.#current = { step, limit }
    this.#timer = setTimeout(() => this.#expired(stepError(step, limit)), limit)
  }

  /** The probe is over, or the handshake goes on without it. */
  probed(): void {
    this.#probing = false
  }

  end(): void {
    this.#probing = false
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#current = undefined
  }
}
