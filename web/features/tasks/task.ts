/**
 * One task of a server, and what a single message reports about it: untrusted, in both forms.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks (TASK) and the extension
 * `io.modelcontextprotocol/tasks` of 2026-07-28 (TEXT)
 */
import { excerpt } from '../../json/index.ts'
import { isErrorObject, isObject, messagesIn } from '../../mcp/index.ts'
import type { ErrorObject, Frame, Json, JsonObject, RequestId, Seq, Trace } from '../../mcp/index.ts'

/** `core`: the experimental tasks of 2025-11-25. `extension`: those of 2026-07-28. */
export type TaskForm = 'core' | 'extension'
export type TaskState = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled' | 'unknown'
/** The message that reported it. */
export type TaskSource = 'created' | 'get' | 'list' | 'push' | 'cancel'

export interface TaskFinding {
  readonly code:
    | 'not-asked-for'
    | 'first-state'
    | 'unknown-state'
    | 'revived'
    | 'no-result'
    | 'no-error'
    | 'no-questions'
    | 'type-task'
    | 'old-name'
    | 'odd-interval'
    | 'odd-ttl'
    | 'no-related-task'
    | 'not-cancelled'
    | 'not-failed'
  readonly rule: string
  readonly keyword: 'MUST' | 'SHOULD'
  readonly seq: Seq
  /** At most 60 characters of JSON. */
  readonly found: string
}

export interface TaskMoment {
  readonly seq: Seq
  readonly at: number
  readonly state: TaskState
  readonly message: string | undefined
  readonly via: TaskSource
}

/** An input request of a task (TEXT-07). Keys are unique for the task's lifetime (TEXT-08). */
export interface TaskInputRequest {
  readonly key: string
  readonly method: string | undefined
  readonly params: JsonObject
  readonly raw: Json
  /** The frame in which it appeared first. */
  readonly seq: Seq
  /** `sent`: our response is on its way. `withdrawn`: no longer requested, and not answered by us. */
  state: 'open' | 'sent' | 'answered' | 'withdrawn'
  /** The frame of our response. */
  answer?: Seq
  /** Why the server rejected it. */
  error?: ErrorObject
}

export interface Task {
  readonly id: string
  readonly form: TaskForm
  /**
   * The call that became this task; absent for tasks created elsewhere. A notification may arrive before the call's
   * response.
   */
  call?: { readonly seq: Seq; readonly tool: string | undefined; readonly wantedTtl: Json | undefined }
  /** The frame that reported it first, and its time. */
  readonly seq: Seq
  readonly since: number
  state: TaskState
  /** As sent by the server. */
  status: string
  message?: string
  /** Times by the server's clock. */
  createdAt?: string
  updatedAt?: string
  /** ms since its creation; `null`: unlimited; absent: unknown. It may change (TASK-15). */
  ttl?: number | null
  /** The polling interval in ms that the server suggests; it may change (TEXT-05). */
  interval?: number
  /** The last message about it. */
  last: Seq
  lastAt: number
  via: TaskSource
  /** Number of responses to `tasks/get` and of notifications about it. */
  looks: number
  pushes: number
  /** The messages in which its state or status text changed; the oldest are dropped. */
  history: TaskMoment[]
  findings: TaskFinding[]
  readonly inputRequests: Map<string, TaskInputRequest>
  /** The requested cancellation: the server's response (TASK-11, TEXT-11), and the number of polls since. */
  cancel?: { readonly seq: Seq; state: 'asked' | 'accepted' | 'refused' | 'lost'; error?: ErrorObject; looks: number }
  /** The frame that contains the outcome, and the id of its message if that is a response. */
  outcome?: {
    readonly kind: 'result' | 'error'
    readonly seq: Seq
    readonly id: RequestId | undefined
    /** The task should be `failed` (TASK-10). */
    readonly failed?: boolean
  }
  /** Our pending `tasks/result` (TASK-06). */
  awaiting?: Seq
  /** The last request about it that failed. */
  problem?: { readonly seq: Seq; readonly method: string; readonly error: ErrorObject }
  /** The frame in which the server reported that it no longer knows the task (TASK-15). */
  gone?: Seq
}

const STATES: ReadonlySet<string> = new Set(['working', 'input_required', 'completed', 'failed', 'cancelled'])
const TERMINAL: ReadonlySet<TaskState> = new Set(['completed', 'failed', 'cancelled'])

/** TASK-09: the state is final. */
export const isTerminal = ({ state }: Pick<Task, 'state'>): boolean => TERMINAL.has(state)

/**
 * TASK-10: in 2025-11-25, a task should be `failed` if its tool result has `isError`. In the extension it is `completed`
 * (TEXT-10).
 */
export const failsTask = (result: JsonObject | undefined, form: TaskForm): boolean =>
  form === 'core' && result?.isError === true

/** CSS classes of a state's tag; none for a plain tag. */
export const toneOf = (state: TaskState): string =>
  ({ working: '', input_required: 'warn', completed: 'ok', failed: 'bad', cancelled: '', unknown: 'warn' })[state]

/** The content of one message about a task. */
export interface TaskReport {
  readonly id: string
  readonly state: TaskState
  readonly status: string
  readonly message?: string
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly ttl?: number | null
  readonly interval?: number
  readonly inputRequests?: JsonObject
  readonly result?: JsonObject
  readonly error?: ErrorObject
  readonly findings: readonly Omit<TaskFinding, 'seq'>[]
}

