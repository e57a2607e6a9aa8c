/** Holds a large value against a schema beside the page, and ends what takes too long. */
import type { CheckInWorker, Verdict } from './verdict.ts'
import type { VerdictReply } from './verdict.worker.ts'

/** ms that a worker may take. */
const PATIENCE = 10_000

export const checkInWorker: CheckInWorker = (schema, text) => {
  const worker = new Worker(new URL('./verdict.worker.ts', import.meta.url), { type: 'module' })
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(timer)
    worker.terminate()
  }
  const verdict = new Promise<Verdict>((resolve) => {
    const settle = (verdict: Verdict) => {
      end()
      resolve(verdict)
    }
    timer = setTimeout(() => settle({ state: 'gave-up', why: 'slow' }), PATIENCE)
    worker.addEventListener('message', ({ data }: MessageEvent<VerdictReply>) => settle({ state: 'judged', ...data }))
    worker.addEventListener('error', () => settle({ state: 'gave-up', why: 'slow' }))
  })
  worker.postMessage({ schema, text })
  return { verdict, end }
}
