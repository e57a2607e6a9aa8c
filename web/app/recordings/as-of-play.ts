/** Plays a recording as time went, or faster. */
import type { Frame, Seq } from '../../mcp/index.ts'

export const SPEEDS = [1, 4, 16, 64] as const
export type Speed = (typeof SPEEDS)[number]

/** ms: frames that came closer together are shown at once; nobody waits longer than this for the next. */
const LEAST = 40
const MOST = 2_000

/** The frame to show next, and in how many ms. Pauses of the recording are cut short. */
export const nextMoment = (
  frames: readonly Frame[],
  at: Seq,
  speed: Speed,
): { readonly seq: Seq; readonly wait: number } => {
  const now = frames[at]?.at ?? 0
  let seq = Math.min(at + 1, frames.length - 1)
  while (seq < frames.length - 1 && (frames[seq + 1]!.at - now) / speed < LEAST) seq++
  const wait = ((frames[seq]?.at ?? now) - now) / speed
  return { seq, wait: Math.min(MOST, Math.max(LEAST, wait)) }
}
