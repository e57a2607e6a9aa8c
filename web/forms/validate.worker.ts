/** The validation worker: `page-validator.ts` terminates it if a check takes too long. Runs only as a worker. */
import { respond } from './validate.ts'
import type { ValidationRequest, ValidationResult } from './timed-validation.ts'

/** `ready` is sent once, before all requests; `matching` before each pattern is matched. */
export type WorkerMessage = 'ready' | { readonly matching: string } | { readonly result: ValidationResult }

const post = (message: WorkerMessage): void => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<ValidationRequest>) => {
  post({ result: respond(data, (matching) => post({ matching })) })
})
post('ready')
