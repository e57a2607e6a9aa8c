/** A call that the user starts from a panel, while it is pending. Its result is in the Trace. */
import { messageOf } from '../../mcp/index.ts'
import type { Call, Seq } from '../../mcp/index.ts'

/** Calls of one thing of one connection, such as a tool. */
export class CallRun {
  /** Our own reason why nothing was sent. */
  problem = $state<string>()
  /** The call that can be cancelled and extended. */
  call = $state.raw<Call>()
  /** ms since the trace began. */
  extendedAt = $state(0)
  /** A call from the list of earlier ones; absent: the latest. */
  chosen = $state<Seq>()

  /**
   * @param send makes the call; may throw
   * @returns `undefined` where nothing was sent, for the reason in `problem`
   */
  protected begin(send: () => Call): Call | undefined {
    this.problem = undefined
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
        // What was sent ends in the Trace; what could not even be sent is told here.
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
