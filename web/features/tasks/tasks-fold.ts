/**
 * All tasks of each connection, from calls that became tasks, polls, lists and notifications: a fold over the Trace
 * alone. It doesn't schedule polls; `tasks/follow.ts` does.
 */
import { excerpt } from '../../json/index.ts'
import {
  isErrorResponse,
  getOrInsert,
  isErrorObject,
  isObject,
  isRequestId,
  messagesIn,
  META,
  RequestsById,
  setBounded,
  TASKS_EXTENSION,
} from '../../mcp/index.ts'
import type {
  ErrorObject,
  Fold,
  Frame,
  Json,
  JsonObject,
  Link,
  MessageFrame,
  RequestId,
  Revision,
  Seq,
} from '../../mcp/index.ts'
import { failsTask, isTerminal, taskReportOf } from './task.ts'
import type { TaskReport, Task, TaskFinding, TaskForm, TaskInputRequest, TaskSource } from './task.ts'

/** Tasks stored per connection. If a server lists more, the oldest are dropped; they are still in the Trace. */
const TASKS_KEPT = 5000
const HISTORY_KEPT = 200
const FINDINGS_KEPT = 20
const REQUESTS_KEPT = 1000

interface PendingRequest {
  readonly method: string
  readonly seq: Seq
  readonly task: string | undefined
  readonly tool: string | undefined
  /** `params.task` of a call, which asks to run it as a task (TASK-02). */
  readonly taskParam: Json | undefined
  /** Keys of the input requests that a `tasks/update` answers. */
  readonly keys: readonly string[]
}

export interface LinkTasks {
  readonly tasks: Map<string, Task>
  /** The frame of a call -> the task it became. */
  readonly byCall: Map<Seq, string>
  readonly inFlight: RequestsById<PendingRequest>
  revision?: Revision
  /** The problems in the latest frame that has any. */
  noted?: { readonly seq: Seq; readonly findings: TaskFinding[] }
  /** The last `tasks/list` (TASK-12). */
  list?: {
    readonly seq: Seq
    readonly state: 'loading' | 'ready' | 'error'
    readonly count: number
    readonly nextCursor?: string
    readonly error?: ErrorObject
  }
}

export type TasksByLink = Map<Link, LinkTasks>

const METHODS: ReadonlySet<string> = new Set([
  'tools/call',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
  'tasks/update',
])

export const tasksFold: Fold<TasksByLink> = {
  initial: () => new Map(),

  step(books, frame) {
    if (frame.kind === 'session') return stepSession(books, frame)
    if (frame.kind !== 'message') return false
    let moved = false
    for (const part of messagesIn(frame.message)) if (stepMessage(books, frame, part)) moved = true
    return moved ? undefined : false
  },
}

const bookOf = (books: TasksByLink, link: Link): LinkTasks =>
  getOrInsert(books, link, () => ({ tasks: new Map(), byCall: new Map(), inFlight: new RequestsById() }))

const stepMessage = (books: TasksByLink, frame: MessageFrame, message: JsonObject): boolean => {
  const params = isObject(message.params) ? message.params : {}
  const { method, id } = message
  if (frame.direction === 'sent') {
    if (typeof method !== 'string' || !METHODS.has(method) || !isRequestId(id)) return false
    ask(bookOf(books, frame.link), frame, method, id, params)
    return true
  }
  if (method === 'notifications/tasks/status' || method === 'notifications/tasks') {
    const form = method === 'notifications/tasks' ? 'extension' : 'core'
    const report = taskReportOf(params, form, true)
    if (report) applyReport(bookOf(books, frame.link), frame, report, form, 'push')
    return report !== undefined
  }
  if (typeof method === 'string' || !isRequestId(id)) return false
  const book = books.get(frame.link)
  const asked = book?.inFlight.take(id)
  if (!book || !asked) return false
  if (isErrorResponse(message)) refused(book, frame, asked, message)
  else answered(book, frame, asked, message)
  return true
}

