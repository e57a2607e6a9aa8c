/** Batches: arrays of messages, which one revision has (2025-03-26). */
import { isObject, type Json } from '../../mcp/index.ts'
import { group } from '../rule.ts'

export const batches = group(['BP-22', 'BP-23', 'BP-24', 'BP-25'], (view) => ({
  whole(frame, carrier, say) {
    if (frame.type !== 'batch' || !Array.isArray(frame.message)) return
    const parts = (frame.message as readonly Json[]).filter(isObject)
    const { revision } = view
    if (revision !== undefined) {
      say('BP-25', `An array of ${frame.message.length} messages; ${revision} has no batches, only 2025-03-26 has`)
    }
    const initialize = carrier
      ? carrier.asked.find(({ method }) => method === 'initialize')
      : parts.map(({ id }) => view.sent.byId(id)).find((asked) => asked?.method === 'initialize')
    if (initialize?.state === 'pending') {
      say('BP-22', 'The answer to initialize came inside a batch', { related: initialize.seq })
    }
    const calls = parts.filter((part) => 'method' in part).length
    if (calls > 0 && calls < parts.length) {
      say('BP-23', `The batch mixes requests or notifications (${calls}) with answers (${parts.length - calls})`)
    }
  },
  http(frame, carrier, say) {
    if (frame.phase !== 'end' || carrier.asked.length < 2 || carrier.withIds) return
    const missing = carrier.asked.filter(({ state }) => state === 'pending')
    // Servers may take the requests with 202 and answer on the GET stream.
    if (missing.length === 0 || carrier.response?.status !== 200) return
    const done = carrier.asked.length - missing.length
    say('BP-24', `The answer to the batch ended with ${done} of ${carrier.asked.length} requests answered`, {
      related: missing[0]!.seq,
    })
  },
}))
