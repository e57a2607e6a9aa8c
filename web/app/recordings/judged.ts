/** Runs the rules over frames outside this window's trace, such as those about to be shared. */
import { loadLinter } from '../../lint/lazy.ts'
import { loadFeatureRules } from '../../features/lint.ts'
import { pacer, Trace } from '../../mcp/index.ts'
import type { FindingOrAdvice, Frame, Seq } from '../../mcp/index.ts'

/** In slices. Without a negotiated connection, no rules apply. */
export const judged = async (frames: readonly Frame[]): Promise<ReadonlyMap<Seq, readonly FindingOrAdvice[]>> => {
  if (!frames.some(isSettling)) return new Map()
  const trace = new Trace()
  const pause = pacer()
  for (const frame of frames) {
    trace.restore(frame)
    const wait = pause()
    if (wait) await wait
  }
  const { lint } = await loadLinter()
  const found = await lint(trace, loadFeatureRules)
  await found.settled()
  found.close()
  return found.current.bySeq
}

const isSettling = (frame: Frame): boolean =>
  (frame.kind === 'session' && (frame.phase === 'open' || frame.phase === 'failed')) ||
  (frame.kind === 'auth' && frame.event === 'done')