const ask = (book: LinkTasks, { seq }: MessageFrame, method: string, id: RequestId, params: JsonObject): void => {
  const task = typeof params.taskId === 'string' ? params.taskId : undefined
  const keys = method === 'tasks/update' && isObject(params.inputResponses) ? Object.keys(params.inputResponses) : []
  const tool = method === 'tools/call' && typeof params.name === 'string' ? params.name : undefined
  book.inFlight.add(id, { method, seq, task, tool, taskParam: method === 'tools/call' ? params.task : undefined, keys })
  const known = task === undefined ? undefined : book.tasks.get(task)
  if (method === 'tasks/list') book.list = { seq, state: 'loading', count: book.list?.count ?? 0 }
  if (!known) return
  if (method === 'tasks/cancel') known.cancel = { seq, state: 'asked', looks: 0 }
  if (method === 'tasks/result') known.awaiting = seq
  for (const key of keys) {
    const question = known.inputRequests.get(key)
    if (!question) continue
    question.state = 'sent'
    question.answer = seq
    delete question.error
  }
}

const formIn = (book: LinkTasks): TaskForm =>
  book.revision !== undefined && book.revision < '2026-07-28' ? 'core' : 'extension'

const answered = (book: LinkTasks, frame: MessageFrame, asked: PendingRequest, message: JsonObject): void => {
  const result = isObject(message.result) ? message.result : {}
  const task = asked.task === undefined ? undefined : book.tasks.get(asked.task)
  const form = task?.form ?? formIn(book)
  switch (asked.method) {
    case 'tools/call':
      return created(book, frame, asked, result)
    case 'tasks/get': {
      const report = taskReportOf(result, form, true)
      if (!report || report.id !== asked.task) return
      const now = applyReport(book, frame, report, form, 'get', message, undefined, asked.seq)
      if (!now) return
      now.looks++
      if (now.cancel) now.cancel.looks++
      delete now.problem
      delete now.gone
      return
    }
    case 'tasks/result': {
      if (!task) return
      delete task.awaiting
      task.outcome = {
        kind: 'result',
        seq: frame.seq,
        id: message.id as string | number,
        failed: failsTask(result, form),
      }
      noteNotFailed(book, task, frame)
      const meta = isObject(result._meta) ? result._meta : {}
      const related = meta[META.relatedTask]
      if (!isObject(related) || related.taskId !== task.id) {
        note(book, task, frame, [
          { code: 'no-related-task', rule: 'TASK-07', keyword: 'MUST', found: excerpt(related) },
        ])
      }
      return
    }
    case 'tasks/cancel': {
      if (task?.cancel) task.cancel.state = 'accepted'
      const report = form === 'core' ? taskReportOf(result, form, false) : undefined
      const now =
        report && report.id === asked.task
          ? applyReport(book, frame, report, form, 'cancel', undefined, undefined, asked.seq)
          : undefined
      if (now && now.state !== 'cancelled') {
        note(book, now, frame, [
          { code: 'not-cancelled', rule: 'TASK-11', keyword: 'MUST', found: excerpt(now.status) },
        ])
      }
      return
    }
    case 'tasks/update':
      for (const key of asked.keys) {
        const question = task?.inputRequests.get(key)
        if (question?.answer === asked.seq) question.state = 'answered'
      }
      return
    case 'tasks/list': {
      const listed = Array.isArray(result.tasks) ? (result.tasks as readonly Json[]) : []
      for (const raw of listed.slice(0, TASKS_KEPT)) {
        const report = taskReportOf(raw, form, false)
        if (report) applyReport(book, frame, report, form, 'list', undefined, undefined, asked.seq)
      }
      const { nextCursor } = result
      book.list = {
        seq: frame.seq,
        state: 'ready',
        count: listed.length,
        ...(typeof nextCursor === 'string' ? { nextCursor } : {}),
      }
    }
  }
}

/** TASK-04 (nested) and TEXT-02 (flat). A result with content is an ordinary result, whatever else it contains. */
const created = (book: LinkTasks, frame: MessageFrame, asked: PendingRequest, result: JsonObject): void => {
  const flat = result.resultType === 'task'
  const form: TaskForm = flat ? 'extension' : 'core'
  const raw = flat ? result : isObject(result.task) && !Array.isArray(result.content) ? result.task : undefined
  const report = taskReportOf(raw, form, false)
  if (!report) return
  const call = {
    seq: asked.seq,
    tool: asked.tool,
    wantedTtl: isObject(asked.taskParam) ? asked.taskParam.ttl : undefined,
  }
  const task = applyReport(book, frame, report, form, 'created', undefined, call)
  if (!task) return
  book.byCall.set(asked.seq, task.id)
  if (flat) return
  if (asked.taskParam === undefined) {
    note(book, task, frame, [
      { code: 'not-asked-for', rule: 'TASK-04', keyword: 'MUST', found: excerpt(asked.taskParam) },
    ])
  }
  if (report.state !== 'working') {
    note(book, task, frame, [{ code: 'first-state', rule: 'TASK-09', keyword: 'MUST', found: excerpt(report.status) }])
  }
}

