/** Cancellations: those of the server, and what it does after one of the client. */
import { isRequestId } from '../../mcp/index.ts'
import { group, show } from '../rule.ts'

/** ms in which a response and a cancellation may cross (UT-CANC-04). */
const CROSSING = 1_000

export const cancellation = group(['UT-CANC-01', 'UT-CANC-02', 'UT-CANC-03', 'UT-CANC-06'], (view) => ({
  message({ method, kind, params, at, answer, asked: answered, frame }, say) {
    const cancelled = answer === 'late' ? answered?.cancelledAt : undefined
    if (cancelled !== undefined && frame.at - cancelled > CROSSING) {
      const late = ((frame.at - cancelled) / 1000).toFixed(1)
      say('UT-CANC-03', `A response ${late} s after the request was cancelled`, { related: answered!.seq })
    }
    if (method !== 'notifications/cancelled' || kind !== 'notification') return
    const id = params.requestId
    if (!isRequestId(id)) return
    const pointer = `${at}/params/requestId`
    if (view.isModern) {
      const asked = view.sent.byId(id)
      if (asked?.method === 'subscriptions/listen' || (!asked && view.sent.forgot)) return
      const what = asked
        ? `${show(asked.method)}; only subscriptions can be ended this way`
        : 'a request that was not sent'
      return say('UT-CANC-02', `The server cancels ${what}`, { pointer, related: asked?.seq })
    }
    const theirs = view.received.byId(id)
    if (theirs?.augmented) {
      const what = `The server cancels ${show(theirs.method)}, which it sent as a task; expected tasks/cancel`
      say('UT-CANC-06', what, { pointer, related: theirs.seq })
    }
    // If it was answered meanwhile, this is a race and not a violation (UT-CANC-04).
    if (theirs || view.received.forgot) return
    const ours = view.sent.byId(id)
    const what = ours ? `the client's own request ${show(ours.method)}` : `${show(id)}, which it never sent`
    say('UT-CANC-01', `The server cancels ${what}`, { pointer, related: ours?.seq })
  },
}))