/** Limits the length of the server's timestamps. */
const textIn = (value: Json | undefined, most: number): string | undefined =>
  typeof value === 'string' ? value.slice(0, most) : undefined

/** `undefined` if it names no task. */
export const taskReportOf = (raw: Json | undefined, form: TaskForm, whole: boolean): TaskReport | undefined => {
  if (!isObject(raw) || typeof raw.taskId !== 'string') return undefined
  const findings: Omit<TaskFinding, 'seq'>[] = []
  const find = (
    code: TaskFinding['code'],
    rule: string,
    found: Json | undefined,
    keyword: 'MUST' | 'SHOULD' = 'MUST',
  ) => findings.push({ code, rule, keyword, found: excerpt(found) })
  const core = form === 'core'
  const [ttlName, intervalName] = core ? ['ttl', 'pollInterval'] : ['ttlMs', 'pollIntervalMs']
  const otherNames = core ? ['ttlMs', 'pollIntervalMs'] : ['ttl', 'pollInterval']
  for (const name of otherNames) if (raw[name] !== undefined) find('old-name', 'TEXT-14', name)

  const known = typeof raw.status === 'string' && STATES.has(raw.status)
  if (!known) find('unknown-state', core ? 'TASK-09' : 'TEXT-10', raw.status)
  const state = (known ? raw.status : 'unknown') as TaskState
  const ttl = raw[ttlName]
  const goodTtl = ttl === null || (typeof ttl === 'number' && ttl >= 0)
  if (ttl !== undefined && !goodTtl) find('odd-ttl', core ? 'TASK-15' : 'TEXT-14', ttl)
  const interval = raw[intervalName]
  const goodInterval = typeof interval === 'number' && interval >= 0
  if (interval !== undefined && !goodInterval) find('odd-interval', core ? 'TASK-05' : 'TEXT-05', interval, 'SHOULD')
  if (!core && whole) {
    if (raw.resultType === 'task') find('type-task', 'TEXT-12', raw.resultType)
    if (state === 'completed' && !isObject(raw.result)) find('no-result', 'TEXT-10', raw.result)
    if (state === 'failed' && !isErrorObject(raw.error)) find('no-error', 'TEXT-10', raw.error)
    if (state === 'input_required' && !isObject(raw.inputRequests)) find('no-questions', 'TEXT-07', raw.inputRequests)
  }
  const message = textIn(raw.statusMessage, 2000)
  const createdAt = textIn(raw.createdAt, 60)
  const updatedAt = textIn(raw.lastUpdatedAt, 60)
  return {
    id: raw.taskId,
    state,
    status: typeof raw.status === 'string' ? raw.status.slice(0, 60) : excerpt(raw.status),
    ...(message === undefined ? {} : { message }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    ...(goodTtl ? { ttl } : {}),
    ...(goodInterval ? { interval } : {}),
    ...(!core && isObject(raw.inputRequests) ? { inputRequests: raw.inputRequests } : {}),
    ...(!core && isObject(raw.result) ? { result: raw.result } : {}),
    ...(!core && isErrorObject(raw.error) ? { error: raw.error } : {}),
    findings,
  }
}

/** When the server may delete it, in ms since the trace began (TASK-15, TEXT-15); `undefined`: never, or unknown. */
export const expiryOf = (
  task: Pick<Task, 'call' | 'since' | 'createdAt' | 'ttl'>,
  begunAt: number,
): number | undefined => {
  if (typeof task.ttl !== 'number') return undefined
  // The server's clock may differ from ours. If we know when the task began, use our own.
  if (task.call) return task.since + task.ttl
  const created = Date.parse(task.createdAt ?? '')
  return Number.isNaN(created) ? task.since + task.ttl : created - begunAt + task.ttl
}

/** The outcome of a task, from the frame that reported it. */
export interface TaskOutcome {
  /** `CallToolResult`, as for an ordinary call. */
  readonly result?: JsonObject
  readonly error?: ErrorObject
  /** The whole message, and its exact text if that differs. */
  readonly message?: JsonObject
  readonly raw?: string
  readonly size: number
  readonly at: number
  /** The body was released to keep the memory budget. */
  readonly released?: true
}

export const outcomeIn = (trace: Pick<Trace, 'at'>, task: Task): TaskOutcome | undefined => {
  const { outcome } = task
  const frame: Frame | undefined = outcome && trace.at(outcome.seq)
  if (!outcome || frame?.kind !== 'message') return undefined
  const { size, at } = frame
  if (frame.message === undefined) return { size, at, released: true }
  for (const part of messagesIn(frame.message)) {
    const whole = { message: part, size, at, ...(frame.raw === undefined ? {} : { raw: frame.raw }) }
    if (outcome.id !== undefined && part.id === outcome.id && !('method' in part)) {
      if ('error' in part) return { ...whole, ...(isErrorObject(part.error) ? { error: part.error } : {}) }
      const result = isObject(part.result) ? part.result : {}
      return { ...whole, ...(task.form === 'core' ? { result } : outcomeOf(result)) }
    }
    const params = isObject(part.params) ? part.params : {}
    if (outcome.id === undefined && params.taskId === task.id) return { ...whole, ...outcomeOf(params) }
  }
  return undefined
}

const outcomeOf = ({ result, error }: JsonObject): Pick<TaskOutcome, 'result' | 'error'> => ({
  ...(isObject(result) ? { result } : {}),
  ...(isErrorObject(error) ? { error } : {}),
})
