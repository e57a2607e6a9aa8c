/** Cancellations from the server: of its own requests, and since 2026-07-28 only of subscriptions. */
import { isRequestId } from '../../mcp/index.ts'
import { group, show } from '../rule.ts'

export const cancellation = group(['UT-CANC-01', 'UT-CANC-02'], (view) => ({
  message({ method, kind, params, at }, say) {
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
    // If it was answered meanwhile, this is a race and not a violation (UT-CANC-04).
    if (view.received.byId(id) || view.received.forgot) return
    const ours = view.sent.byId(id)
    const what = ours ? `the client's own request ${show(ours.method)}` : `${show(id)}, which it never sent`
    say('UT-CANC-01', `The server cancels ${what}`, { pointer, related: ours?.seq })
  },
}))
