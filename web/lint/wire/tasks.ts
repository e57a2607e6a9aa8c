/**
 * Tasks: the experimental version of 2025-11-25, and the later extension. Checks messages by the rules of the wire, for
 * any method that may become a task. `web/features/tasks/lint.ts` reports what the Tasks panel notes about the tasks of
 * tool calls; what both find at the same place counts once.
 */
import { isObject, type JsonObject, META, type Seq } from '../../mcp/index.ts'
import { Recent } from '../recent.ts'
import { group, type Say, show } from '../rule.ts'
import { objectAt, type Observed } from '../link.ts'

const TASK_RULES = ['TASK-04', 'TASK-07', 'TASK-09', 'TASK-11', 'TEXT-10', 'TEXT-12'] as const
type TaskRule = (typeof TASK_RULES)[number]

interface Known {
  readonly status: string
  readonly updated: string
  readonly seq: Seq
}

/** TASK-09, TEXT-10: final states. */
export const TERMINAL: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled'])
const STATUSES: ReadonlySet<string> = new Set(['working', 'input_required', ...TERMINAL])

/** Requests that a client may run as a task (TASK-02). */
const MAY_BECOME: ReadonlySet<string> = new Set(['tools/call', 'sampling/createMessage', 'elicitation/create'])

export const tasks = group(TASK_RULES, () => {
  const known = new Recent<string, Known>(1_000)
  /** TASK-09. A status older than the known one arrived late, possibly over another stream, and proves nothing. */
  const followed = (task: JsonObject, pointer: string, { frame }: Observed, say: Say<TaskRule>): void => {
    const { taskId, status } = task
    if (typeof taskId !== 'string' || typeof status !== 'string' || !STATUSES.has(status)) return
    const updated = typeof task.lastUpdatedAt === 'string' ? task.lastUpdatedAt : ''
    const before = known.get(taskId)
    if (before && updated < before.updated) return
    if (before && TERMINAL.has(before.status) && status !== before.status) {
      const what = `A ${before.status} task can't change; found ${show(status)}`
      say('TASK-09', what, { pointer: `${pointer}/status`, related: before.seq })
      return
    }
    known.set(taskId, { status, updated, seq: frame.seq })
  }
  return {
    renewed: () => known.clear(),
    message(heard, say) {
      if (heard.revision === '2026-07-28') return extension(heard, say)
      if (heard.revision !== '2025-11-25') return
      related(heard, say)
      const { kind, method, params, result, at } = heard
      if (method === 'notifications/tasks/status') followed(params, `${at}/params`, heard, say)
      else if (kind === 'answer' && result && (method === 'tasks/get' || method === 'tasks/cancel')) {
        const before = known.get(heard.asked?.subject ?? '')
        if (method === 'tasks/cancel' && before && TERMINAL.has(before.status)) {
          const what = `The task was ${before.status} already, so tasks/cancel must be refused with -32602`
          say('TASK-11', what, { pointer: `${at}/result`, related: before.seq })
          return
        }
        followed(result, `${at}/result`, heard, say)
        if (method === 'tasks/cancel' && STATUSES.has(result.status as string) && result.status !== 'cancelled') {
          const what = `tasks/cancel must return the cancelled task; this one is ${show(result.status)}`
          say('TASK-11', what, { pointer: `${at}/result/status`, related: heard.asked?.seq })
        }
      } else if (kind === 'answer' && heard.asked && MAY_BECOME.has(method!)) {
        const task = objectAt(result, 'task')
        // A result with content is a normal result, whatever else it contains.
        if (!task || Array.isArray(result?.content)) return
        if (!heard.asked.augmented) {
          const what = `${show(method)} became a task, but no task was requested`
          say('TASK-04', what, { pointer: `${at}/result/task`, related: heard.asked.seq })
        }
        if (task.status !== 'working') {
          const what = `A task must start as "working"; found ${show(task.status)}`
          say('TASK-09', what, { pointer: `${at}/result/task/status`, related: heard.asked.seq })
        }
        followed(task, `${at}/result/task`, heard, say)
      }
    },
  }
})

/** TASK-07 */
const related = ({ kind, method, meta, result, asked, at }: Observed, say: Say<TaskRule>): void => {
  if (kind !== 'answer' || method !== 'tasks/result' || !result) return
  const link = objectAt(meta, META.relatedTask)
  if (link?.taskId === asked!.subject) return
  const what = `The result of a task must name it in _meta["${META.relatedTask}"]; found ${show(link?.taskId)}`
  say('TASK-07', what, { pointer: `${at}/result/_meta`, related: asked!.seq })
}

const extension = ({ kind, method, params, result, asked, at }: Observed, say: Say<TaskRule>): void => {
  const answers = kind === 'answer' && method !== undefined && method.startsWith('tasks/') ? result : undefined
  if (answers && answers.resultType !== undefined && answers.resultType !== 'complete') {
    const what = `${method} answers "complete"; found ${show(answers.resultType)}`
    say('TEXT-12', what, { pointer: `${at}/result/resultType`, related: asked!.seq })
  }
  const task = method === 'notifications/tasks' && kind === 'notification' ? params : answers
  if (!task) return
  const pointer = at + (answers ? '/result' : '/params')
  const details = { pointer, related: asked?.seq }
  if (task.status === 'completed' && !isObject(task.result))
    say('TEXT-10', 'A completed task must have a result', details)
  if (task.status === 'failed' && !isObject(task.error)) say('TEXT-10', 'A failed task must have an error', details)
  if (isObject(task.error) && task.status !== 'failed') {
    say('TEXT-10', `Only failed tasks have an error; this one is ${show(task.status)}`, details)
  }
}
