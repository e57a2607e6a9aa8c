/** Requests that take long: their progress, their cancellation, and tasks. */
import { isObject, isRequestId, type Seq } from '../../mcp/index.ts'
import { Recent } from '../recent.ts'
import { group, type Say, show } from '../rule.ts'
import { META, objectAt, type Observed } from '../link.ts'

// Progress: only for a token in use, and always increasing.

/** This many notifications for one request within a second count as a flood. */
const FLOOD = 1_000

export const progress = group(['UT-PROG-02', 'UT-PROG-04', 'UT-PROG-07', 'UT-PROG-08'], (view) => {
  /** The latest progress of each request, by seq, and the frame that reported it. */
  const reached = new Recent<Seq, { value: number; seq: Seq; count: number; since: number }>(1_000)
  /** Tasks that ended, and their tokens with them (UT-PROG-05). */
  const ended = new Recent<string, true>(1_000)
  return {
    message({ method, params, at, frame, result, asked: answered }, say) {
      const task = method === 'notifications/tasks/status' ? params : method === 'tasks/get' ? result : undefined
      if (typeof task?.taskId === 'string' && TERMINAL.has(task.status as string)) ended.set(task.taskId, true)
      if (method !== 'notifications/progress' || answered) return
      const token = params.progressToken
      const pointer = `${at}/params/progressToken`
      if (!isRequestId(token)) return
      const asked = view.sent.byToken(token)
      if (!asked) {
        const like = view.sent.byToken(typeof token === 'number' ? String(token) : Number(token))
        if (like) {
          const was = `the request has ${show(like.token)}, a ${typeof like.token}`
          say('UT-PROG-04', `Progress for ${show(token)}, a ${typeof token}; ${was}`, { pointer, related: like.seq })
        } else if (!view.sent.forgot) say('UT-PROG-04', `No request has the progress token ${show(token)}`, { pointer })
        return
      }
      const related = asked.seq
      if (asked.state === 'answered') {
        if (asked.task !== undefined && view.isModern) {
          say('UT-PROG-08', 'Progress for a call that became a task', { pointer, related })
        } else if (asked.task === undefined || ended.has(asked.task)) {
          say('UT-PROG-04', `The request with the progress token ${show(token)} already has a response`, {
            pointer,
            related,
          })
        }
      }
      const value = params.progress
      if (typeof value !== 'number') return
      const before = reached.get(asked.seq)
      if (!before) return reached.set(asked.seq, { value, seq: frame.seq, count: 1, since: frame.at })
      if (value <= before.value) {
        const what = `progress is ${value}, but was ${before.value} before`
        say('UT-PROG-02', what, { pointer: `${at}/params/progress`, related: before.seq })
      }
      before.value = value
      before.seq = frame.seq
      if (++before.count % FLOOD > 0) return
      if (frame.at - before.since < 1_000) {
        const what = `${FLOOD} notifications for one request within a second`
        say('UT-PROG-07', what, { related, once: true })
      }
      before.since = frame.at
    },
  }
})

const TERMINAL: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled'])

/** Cancellations from the server: of its own requests, and since 2026-07-28 only of subscriptions. */
export const cancellation = group(['UT-CANC-01', 'UT-CANC-02'], (view) => ({
  message({ method, kind, params, at }, say) {
    if (method !== 'notifications/cancelled' || kind !== 'notification') return
    const id = params.requestId
    if (!isRequestId(id)) return
    const pointer = `${at}/params/requestId`
    if (view.isModern) {
      const asked = view.sent.byId(id)
      if (asked?.method === 'subscriptions/listen' || (!asked && view.sent.forgot)) return
      const what = asked
        ? `${show(asked.method)}; only subscriptions can be ended this way`
        : 'a request that was not sent'
      return say('UT-CANC-02', `The server cancels ${what}`, { pointer, related: asked?.seq })
    }
    // If it was answered meanwhile, this is a race and not a violation (UT-CANC-04).
    if (view.received.byId(id) || view.received.forgot) return
    const ours = view.sent.byId(id)
    const what = ours ? `the client's own request ${show(ours.method)}` : `${show(id)}, which it never sent`
    say('UT-CANC-01', `The server cancels ${what}`, { pointer, related: ours?.seq })
  },
}))

// Tasks: the experimental version of 2025-11-25, and the later extension.

const TASK_RULES = ['TASK-04', 'TASK-07', 'TASK-09', 'TASK-11', 'TEXT-10', 'TEXT-12'] as const
type TaskRule = (typeof TASK_RULES)[number]

interface Known {
  readonly status: string
  readonly updated: string
  readonly seq: Seq
}

const STATUSES: ReadonlySet<string> = new Set(['working', 'input_required', ...TERMINAL])

/** Requests that a client may run as a task (TASK-02). */
const MAY_BECOME: ReadonlySet<string> = new Set(['tools/call', 'sampling/createMessage', 'elicitation/create'])

export const tasks = group(TASK_RULES, () => {
  const known = new Recent<string, Known>(1_000)
  return {
    renewed: () => known.clear(),
    message(heard, say) {
      if (heard.revision === '2026-07-28') return extension(heard, say)
      if (heard.revision !== '2025-11-25') return
      related(heard, say)
      const { kind, method, params, result, at } = heard
      if (method === 'notifications/tasks/status') followed(params, `${at}/params`, heard, known, say)
      else if (kind === 'answer' && result && (method === 'tasks/get' || method === 'tasks/cancel')) {
        followed(result, `${at}/result`, heard, known, say)
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
        followed(task, `${at}/result/task`, heard, known, say)
      }
    },
  }
})

/** TASK-07 */
const related = ({ kind, method, meta, result, asked, at }: Observed, say: Say<TaskRule>): void => {
  if (kind !== 'answer' || method !== 'tasks/result' || !result) return
  const link = objectAt(meta, `${META}related-task`)
  if (link?.taskId === asked!.subject) return
  const what = `The result of a task must name it in _meta["${META}related-task"]; found ${show(link?.taskId)}`
  say('TASK-07', what, { pointer: `${at}/result/_meta`, related: asked!.seq })
}

/** TASK-09. A status older than the known one arrived late, possibly over another stream, and proves nothing. */
const followed = (
  task: Readonly<Record<string, unknown>>,
  pointer: string,
  { frame }: Observed,
  known: Recent<string, Known>,
  say: Say<TaskRule>,
): void => {
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
