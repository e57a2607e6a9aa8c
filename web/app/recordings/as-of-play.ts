/** Plays a recording in real time, or faster. */
import type { Frame, Seq } from '../../mcp/index.ts'

export const SPEEDS = [1, 4, 16, 64] as const
export type Speed = (typeof SPEEDS)[number]

/** ms. Frames closer together than LEAST are shown at once; the next frame is shown after MOST at the latest. */
const LEAST = 40
const MOST = 2_000

/** The next frame to show, and the ms until then. Pauses in the recording are shortened. */
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
