/**
 * Which frames of a connection were changed by faults that the user injected: no rule is applied to them, because the
 * server sent something else. Errs on the side of the server: after a fault, the rest of its HTTP exchange counts as
 * disturbed.
 */
import { httpRequestOf } from '../mcp/index.ts'
import type { Frame, FrameOf, Seq } from '../mcp/index.ts'

/** HTTP exchanges remembered; older ones have ended. */
const MOST_REQUESTS = 10_000

export class Disturbed {
  readonly #requests = new Set<Seq>()
  /** Received messages that are disturbed next, on a connection without HTTP. */
  #next = 0
  /** Something was disturbed: what the client waits for in vain may be among it. */
  #isAny = false
  /** A header is gone that the whole connection depends on. */
  #isAll = false
  /** A sign-in may begin with a refusal that the server didn't send, or not like that. Until the sign-in ends. */
  #isChallenged = false

  /** @returns whether the frame is disturbed */
  meet(frame: Frame): boolean {
    if (frame.kind === 'fault') {
      if (frame.event === 'injected') this.#meetFault(frame)
      return true
    }
    if (frame.kind === 'session' && frame.phase === 'renewing') this.#isAll = false
    if (this.#isAll) return true
    if (frame.kind === 'auth') {
      // What a challenge lacks leads to all further steps.
      const isSpared = this.#isChallenged
      if (frame.event === 'end') this.#isChallenged = false
      return isSpared
    }
    if (this.#isChallenged && frame.kind === 'http' && frame.phase === 'request' && frame.step !== undefined)
      this.#spare(frame.seq)
    if (frame.kind === 'session') return frame.phase === 'gave-up' && this.#isAny
    const request = httpRequestOf(frame)
    if (request !== undefined) return this.#requests.has(request)
    if (this.#next === 0 || !isArrival(frame)) return false
    this.#next--
    return true
  }

  #meetFault({ fault, request, status, removed = [], of }: FrameOf<'fault'> & { readonly event: 'injected' }): void {
    this.#isAny = true
    if (fault === 'missing-headers' && of === 'response') {
      const names = new Set(removed.map(([name]) => name.toLowerCase()))
      this.#isAll ||= names.has('mcp-session-id')
      this.#isChallenged ||= names.has('www-authenticate')
    }
    if (fault === 'status') this.#isChallenged ||= status === 401
    if (request === undefined) {
      if (fault !== 'cut') this.#next = Math.max(this.#next, fault === 'reorder' ? 2 : 1)
      return
    }
    this.#spare(request)
  }

  #spare(request: Seq): void {
    this.#requests.add(request)
    if (this.#requests.size > MOST_REQUESTS) this.#requests.delete(this.#requests.values().next().value!)
  }
}

/** A corrupted line of stdout may not look like a message any more. */
const isArrival = (frame: Frame): boolean =>
  (frame.kind === 'message' && frame.direction === 'received') ||
  (frame.kind === 'process' && frame.event === 'stdout-noise')
