/**
 * Tasks that this client runs for a server (2025-11-25): the server sends a sampling or elicitation request with
 * `params.task`, gets a task at once, polls it, and loads the response with `tasks/result` (TASK-13).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
import { ProtocolError } from './errors.ts'
import type { Json, JsonObject } from './frame.ts'
import { ErrorCode, type ErrorObject, isObject } from './jsonrpc.ts'
import { META } from './meta-keys.ts'
import { randomUuid } from './web-crypto.ts'

/** The members of a JSON-RPC response. */
export type Outcome = { readonly result: JsonObject } | { readonly error: ErrorObject & JsonObject }

/** The requests that may run as tasks, and the part of the `tasks` capability that each requires (TASK-01). */
const AUGMENTED: Readonly<Record<string, string>> = {
  'sampling/createMessage': 'requests.sampling.createMessage',
  'elicitation/create': 'requests.elicitation.create',
}
/** The methods of tasks, and the part that each requires besides `tasks` itself. */
const METHODS: Readonly<Record<string, string>> = {
  'tasks/get': '',
  'tasks/result': '',
  'tasks/list': 'list',
  'tasks/cancel': 'cancel',
}

/** Whether a server may send this request as a task. */
export const mayBeTask = (method: string): boolean => Object.hasOwn(AUGMENTED, method)

/** Whether a request is about tasks. */
export const isTaskMethod = (method: string): boolean => Object.hasOwn(METHODS, method)

/** ms between two polls, as suggested to the server. */
const POLL_INTERVAL = 1000
/** ms that a task exists: unless the server requests another time, and at most (TASK-15). */
const USUAL_TTL = 3_600_000
const LONGEST_TTL = 86_400_000
/** The server decides how many tasks it creates. */
const MOST = 1000
/** Tasks per page of `tasks/list`. */
const PAGE = 50

interface HostedTask {
  readonly id: string
  /** Counts up, so that a cursor stays valid when tasks expire. */
  readonly number: number
  readonly ttl: number
  /** ms since 1970. */
  readonly createdAt: number
  updatedAt: number
  /**
   * A task starts as `working` and stays so while the user is asked: `input_required` would mean input from the server
   * (TASK-09).
   */
  status: 'working' | 'completed' | 'failed' | 'cancelled'
  statusMessage?: string
  outcome?: Outcome
  readonly abort: AbortController
  readonly ended: Promise<void>
  readonly end: () => void
  /** Resolves once the server knows the task. */
  delivered: Promise<void>
  expiry?: ReturnType<typeof setTimeout>
}

export interface HostedTasksOptions {
  /** The `tasks` capability that was declared to this server; `undefined`: none. */
  readonly declared: () => Json | undefined
  readonly notify: (method: string, params: JsonObject) => void
}

export class HostedTasks {
  readonly #options: HostedTasksOptions
  readonly #tasks = new Map<string, HostedTask>()
  /** Tasks of a session that is over: nothing is sent about them. */
  readonly #over = new WeakSet<HostedTask>()
  #created = 0

  constructor(options: HostedTasksOptions) {
    this.#options = options
  }

  /** Whether a request creates a task. Without the capability, its `task` is ignored (TASK-14). */
  takes(method: string, { task }: JsonObject): boolean {
    return isObject(task) && mayBeTask(method) && this.#declares(AUGMENTED[method]!)
  }

  /** Whether a request concerns these tasks. */
  serves(method: string): boolean {
    return isTaskMethod(method) && this.#declares(METHODS[method]!)
  }