const refused = (book: LinkTasks, frame: MessageFrame, asked: PendingRequest, message: JsonObject): void => {
  const error: ErrorObject = isErrorObject(message.error) ? message.error : { code: 0, message: excerpt(message.error) }
  if (asked.method === 'tasks/list') {
    book.list = { seq: frame.seq, state: 'error', count: book.list?.count ?? 0, error }
    return
  }
  const task = asked.task === undefined ? undefined : book.tasks.get(asked.task)
  if (!task) return
  switch (asked.method) {
    case 'tasks/get':
      // TASK-15: after its time to live the server may have deleted it.
      if (error.code === -32602) task.gone = frame.seq
      break
    case 'tasks/result':
      delete task.awaiting
      // TASK-08: the error that the call itself would have returned.
      if (isTerminal(task) && !task.outcome) {
        task.outcome = { kind: 'error', seq: frame.seq, id: message.id as string | number }
        return
      }
      break
    case 'tasks/cancel':
      if (task.cancel) Object.assign(task.cancel, { state: 'refused', error })
      return
    case 'tasks/update':
      for (const key of asked.keys) {
        const question = task.inputRequests.get(key)
        if (question?.answer === asked.seq) Object.assign(question, { state: 'open', error })
      }
  }
  task.problem = { seq: frame.seq, method: asked.method, error }
}

/** Records a report on a task, and any violation in it. */
const applyReport = (
  book: LinkTasks,
  frame: MessageFrame,
  report: TaskReport,
  form: TaskForm,
  via: TaskSource,
  answer?: JsonObject,
  call?: Task['call'],
  asked?: Seq,
): Task | undefined => {
  let task = book.tasks.get(report.id)
  if (!task) {
    task = {
      id: report.id,
      form,
      seq: frame.seq,
      since: frame.at,
      state: report.state,
      status: report.status,
      last: frame.seq,
      lastAt: frame.at,
      via,
      looks: 0,
      pushes: 0,
      history: [],
      findings: [],
      inputRequests: new Map(),
    }
    setBounded(book.tasks, report.id, task, TASKS_KEPT)
  }
  if (call) task.call ??= call
  if (via === 'push') task.pushes++
  note(book, task, frame, report.findings)
  if (isTerminal(task) && report.state !== task.state) {
    // Polls and notifications may overtake each other: ignore a report that is older by the server's own clock, unless it
    // was requested after the state was known.
    const isLater = asked !== undefined && asked > task.last
    if (isLater || !isOlder(report.updatedAt, task.updatedAt)) {
      const rule = form === 'core' ? 'TASK-09' : 'TEXT-10'
      note(book, task, frame, [
        { code: 'revived', rule, keyword: 'MUST', found: excerpt(`${task.status} → ${report.status}`) },
      ])
    }
    return task
  }
  if (isOlder(report.updatedAt, task.updatedAt)) return task
  const before = task.history.at(-1)
  if (before?.state !== report.state || before.message !== report.message) {
    task.history.push({ seq: frame.seq, at: frame.at, state: report.state, message: report.message, via })
    if (task.history.length > HISTORY_KEPT) task.history.splice(1, 1)
  }
  const { state, status, message, createdAt, updatedAt, ttl, interval } = report
  Object.assign(task, { state, status, last: frame.seq, lastAt: frame.at, via })
  for (const [name, value] of Object.entries({ message, createdAt, updatedAt, ttl, interval })) {
    if (value !== undefined) Object.assign(task, { [name]: value })
  }
  if (message === undefined) delete task.message
  noteNotFailed(book, task, frame)
  if (form === 'extension') {
    if (via === 'get' || via === 'push') settleInputRequests(task, frame, report)
    const id = answer === undefined ? undefined : (answer.id as string | number)
    if (report.state === 'completed' && report.result) task.outcome = { kind: 'result', seq: frame.seq, id }
    if (report.state === 'failed' && report.error) task.outcome = { kind: 'error', seq: frame.seq, id }
  }
  return task
}

