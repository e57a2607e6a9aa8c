/** The page's validator, in a worker. It starts with the first check, and restarts after a check was terminated. */
import type { WorkerMessage } from './validate.worker.ts'
import {
  TimedValidator,
  type Ended,
  type RunValidation,
  type ValidationRequest,
  type ValidationResult,
} from './timed-validation.ts'

/** ms within which the worker must load. */
const START_LIMIT = 10_000
/** ms that a busy page gets to process messages that have already arrived. */
const GRACE = 50

interface Job {
  readonly request: ValidationRequest
  readonly limit: number
  readonly settle: (result: ValidationResult | Ended) => void
}

/** Runs requests one after the other, so that it is clear which one takes too long. */
class ValidationWorker {
  #worker: Worker | undefined
  #ready = false
  #jobs: Job[] = []
  #matching: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  readonly run: RunValidation = (request, limit, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve({ kind: 'ended', pattern: undefined })
      const job: Job = { request, limit, settle: resolve }
      this.#jobs.push(job)
      signal?.addEventListener('abort', () => this.#abort(job), { once: true })
      if (this.#jobs.length === 1) this.#next()
    })

  /** Terminates the worker. The running request gets no result; queued requests run in the next worker. */
  end(): void {
    clearTimeout(this.#timer)
    this.#worker?.terminate()
    this.#worker = undefined
    this.#ready = false
    const pattern = this.#matching
    this.#matching = undefined
    this.#settle({ kind: 'ended', pattern })
  }

  #abort(job: Job): void {
    if (this.#jobs[0] === job) return this.end()
    if (!this.#jobs.includes(job)) return
    this.#jobs = this.#jobs.filter((each) => each !== job)
    job.settle({ kind: 'ended', pattern: undefined })
  }

  #settle(result: ValidationResult | Ended): void {
    this.#jobs.shift()?.settle(result)
    this.#next()
  }

  #next(): void {
    clearTimeout(this.#timer)
    const [job] = this.#jobs
    if (!job) return
    this.#worker ??= this.#start()
    if (this.#ready) this.#worker.postMessage(job.request)
    const limit = this.#ready ? job.limit : START_LIMIT
    this.#timer = setTimeout(() => (this.#timer = setTimeout(() => this.end(), GRACE)), limit)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./validate.worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
      if (worker !== this.#worker) return
      if (data === 'ready') {
        this.#ready = true
        this.#next()
      } else if ('matching' in data) this.#matching = data.matching
      else {
        this.#matching = undefined
        this.#settle(data.result)
      }
    })
    worker.addEventListener('error', () => {
      if (worker === this.#worker) this.end()
    })
    return worker
  }
}

const shared = new ValidationWorker()

/** Validating text may take long, so it gets its own worker and delays no form. */
const run: RunValidation = async (request, limit, signal) => {
  if (request.kind !== 'text') return shared.run(request, limit, signal)
  const own = new ValidationWorker()
  const result = await own.run(request, limit, signal)
  own.end()
  return result
}

// A normal check takes one or two ms.
export const pageValidator = new TimedValidator(run, { scale: 1, limit: 1000, largest: 1_000_000 })