  /**
   * @param params of the request
   * @returns the id of the new task, and the response: `CreateTaskResult` (TASK-04)
   * @throws {ProtocolError} there are too many unfinished tasks
   */
  create(params: JsonObject): { readonly id: string; readonly result: JsonObject } {
    const ttl = isObject(params.task) ? params.task.ttl : undefined
    if (this.#tasks.size >= MOST) this.#makeRoom()
    const now = Date.now()
    let end!: () => void
    const task: HostedTask = {
      id: randomUuid(),
      number: ++this.#created,
      ttl: typeof ttl === 'number' && ttl >= 1 ? Math.min(Math.floor(ttl), LONGEST_TTL) : USUAL_TTL,
      createdAt: now,
      updatedAt: now,
      status: 'working',
      abort: new AbortController(),
      ended: new Promise((resolve) => (end = resolve)),
      end,
      delivered: Promise.resolve(),
    }
    this.#tasks.set(task.id, task)
    task.expiry = setTimeout(() => this.#expire(task), task.ttl)
    return { id: task.id, result: { task: wireFormOf(task) } }
  }

  /**
   * Runs the request behind a task.
   * @param delivered resolves once the server knows the task: no notification may be earlier
   * @returns resolves when the task has ended, whatever its state
   */
  async run(id: string, delivered: Promise<void>, respond: (signal: AbortSignal) => Promise<Outcome>): Promise<void> {
    const task = this.#find(id)
    task.delivered = delivered
    void respond(task.abort.signal).then((outcome) => {
      if ('result' in outcome) this.#end(task, 'completed', undefined, outcome)
      else this.#end(task, 'failed', outcome.error.message, outcome)
    })
    await task.ended
  }

  /** @throws {ProtocolError} */
  async answer(method: string, params: JsonObject): Promise<JsonObject> {
    if (method === 'tasks/list') return this.#list(params.cursor)
    const task = this.#find(params.taskId)
    if (method === 'tasks/get') return wireFormOf(task)
    if (method === 'tasks/result') return await this.#result(task)
    if (task.status !== 'working') {
      throw new ProtocolError(ErrorCode.InvalidParams, `The task is already ${task.status}`)
    }
    this.#end(task, 'cancelled', 'Cancelled by tasks/cancel')
    return wireFormOf(task)
  }

  /** Ends all tasks without a message: the session that they belong to is over. */
  close(): void {
    const tasks = [...this.#tasks.values()]
    this.#tasks.clear()
    for (const task of tasks) this.#stop(task)
  }

  #declares(part: string): boolean {
    let here = this.#options.declared()
    for (const step of part === '' ? [] : part.split('.')) here = isObject(here) ? here[step] : undefined
    return isObject(here)
  }

  #find(id: Json | undefined): HostedTask {
    const task = typeof id === 'string' ? this.#tasks.get(id) : undefined
    if (!task) throw new ProtocolError(ErrorCode.InvalidParams, 'Task not found')
    return task
  }

  /** TASK-08: the same result or error that the request itself would have had, once there is one. */
  async #result(task: HostedTask): Promise<JsonObject> {
    await task.ended
    const { outcome } = task
    if (!outcome) throw new ProtocolError(ErrorCode.InvalidParams, 'The task was cancelled, so it has no result')
    if ('error' in outcome) throw new ProtocolError(outcome.error.code, outcome.error.message, outcome.error.data)
    const { _meta } = outcome.result
    // TASK-07
    return { ...outcome.result, _meta: { ...(isObject(_meta) ? _meta : {}), [META.relatedTask]: { taskId: task.id } } }
  }

  /** TASK-12. The cursor is the number of the last task on the page before. */
  #list(cursor: Json | undefined): JsonObject {
    if (cursor !== undefined && (typeof cursor !== 'string' || !/^\d{1,15}$/.test(cursor))) {
      throw new ProtocolError(ErrorCode.InvalidParams, 'Invalid cursor')
    }
    const after = cursor === undefined ? 0 : Number(cursor)
    const left = [...this.#tasks.values()].filter(({ number }) => number > after)
    const page = left.slice(0, PAGE)
    return { tasks: page.map(wireFormOf), ...(left.length > PAGE ? { nextCursor: String(page.at(-1)!.number) } : {}) }
  }

  #end(task: HostedTask, status: HostedTask['status'], statusMessage?: string, outcome?: Outcome): void {
    // TASK-09: a final state stays. An outcome that arrives later is dropped.
    if (task.status !== 'working' || !this.#tasks.has(task.id)) return
    Object.assign(task, { status, updatedAt: Date.now(), ...(statusMessage === undefined ? {} : { statusMessage }) })
    if (outcome) task.outcome = outcome
    else task.abort.abort()
    task.end()
    const params = wireFormOf(task)
    void task.delivered.then(() => {
      if (!this.#over.has(task)) this.#options.notify('notifications/tasks/status', params)
    })
  }

  #stop(task: HostedTask): void {
    clearTimeout(task.expiry)
    this.#over.add(task)
    task.abort.abort()
    task.end()
  }

  /** TASK-15. The user need not respond any more. */
  #expire(task: HostedTask): void {
    this.#end(task, 'cancelled', 'Expired before there was a response')
    this.#tasks.delete(task.id)
  }

  /** The oldest task that has ended makes room for a new one. */
  #makeRoom(): void {
    const oldest = [...this.#tasks.values()].find(({ status }) => status !== 'working')
    if (!oldest) throw new ProtocolError(ErrorCode.InternalError, 'Too many requests at once')
    clearTimeout(oldest.expiry)
    this.#tasks.delete(oldest.id)
  }
}

/** A task as the protocol has it. */
const wireFormOf = ({ id, status, statusMessage, createdAt, updatedAt, ttl }: HostedTask): JsonObject => ({
  taskId: id,
  status,
  ...(statusMessage === undefined ? {} : { statusMessage }),
  createdAt: new Date(createdAt).toISOString(),
  lastUpdatedAt: new Date(updatedAt).toISOString(),
  ttl,
  pollInterval: POLL_INTERVAL,
})
