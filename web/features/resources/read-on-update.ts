/**
 * Reads a resource again when the server reports an update, if the user turned that on: one read at a time, at most one
 * per second, and a single read for all updates in between (CACHE-04).
 */
import { messagesIn } from '../../mcp/index.ts'
import type { Frame, Link, Projection, Trace } from '../../mcp/index.ts'
import { updateOf, type Updates } from './updates-fold.ts'

/** ms between the starts of two reads. */
export const APART = 1000

export interface ReadOnUpdateOptions {
  readonly trace: Trace
  readonly link: Link
  readonly updates: Pick<Projection<Updates>, 'current'>
  readonly uri: string
  /** Settles when the read has ended; `undefined`: reading isn't possible now. */
  readonly read: () => Promise<unknown> | undefined
  /** Replaces `setTimeout` in tests. */
  readonly wait?: (act: () => void, ms: number) => unknown
}

/** @returns a function that stops it */
export const rereadOnUpdate = ({
  trace,
  link,
  updates,
  uri,
  read,
  wait = setTimeout,
}: ReadOnUpdateOptions): (() => void) => {
  let last = -Infinity
  let busy = false
  let wanted = false
  let over = false

  const go = (): void => {
    if (over) return
    wanted = false
    last = trace.elapsed
    const reading = read()
    if (!reading) {
      busy = false
      return
    }
    const done = () => {
      busy = false
      if (wanted) soon()
    }
    reading.then(done, done)
  }
  const soon = (): void => {
    busy = true
    wait(go, Math.max(0, last + APART - trace.elapsed))
  }
  const stop = trace.subscribe((frame) => {
    if (frame.link !== link || !tells(frame)) return
    if (updateOf(updates.current.get(link), uri)?.seq !== frame.seq) return
    wanted = true
    if (!busy) soon()
  })
  return () => {
    over = true
    stop()
  }
}

const tells = (frame: Frame): boolean => {
  if (frame.kind !== 'message' || frame.direction !== 'received') return false
  return messagesIn(frame.message).some((part) => part.method === 'notifications/resources/updated')
}
