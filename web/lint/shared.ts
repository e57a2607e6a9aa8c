/** One lint of a trace shared by all readers: running it twice would cost twice. */
import type { Trace } from '../mcp/index.ts'
import type { LoadFeatureRules } from './feature-rules.ts'
import type { Following } from './follow.ts'
import { lint } from './load.ts'
import type { Findings } from './run.ts'

interface Watch {
  readers: number
  readonly leaving: AbortController
  readonly found: Promise<Following<Findings>>
}

/** What a reader may use; the lint ends with its last reader. */
export type SharedFindings = Pick<Following<Findings>, 'current' | 'reached' | 'subscribe'>

const watches = new WeakMap<Trace, Watch>()

/**
 * Like `lint`, but shared.
 * @param features those of the first reader are used for all
 * @param signal ends this reader's use
 */
export const sharedLint = (trace: Trace, signal: AbortSignal, features: LoadFeatureRules): Promise<SharedFindings> => {
  let watch = watches.get(trace)
  if (!watch) {
    const leaving = new AbortController()
    watches.set(trace, (watch = { readers: 0, leaving, found: lint(trace, features, leaving.signal) }))
  }
  const mine = watch
  mine.readers++
  const leave = () => {
    if (--mine.readers > 0) return
    watches.delete(trace)
    mine.leaving.abort(new Error('Nobody reads the findings any more'))
    mine.found.then(
      (found) => found.close(),
      () => {},
    )
  }
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  return mine.found
}
