/**
 * Tasks: the experimental version of 2025-11-25, and the later extension. Checks messages by the rules of the wire, for
 * any method that may become a task. `web/features/tasks/lint.ts` reports what the Tasks panel notes about the tasks of
 * tool calls; what both find at the same place counts once.
 */
import { ErrorCode, isObject, type Json, type JsonObject, META, type Seq, TASKS_EXTENSION } from '../../mcp/index.ts'
import { Recent } from '../recent.ts'
import { group, type Say, show, step } from '../rule.ts'
import { type LinkView, objectAt, type Observed } from '../link.ts'
import { declares } from './lifecycle.ts'

const TASK_RULES = [
  'EXT-01', 'TASK-01', 'TASK-03', 'TASK-04', 'TASK-07', 'TASK-09', 'TASK-11', 'TASK-15', 'TEXT-04', 'TEXT-08', 'TEXT-10', 'TEXT-12', 'TEXT-13',
] as const // prettier-ignore
type TaskRule = (typeof TASK_RULES)[number]

/** Says that there is no such task. */
const NO_TASK =
  /\btask\b.{0,60}\b(not found|unknown|expired|does ?n[o']t exist)\b|\b(unknown|no such|nonexistent|expired) task\b/i

interface Known {
  readonly status: string
  readonly updated: string
  readonly seq: Seq
}

/** Tools remembered. */
const MOST_TOOLS = 10_000

/** TASK-09, TEXT-10: final states. */
export const TERMINAL: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled'])
const STATUSES: ReadonlySet<string> = new Set(['working', 'input_required', ...TERMINAL])

/** Requests that a client may run as a task (TASK-02). */
const MAY_BECOME: ReadonlySet<string> = new Set(['tools/call', 'sampling/createMessage', 'elicitation/create'])

export const tasks = group(TASK_RULES, (view) => {
  const known = new Recent<string, Known>(1_000)
  /** `execution.taskSupport` of each listed tool. */
  const support = new Recent<string, Json | undefined>(MOST_TOOLS)
  /**
   * TASK-09. A status older than the known one arrived late, possibly over another stream, and proves nothing; unless it
   * responds to a request that was sent after the known one arrived.
   */
  const followed = (task: JsonObject, pointer: string, { frame, asked }: Observed, say: Say<TaskRule>): void => {
    const { taskId, status } = task
    if (typeof taskId !== 'string' || typeof status !== 'string' || !STATUSES.has(status)) return
    const updated = typeof task.lastUpdatedAt === 'string' ? task.lastUpdatedAt : ''
    const before = known.get(taskId)
    if (before && updated < before.updated && !(asked && asked.seq > before.seq)) return
    if (before && TERMINAL.has(before.status) && status !== before.status) {
      const what = `A ${before.status} task can't change; found ${show(status)}`
      say('TASK-09', what, { pointer: `${pointer}/status`, related: before.seq })
      return
    }
    known.set(taskId, { status, updated, seq: frame.seq })
  }
  /** TASK-01, TASK-03, TASK-04: whether the call and its tool allow this kind of result. */
  const called = ({ asked, result, at }: Observed, task: JsonObject | undefined, say: Say<TaskRule>): void => {
    const { augmented, subject = '', seq } = asked!
    const tool = support.get(subject)
    const declared = declares(view.serverCapabilities ?? {}, 'tasks.requests.tools.call')
    const tell = (rule: TaskRule, what: string) => say(rule, what, { pointer: `${at}/result`, related: seq })
    if (task) {
      if (augmented && view.serverCapabilities && !declared)
        tell('TASK-01', "A task, but the server didn't declare tasks.requests.tools.call")
      else if (augmented && support.has(subject) && tool !== 'required' && tool !== 'optional')
        tell(
          'TASK-03',
          `${show(subject)} ${tool === 'forbidden' ? 'forbids' : "doesn't support"} tasks, so a task must be refused with -32601`,
        )
    } else if (augmented && typeof result?.taskId === 'string' && typeof result.status === 'string') {
      tell('TASK-04', 'The task must be in the member "task"; found its members in the result itself')
    } else if (declared && Array.isArray(result?.content)) {
      // The SDK for TypeScript refuses with a result, which at least runs nothing.
      if (!augmented && tool === 'required' && result.isError !== true)
        tell('TASK-03', `${show(subject)} requires a task, so other calls must be refused with -32601`)
      else if (augmented && (tool === 'required' || tool === 'optional'))
        tell('TASK-04', 'A task was requested; found the result of the tool')
    }
  }
  /** TASK-03, TASK-11: the codes that refuse a task, its absence, and its cancellation. */
  const refused = ({ asked, error, method, at }: Observed, say: Say<TaskRule>): void => {
    const { code, message } = error!
    const { augmented, subject = '', seq } = asked!
    const details = { pointer: `${at}/error/code`, related: seq }
    if (method === 'tasks/get' || method === 'tasks/result' || method === 'tasks/cancel') {
      const isOther = code !== ErrorCode.InvalidParams && code !== ErrorCode.MethodNotFound
      if (isOther && typeof message === 'string' && NO_TASK.test(message.slice(0, 500))) {
        const what = `A task that doesn't exist must be refused with -32602; found ${show(code)}`
        return say('TASK-15', what, { ...details, keyword: 'MUST' })
      }
    }
    if (method === 'tasks/cancel') {
      const before = known.get(subject)
      const lacks = code === ErrorCode.MethodNotFound && !declares(view.serverCapabilities ?? {}, 'tasks.cancel')
      if (!before || !TERMINAL.has(before.status) || code === ErrorCode.InvalidParams || lacks) return
      return say(
        'TASK-11',
        `Cancelling a ${before.status} task must be refused with -32602; found ${show(code)}`,
        details,
      )
    }
    if (method !== 'tools/call' || !support.has(subject)) return
    if (!declares(view.serverCapabilities ?? {}, 'tasks.requests.tools.call')) return
    const tool = support.get(subject)
    if (code === ErrorCode.MethodNotFound) {
      if (!augmented || (tool !== 'required' && tool !== 'optional')) return
      return say('TASK-03', `${show(subject)} supports tasks, but a task was refused with -32601`, details)
    }
    const isDue = augmented ? tool !== 'required' && tool !== 'optional' : tool === 'required'
    // The call may have failed for another reason, which only the message of the error says.
    if (!isDue || typeof message !== 'string' || !/\btasks?\b/i.test(message.slice(0, 500))) return
    const what = augmented ? `${show(subject)} doesn't support tasks` : `${show(subject)} requires a task`
    say('TASK-03', `${what}, which is refused with -32601; found ${show(code)}`, details)
  }
  /** What each task asked for under a key, by task and key. */
  const inputs = new Recent<string, string>(1_000)
  return {
    renewed: () => known.clear(),
    message(heard, say) {
      if (heard.revision === '2026-07-28') {
        extension(heard, view, say)
        return reused(heard, inputs, say)
      }
      if (heard.revision !== '2025-11-25') return
      if (heard.kind === 'answer' && heard.method === 'tools/list' && Array.isArray(heard.result?.tools)) {
        for (const tool of (heard.result.tools as readonly Json[]).slice(0, MOST_TOOLS)) {
          if (isObject(tool) && typeof tool.name === 'string')
            support.set(tool.name, objectAt(tool, 'execution')?.taskSupport)
        }
      }
      related(heard, say)
      ofTask(heard, say)
      if (heard.error && heard.answer === 'first') refused(heard, say)
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
        const isTask = task !== undefined && !Array.isArray(result?.content)
        if (method === 'tools/call' && heard.answer === 'first' && result) called(heard, isTask ? task : undefined, say)
        if (!isTask) return
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

/** TASK-07: what the server asks on the stream of `tasks/result` belongs to that task. */
const ofTask = ({ kind, method, meta, carrier, at }: Observed, say: Say<TaskRule>): void => {
  if (kind !== 'request' || method === 'ping' || carrier?.method !== 'POST') return
  const [asked, ...others] = carrier.asked
  if (asked?.method !== 'tasks/result' || others.length > 0 || objectAt(meta, META.relatedTask)) return
  const what = `${show(method)} is part of a task, which it must name in _meta["${META.relatedTask}"]`
  say('TASK-07', what, { pointer: `${at}/params`, related: asked.seq })
}

/** TASK-07 */
const related = ({ kind, method, meta, result, asked, at }: Observed, say: Say<TaskRule>): void => {
  if (kind !== 'answer' || method !== 'tasks/result' || !result) return
  const link = objectAt(meta, META.relatedTask)
  if (link?.taskId === asked!.subject) return
  const what = `The result of a task must name it in _meta["${META.relatedTask}"]; found ${show(link?.taskId)}`
  say('TASK-07', what, { pointer: `${at}/result/_meta`, related: asked!.seq })
}

/** TEXT-04: the methods of a task require the extension in each request. */
const undeclared = ({ method, result, error, asked, at }: Observed, view: LinkView, say: Say<TaskRule>): void => {
  const has = (capabilities: JsonObject | undefined) =>
    objectAt(capabilities, 'extensions')?.[TASKS_EXTENSION] !== undefined
  // If the server lacks the extension as well, it doesn't know the method.
  if (!asked?.capabilities || has(asked.capabilities) || !has(view.serverCapabilities)) return
  if (error?.code === ErrorCode.MissingRequiredClientCapability || (!result && !error)) return
  const found = error ? `the error ${show(error.code)}` : 'a result'
  const what = `${show(method)} without the extension must be refused with -32021; found ${found}`
  say('TEXT-04', what, { pointer: `${at}/${error ? 'error' : 'result'}`, related: asked.seq })
}

/** The members of a task in every state (TEXT-13). */
const FULL = ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttlMs']
const OWN: Readonly<Record<string, string>> = { completed: 'result', failed: 'error', input_required: 'inputRequests' }

/** TEXT-13: a notification replaces a poll, so it has all that `tasks/get` returns. */
const inFull = (params: JsonObject, pointer: string, say: Say<TaskRule>): void => {
  const { status } = params
  const own = typeof status === 'string' && Object.hasOwn(OWN, status) ? [OWN[status]!] : []
  const missing = [...FULL, ...own].filter((member) => params[member] === undefined)
  if (missing.length === 0) return
  say('TEXT-13', `A notification carries the full task; it lacks ${missing.join(', ')}`, { pointer })
}

/** TEXT-08: during the life of a task, each input key belongs to one request. */
const reused = (heard: Observed, inputs: Recent<string, string>, say: Say<TaskRule>): void => {
  const { kind, method, result, params, at } = heard
  const isPoll = kind === 'answer' && method === 'tasks/get'
  const task = isPoll ? result : method === 'notifications/tasks' && kind === 'notification' ? params : undefined
  const asks = objectAt(task, 'inputRequests')
  if (typeof task?.taskId !== 'string' || !asks) return
  for (const key of Object.keys(asks).slice(0, MOST_KEYS)) {
    const place = JSON.stringify([task.taskId, key])
    const asked = JSON.stringify(asks[key]).slice(0, LONGEST_ASKED)
    const before = inputs.get(place)
    if (before === undefined) inputs.set(place, asked)
    else if (before !== asked) {
      const pointer = step(`${at}/${isPoll ? 'result' : 'params'}/inputRequests`, key)
      say('TEXT-08', `The key ${show(key)} was already used for another request of this task`, { pointer })
    }
  }
}

/** Keys checked per task, and characters of what they ask for. */
const MOST_KEYS = 100
const LONGEST_ASKED = 10_000

const extension = (heard: Observed, view: LinkView, say: Say<TaskRule>): void => {
  const { kind, method, params, result, asked, at } = heard
  const theirs = view.serverCapabilities
  if (
    kind === 'answer' &&
    result?.resultType === 'task' &&
    theirs &&
    !objectAt(theirs, 'extensions')?.[TASKS_EXTENSION]
  )
    say('EXT-01', "A task, but the server didn't declare the extension", {
      pointer: `${at}/result`,
      related: asked!.seq,
    })
  if (kind === 'answer' && method?.startsWith('tasks/')) undeclared(heard, view, say)
  const answers = kind === 'answer' && method !== undefined && method.startsWith('tasks/') ? result : undefined
  if (answers && answers.resultType !== undefined && answers.resultType !== 'complete') {
    const what = `${method} answers "complete"; found ${show(answers.resultType)}`
    say('TEXT-12', what, { pointer: `${at}/result/resultType`, related: asked!.seq })
  }
  const task = method === 'notifications/tasks' && kind === 'notification' ? params : answers
  if (task === params) inFull(params, `${at}/params`, say)
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
