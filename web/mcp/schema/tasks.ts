/**
 * Both versions of tasks: the experimental one of 2025-11-25, and the later extension `io.modelcontextprotocol/tasks`
 * (SEP-2663). Shared parts are defined once; renamed fields have ranges of versions (TEXT-14).
 */
import { inputRequests } from './questions.ts'
import { any, bag, by, from, integer, literal, nullable, number, object, optional, string } from './shape.ts'
import { until, variants } from './shape.ts'

export const TASKS = 'io.modelcontextprotocol/tasks'

const shared = {
  taskId: string(),
  statusMessage: optional(string()),
  createdAt: string(),
  lastUpdatedAt: string(),
  /** Milliseconds; `null` means unlimited. */
  ttl: until('2025-11-25', nullable(integer())),
  pollInterval: until('2025-11-25', optional(integer())),
  ttlMs: from('2026-07-28', nullable(number())),
  pollIntervalMs: from('2026-07-28', optional(number())),
}

export const taskFields = {
  ...shared,
  status: literal('working', 'input_required', 'completed', 'failed', 'cancelled'),
}
/** TASK-09, TEXT-14. */
export const task = by('TASK-09 2026-07-28 TEXT-14', object(taskFields))

/** TEXT-07, TEXT-10: the content of `tasks/get` and `notifications/tasks`, by status. `extra` are additional fields. */
export const taskInFull = <const F extends Parameters<typeof object>[0]>(extra: F) =>
  by(
    'TEXT-10',
    variants('status', {
      working: object({ ...shared, ...extra, status: literal('working') }),
      input_required: object({
        ...shared,
        ...extra,
        status: literal('input_required'),
        inputRequests: by('TEXT-07', inputRequests),
      }),
      completed: object({ ...shared, ...extra, status: literal('completed'), result: bag() }),
      failed: object({
        ...shared,
        ...extra,
        status: literal('failed'),
        error: object({ code: integer(), message: string(), data: optional(any()) }),
      }),
      cancelled: object({ ...shared, ...extra, status: literal('cancelled') }),
    }),
  )
