/** Batches: arrays of messages, which only one protocol version has (2025-03-26). */
import { group } from '../rule.ts'

// BP-22 and BP-23 restrict what a client may POST. A server may mix messages on a stream, so neither applies here.
export const batches = group(['BP-24', 'BP-25'], (view) => ({
  whole(frame, _, say) {
    if (frame.type !== 'batch' || !Array.isArray(frame.message) || view.revision === undefined) return
    const { length } = frame.message
    say('BP-25', `An array of ${length} messages; ${view.revision} doesn't support batches, only 2025-03-26 does`)
  },
  completed(_, carrier, say) {
    if (carrier.asked.length < 2 || carrier.withIds) return
    const missing = carrier.asked.filter(({ state }) => state === 'pending')
    // A server may accept the requests with 202 and respond on the GET stream.
    if (missing.length === 0 || carrier.response?.status !== 200) return
    const done = carrier.asked.length - missing.length
    say('BP-24', `The response to the batch ended after ${done} of ${carrier.asked.length} responses`, {
      related: missing[0]!.seq,
    })
  },
}))
