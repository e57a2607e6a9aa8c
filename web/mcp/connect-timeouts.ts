/** The current step of a connection and its timer: if connecting hangs, the error names the step. */
import { stepError } from './call.ts'
import type { TransportError } from './errors.ts'
import type { Phase } from './frame.ts'
import type { Tap } from './transports/tap.ts'

export class ConnectTimeouts {
  readonly #tap: Tap
  readonly #expired: (error: TransportError) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The step with its own limit. */
  #current: { readonly step: Phase; readonly limit: number } | undefined
  /** During a probe, the transport's steps are part of the probe and have no limits of their own. */
  #probing = false

  constructor(tap: Tap, expired: (error: TransportError) => void) {
    this.#tap = tap
    this.#expired = expired
  }

  enter(step: Phase, limit: number): void {
    if (this.#probing && step !== 'starting-process') return
    this.end()
    if (step === 'probing') this.#probing = true
    // A probe ends at its own limit, which isn't a failure.
    else this.#run(step, limit)
    this.#tap.append({ kind: 'session', phase: 'opening', step, limit })
  }

  /**
   * Pauses while the user is asked, for a sign-in for example: that time isn't the server's. The step then gets its
   * full limit again.
   */
  hold(held: boolean): void {
    clearTimeout(this.#timer)
    if (!held && this.#current) this.#run(this.#current.step, this.#current.limit)
  }

  #run(step: Phase, limit: number): void {
    this.#current = { step, limit }
    this.#timer = setTimeout(() => this.#expired(stepError(step, limit)), limit)
  }

  /** The probe has ended, or the handshake continues without it. */
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
