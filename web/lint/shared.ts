/**
 * Runs all rules over a trace, starting when a connection settles: the rules, the shapes and the list of requirements
 * are larger than the first screen, and nothing can be judged earlier. All readers of a trace share one run.
 */
import { type Fold, type Frame, nextTask, pacer, type Seq, Signal, type Trace } from '../mcp/index.ts'
import type { LoadFeatureRules } from './rule.ts'
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
  const [{ findings, deferredChecks }, { levelsOf, loadRequirements }, { shapes }, rules] = await Promise.all([
    import('./run.ts'),
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

/**
 * Keeps a fold up to date in separate time slices: rules are loaded late, when the trace may already be long, and a
 * burst of frames must not slow the caller of `Trace.append`.
 */
export class Following<State> {
  readonly #trace: Trace
  readonly #fold: Fold<State>
  readonly #state: State
  readonly #after: ((state: State) => Promise<void> | undefined) | undefined
  readonly #changes = new Signal()
  /** Notifies listeners after each slice. */
  readonly subscribe = this.#changes.subscribe
  readonly #unsubscribe: () => void
  #reached: Seq = 0
  #running: Promise<void> | undefined
  #closed = false

  /** @param after work that a step leaves to do; the next frame waits for it */
  constructor(trace: Trace, fold: Fold<State>, after?: (state: State) => Promise<void> | undefined) {
    this.#trace = trace
    this.#after = after
    this.#fold = fold
    this.#state = fold.initial()
    this.#unsubscribe = trace.subscribe(() => this.#wake())
    this.#wake()
  }

  get current(): State {
    return this.#state
  }

  /** All frames before this one have been processed. */
  get reached(): Seq {
    return this.#reached
  }

  /** Resolves when the end of the trace has been reached. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running
  }

  close(): void {
    this.#closed = true
    this.#unsubscribe()
    this.#changes.clear()
  }

  #wake(): void {
    this.#running ??= this.#walk().finally(() => {
      this.#running = undefined
      if (!this.#closed && this.#reached < this.#trace.length) this.#wake()
    })
  }

  async #walk(): Promise<void> {
    await nextTask()
    const pace = pacer()
    while (!this.#closed && this.#reached < this.#trace.length) {
      try {
        this.#fold.step(this.#state, this.#trace.at(this.#reached) as Frame)
        const rest = this.#after?.(this.#state)
        if (rest) await rest
      } finally {
        this.#reached++
      }
      const pause = pace()
      if (!pause) continue
      this.#changes.emit()
      await pause
    }
    this.#changes.emit()
  }
}
