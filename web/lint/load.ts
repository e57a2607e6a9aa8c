/**
 * Runs all rules over a trace, starting when a connection settles: the rules, the shapes and the list of requirements
 * are larger than the first screen, and nothing can be judged earlier.
 */
import type { Frame, Trace } from '../mcp/index.ts'
import type { LoadFeatureRules } from './feature-rules.ts'
import type { Following } from './follow.ts'
import type { Findings } from './run.ts'

/** A session opened, connecting failed, or a sign-in step ended: only now is there something to judge. */
const settles = (frame: Frame): boolean =>
  (frame.kind === 'session' && (frame.phase === 'open' || frame.phase === 'failed')) ||
  (frame.kind === 'auth' && frame.event === 'done')

/**
 * @param features loads the checks of the features
 * @returns the findings, once there can be any; rejects if the rules can't be loaded, or on `signal`
 */
export const lint = async (
  trace: Trace,
  features: LoadFeatureRules,
  signal?: AbortSignal,
): Promise<Following<Findings>> => {
  await settled(trace, signal)
  const [{ Following }, { findings, deferredChecks }, { levelsOf }, { loadRequirements }, { shapes }, rules] =
    await Promise.all([
      import('./follow.ts'),
      import('./run.ts'),
      import('./levels.ts'),
      import('./requirements.ts'),
      import('./shapes.ts'),
      features(),
    ])
  const levels = levelsOf(await loadRequirements())
  signal?.throwIfAborted()
  return new Following(trace, findings({ levels, shapes, features: rules }), deferredChecks)
}

const settled = (trace: Trace, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    for (const frame of trace) if (settles(frame)) return resolve()
    const stop = trace.subscribe((frame) => {
      if (!settles(frame)) return
      stop()
      resolve()
    })
    signal?.addEventListener('abort', () => {
      stop()
      reject(signal.reason as Error)
    })
  })
