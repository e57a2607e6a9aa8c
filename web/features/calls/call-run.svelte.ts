/** A call that the user starts from a panel, while it is pending. Its result is in the Trace. */
import { isNotAllowed, messageOf } from '../../mcp/index.ts'
import type { Call, Seq } from '../../mcp/index.ts'

/** Calls of one item on one connection, such as a tool. */
export class CallRun {
  /** Why the request wasn't sent. */
  problem = $state<string>()
  /** What the user decided instead of sending it: declined, or cancelled before that. */
  heldBack = $state<string>()
  /** The pending call, which can be cancelled or extended. */
  call = $state.raw<Call>()
  /** ms since the trace began. */
  extendedAt = $state(0)
  /** A call picked from the history; absent: the latest. */
  chosen = $state<Seq>()

  /**
   * @param send starts the call; may throw
   * @returns `undefined` if nothing was sent; `problem` says why
   */
  protected begin(send: () => Call): Call | undefined {
    this.problem = undefined
    this.heldBack = undefined
    this.chosen = undefined
    this.extendedAt = 0
    let call: Call
    try {
      call = send()
    } catch (error) {
      this.problem = messageOf(error)
      return undefined
    }
    this.call = call
    call.result
      .catch((error: unknown) => {
        // The user's own decision isn't shown as a problem.
        if (isNotAllowed(error) && error.details.why !== 'switched-off') return void (this.heldBack = error.message)
        // A call that was sent shows its error in the Trace. One that couldn't be sent shows it here.
        if (call.seq === undefined) this.problem = messageOf(error)
      })
      .finally(() => {
        if (this.call === call) this.call = undefined
      })
    return call
  }

  extend(ms: number, now: number): void {
    this.call?.extend(ms)
    this.extendedAt = now
  }
}