const isOlder = (time: string | undefined, than: string | undefined): boolean =>
  time !== undefined && than !== undefined && Date.parse(time) < Date.parse(than)

/** TEXT-08: a key that recurs in every response is one request. */
const settleInputRequests = (task: Task, { seq }: Frame, { state, inputRequests = {} }: TaskReport): void => {
  const asking = state === 'input_required' ? inputRequests : {}
  for (const [key, raw] of Object.entries(asking)) {
    const known = task.inputRequests.get(key)
    if (known?.state === 'withdrawn') known.state = known.answer === undefined ? 'open' : 'answered'
    if (known || task.inputRequests.size >= REQUESTS_KEPT) continue
    const entry = isObject(raw) ? raw : {}
    const question: TaskInputRequest = {
      key,
      method: typeof entry.method === 'string' ? entry.method : undefined,
      params: isObject(entry.params) ? entry.params : {},
      raw: raw!,
      seq,
      state: 'open',
    }
    task.inputRequests.set(key, question)
  }
  for (const question of task.inputRequests.values()) {
    if (question.state === 'open' && !Object.hasOwn(asking, question.key)) question.state = 'withdrawn'
  }
}

const note = (book: LinkTasks, task: Task, { seq }: Frame, findings: readonly Omit<TaskFinding, 'seq'>[]): void => {
  for (const finding of findings) {
    // A server repeats its violation with each poll: report it once.
    const known = task.findings.some(({ code, found }) => code === finding.code && found === finding.found)
    if (known || task.findings.length >= FINDINGS_KEPT) continue
    task.findings.push({ ...finding, seq })
    if (book.noted?.seq !== seq) book.noted = { seq, findings: [] }
    book.noted.findings.push({ ...finding, seq })
  }
}

/** TASK-10. The result may arrive before the state, or after it. */
const noteNotFailed = (book: LinkTasks, task: Task, frame: Frame): void => {
  if (task.state !== 'completed' || !task.outcome?.failed) return
  note(book, task, frame, [{ code: 'not-failed', rule: 'TASK-10', keyword: 'MUST', found: excerpt(task.status) }])
}

const ENDS: ReadonlySet<string> = new Set(['closed', 'failed', 'renewing'])

const stepSession = (books: TasksByLink, frame: Frame & { kind: 'session' }): void | false => {
  if (frame.phase === 'open') {
    bookOf(books, frame.link).revision = frame.peer.revision
    return
  }
  const book = books.get(frame.link)
  if (!book) return false
  if (frame.phase === 'gave-up') {
    const given = book.inFlight.takeSent(frame.request)
    for (const request of given) forget(book, request)
    return given.length > 0 ? undefined : false
  }
  if (!ENDS.has(frame.phase) || book.inFlight.size === 0) return false
  for (const request of book.inFlight.takeAll()) forget(book, request)
}

/** No response will arrive: what was requested is open again. */
const forget = (book: LinkTasks, { method, task, seq, keys }: PendingRequest): void => {
  if (method === 'tasks/list' && book.list?.seq === seq) {
    book.list = { seq, state: 'error', count: book.list.count }
  }
  const known = task === undefined ? undefined : book.tasks.get(task)
  if (!known) return
  if (known.awaiting === seq) delete known.awaiting
  if (known.cancel?.seq === seq) known.cancel.state = 'lost'
  for (const key of keys) {
    const question = known.inputRequests.get(key)
    if (question?.answer === seq && question.state === 'sent') question.state = 'open'
  }
}

/** Whether a server declares tasks: the `tasks` capability in 2025-11-25, the extension since. */
export const offersTasks = (capabilities: JsonObject, revision: Revision): boolean =>
  revision < '2026-07-28'
    ? revision >= '2025-11-25' && isObject(capabilities.tasks)
    : isObject(capabilities.extensions) && TASKS_EXTENSION in capabilities.extensions

/** Whether tasks can be cancelled: a capability of its own in 2025-11-25, part of the extension since. */
export const cancelsTasks = (capabilities: JsonObject, revision: Revision): boolean =>
  revision >= '2026-07-28' || (isObject(capabilities.tasks) && isObject(capabilities.tasks.cancel))
