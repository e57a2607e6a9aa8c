/** Orders responses after their requests if times are too coarse, or only estimated. */
import { idKey, isRequestId, pacer, messagesIn } from '../../mcp/index.ts'
import type { FrameDraft } from '../../mcp/index.ts'

/**
 * @param order indexes of drafts, sorted by time
 * @returns the same indexes: a response before the only request it can belong to is moved right after it
 */
export const answersLast = async (order: readonly number[], drafts: readonly FrameDraft[]): Promise<number[]> => {
  const pause = pacer()
  /** The numbers of requests still to come, and of those awaiting a response. */
  const ahead = new Map<string, number>()
  const open = new Map<string, number>()
  for (const place of order) for (const { key, asks } of idsOf(drafts[place]!)) if (asks) count(ahead, key, 1)
  const held = new Map<string, number[]>()
  const sorted: number[] = []
  for (const place of order) {
    const ids = idsOf(drafts[place]!)
    // A request is never held back: a response may be waiting for it.
    const asking = ids.some(({ asks }) => asks)
    const early = asking ? undefined : ids.find(({ key }) => !open.get(key) && (ahead.get(key) ?? 0) > 0)
    if (early) {
      const waiting = held.get(early.key)
      if (waiting) waiting.push(place)
      else held.set(early.key, [place])
      count(ahead, early.key, -1)
      continue
    }
    sorted.push(place)
    for (const { key, asks } of ids) {
      const waiting = asks ? held.get(key)?.shift() : undefined
      if (waiting !== undefined) sorted.push(waiting)
      else if (asks) {
        count(ahead, key, -1)
        count(open, key, 1)
      } else if (open.get(key)) count(open, key, -1)
    }
    const wait = pause()
    if (wait) await wait
  }
  return sorted
}

const count = (counts: Map<string, number>, key: string, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

interface Id {
  readonly key: string
  readonly asks: boolean
}

/** The request and response IDs in a draft; the key names the requesting side. */
const idsOf = (draft: FrameDraft): Id[] => {
  if (draft.kind !== 'message') return []
  const { message, direction, link } = draft
  return messagesIn(message).flatMap(({ id, method }) => {
    if (!isRequestId(id)) return []
    const asks = typeof method === 'string'
    return [{ key: `${link} ${(direction === 'sent') === asks ? 'client' : 'server'} ${idKey(id)}`, asks }]
  })
}
