/** Where a recording opens if the URL doesn't say: at the part it was made to show. */
import { placeOfCall } from '../../features/calls/index.ts'
import type { Exchange, Exchanges, Link, Seq } from '../../mcp/index.ts'
import type { SessionHead } from '../../session-file/index.ts'

export interface FirstPlace {
  readonly link: Link
  readonly feature: string
  readonly place: string
  /** The frame to select in the trace: set if a single exchange was shared. */
  readonly frame?: Seq
}

/**
 * A shared exchange opens at its call, shared requests open in Checks, and a session opens at the
 * first call with a response.
 * @returns `undefined` for a session without calls: its server's Overview is the best start then
 */
export const firstPlace = ({ part }: Pick<SessionHead, 'part'>, { all }: Exchanges): FirstPlace | undefined => {
  const sent = all.filter(({ direction }) => direction === 'sent')
  const calls = sent.filter((exchange) => placeOfCall(exchange))
  if (part === 'exchange') {
    const shared = calls[0] ?? sent[0] ?? all[0]
    return shared && { ...placed(shared), frame: shared.response ?? shared.request }
  }
  const first = calls.find(({ response }) => response !== undefined) ?? calls[0]
  if (part === 'steps') return first && { link: first.link, feature: 'checks', place: '' }
  return first && placed(first)
}

const placed = (exchange: Exchange): FirstPlace => ({
  link: exchange.link,
  ...(placeOfCall(exchange) ?? { feature: 'overview', place: '' }),
})
