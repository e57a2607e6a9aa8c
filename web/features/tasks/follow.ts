/**
 * Follows tasks: polls each when it is due, fetches its result, subscribes if the server pushes changes, and sends the
 * user's actions. The fold reads the results from the Trace; this only decides what to send, and when.
 */
import { getOrInsert, isObject, messageOf, Signal } from '../../mcp/index.ts'
import type { Answers, CallOptions, JsonObject, Link, Peer, Seq, Subscription, Trace } from '../../mcp/index.ts'
import type { Kept } from '../feature.ts'
import { isTerminal, type Task, type TaskForm, type TaskInputRequest } from './task.ts'
import { offersTasks, type LinkTasks, type TasksByLink } from './tasks-fold.ts'

/** The part of a Session that is used here. */
export interface TaskSession {
  readonly trace: Trace
  readonly link: Link
  readonly peer: Peer | undefined
  /** @throws {UsageError} the session is not open */
  call(
    method: string,
    params?: JsonObject,
    options?: CallOptions,
  ): { readonly seq: Seq | undefined; readonly result: Promise<JsonObject> }
  /** @throws {UsageError} the protocol version has no subscriptions */
  listen(filter: JsonObject): Subscription
}

/** Polling interval in ms if the server doesn't name one. */
export const USUAL = 1000
/** Shortest polling interval in ms, even if the server names a shorter one. */
export const FLOOR = 200
/** Most concurrent polls, and ms between the starts of two, so that many tasks don't flood the server. */
const MOST_AT_ONCE = 4
const APART = 25
/** Polling interval in ms while the server pushes changes: TEXT-13 doesn't guarantee that it does. */
const BESIDE_PUSH = 30_000
/** Longest pause after failures, in ms, and the number of failures after which following stops. */
const LONGEST = 60_000
const MOST_FAILURES = 5
/** TEXT-05: a cancelled task is polled a few more times, because the server may finish it anyway. */
const LOOKS_AFTER_CANCEL = 5
/** Most attempts to fetch a result. */
const MOST_FETCHES = 3
/** ms to collect changes before the subscription is renewed, and the most tasks that it names. */
const GATHER = 250
const MOST_PUSHED = 200
/** Longest delay of a timer; a longer one would fire at once. */
const LONGEST_TIMER = 2_000_000_000

const ENDS: ReadonlySet<string> = new Set(['closed', 'failed', 'renewing'])

/** UT-TIME-05: `tasks/result` waits until the task ends. */
const PATIENT: CallOptions = { idle: Infinity, total: Infinity, progress: false }

interface Books {
  readonly current: TasksByLink
  subscribe(listener: () => void): () => void
}

export class TaskFollower {
  readonly #session: TaskSession
  readonly #books: Books
  readonly #answers: Answers
  readonly #changes = new Signal()
  /** Notifies when the user's choice or the mode of following changes, since no frame reports it. */
  readonly subscribe = this.#changes.subscribe
  /** The user's choice per task, if it differs from the default of following our own calls' tasks. */
  readonly #choices: Map<string, boolean>
  readonly #looking = new Set<string>()
  /** Consecutive failed polls, and the time of the last one. */
  readonly #failures = new Map<string, { readonly count: number; readonly at: number }>()
  readonly #fetches = new Map<string, number>()
  readonly #asked = new Set<string>()
  /** Input requests whose response is pending. */
  readonly #open = new Map<string, AbortController>()
  readonly #over = new AbortController()
  readonly #stops: (() => void)[]
  #timer: ReturnType<typeof setTimeout> | undefined
  #timerAt = Infinity
  #lastBegun = -Infinity
  #subscription: Subscription | undefined
  #pushed: ReadonlySet<string> = new Set()
  #pushSince = Infinity
  #pushRefused = false

  /**
   * @param answers handlers for the input requests of tasks (TEXT-09), as for any other server request
   * @param before the follower of the previous session, whose user choices are kept
   */
  constructor(session: TaskSession, books: Books, answers: Answers = {}, before?: TaskFollower) {
    this.#session = session
    this.#choices = before ? before.#choices : new Map<string, boolean>()
    this.#books = books
    this.#answers = answers
    this.#stops = [
      books.subscribe(() => this.#wake(0)),
      session.trace.subscribe((frame) => {
        if (frame.link === session.link && frame.kind === 'session' && ENDS.has(frame.phase)) this.stop()
      }),
    ]
    this.#wake(0)
  }

  get current(): this {
    return this
  }

  get stopped(): boolean {
    return this.#over.signal.aborted
  }

  /** Whether it is polled automatically, as far as its own state requires. */
  follows(task: Task): boolean {
    return this.#choices.get(task.id) ?? task.call !== undefined
  }

  /** Why it isn't polled automatically although it is followed. */
  restsFor(task: Task): 'done' | 'gone' | 'form' | 'failures' | 'cancel' | undefined {
    if (isTerminal(task)) return 'done'
    if (task.gone !== undefined) return 'gone'
    if (task.form !== this.#form) return 'form'
    if ((this.#failures.get(task.id)?.count ?? 0) >= MOST_FAILURES) return 'failures'
    if (task.cancel?.state === 'accepted' && task.cancel.looks >= LOOKS_AFTER_CANCEL) return 'cancel'
    return undefined
  }

  /** The server pushes its changes (TEXT-13): it confirmed that, and has done so. */
  isPushed(task: Task): boolean {
    if (task.pushes === 0) return false
    const { granted, state } = this.#subscription ?? {}
    return state === 'granted' && Array.isArray(granted?.taskIds) && granted.taskIds.includes(task.id)
  }

  /** When the next poll is due, in ms since the trace began; `undefined`: none is. */
  dueAt(task: Task): number | undefined {
    if (this.stopped || !this.follows(task) || this.restsFor(task)) return undefined
    // A task that waits for a response makes no progress.
    const least = task.state === 'input_required' ? USUAL : FLOOR
    const interval = Math.max(least, task.interval ?? USUAL)
    const failed = this.#failures.get(task.id)
    if (failed) return failed.at + Math.max(interval, Math.min(interval * 2 ** failed.count, LONGEST))
    return task.lastAt + (this.isPushed(task) ? Math.max(interval, BESIDE_PUSH) : interval)
  }

  follow(id: string, on: boolean): void {
    this.#choices.set(id, on)
    if (on) this.#failures.delete(id)
    this.#changes.emit()
    this.#wake(0)
  }

  /** Polls now; the task may have been created elsewhere. Never throws: the outcome is in the Trace. */
  async look(id: string): Promise<void> {
    if (this.#looking.has(id)) return
    this.#looking.add(id)
    this.#lastBegun = this.#session.trace.elapsed
    try {
      await this.#session.call('tasks/get', { taskId: id }).result
      this.#failures.delete(id)
    } catch {
      const count = (this.#failures.get(id)?.count ?? 0) + 1
      this.#failures.set(id, { count, at: this.#session.trace.elapsed })
    }
    this.#looking.delete(id)
    this.#wake(0)
  }

  /** TASK-11, TEXT-11: requests the cancellation, which the server may not honour. */
  async cancel(id: string): Promise<void> {
    await this.#ask('tasks/cancel', { taskId: id })
  }

  /** TASK-08: requests the task's result, in the form that the call itself would have had. */
  async fetch(id: string): Promise<void> {
    await this.#ask('tasks/result', { taskId: id }, PATIENT)
  }

  /** TEXT-07: answers one input request; the others stay pending. */
  async answer(id: string, key: string, response: JsonObject): Promise<void> {
    await this.#ask('tasks/update', { taskId: id, inputResponses: { [key]: response } })
    void this.look(id)
  }

  /** TASK-12 */
  async list(cursor?: string): Promise<void> {
    await this.#ask('tasks/list', cursor === undefined ? undefined : { cursor })
  }

  stop(): void {
    if (this.stopped) return
    this.#over.abort()
    clearTimeout(this.#timer)
    for (const stop of this.#stops) stop()
    this.#subscription?.close()
    this.#subscription = undefined
    this.#changes.emit()
  }

  get #book(): LinkTasks | undefined {
    return this.#books.current.get(this.#session.link)
  }

  get #form(): TaskForm | undefined {
    const { peer } = this.#session
    return peer && (peer.era === 'stateless' ? 'extension' : 'core')
  }

  async #ask(method: string, params?: JsonObject, options?: CallOptions): Promise<void> {
    try {
      await this.#session.call(method, params, options).result
    } catch {
      // The error is in the Trace.
    }
  }

  /** One timer for all tasks, at the earliest time that anything is due. */
  #wake(delay: number): void {
    if (this.stopped) return
    const at = this.#session.trace.elapsed + delay
    if (at >= this.#timerAt) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(
      () => {
        this.#timerAt = Infinity
        this.#turn()
      },
      Math.min(delay, LONGEST_TIMER),
    )
  }

  #turn(): void {
    const now = this.#session.trace.elapsed
    const tasks = [...(this.#book?.tasks.values() ?? [])].filter((task) => this.follows(task))
    for (const task of tasks) {
      this.#fetchIfDue(task)
      this.#answerIfAsked(task)
    }
    let next = this.#listenFor(tasks, now)
    const due = tasks.flatMap((task) => {
      const at = this.#looking.has(task.id) ? undefined : this.dueAt(task)
      return at === undefined ? [] : [{ id: task.id, at }]
    })
    due.sort((a, b) => a.at - b.at)
    for (const { id, at } of due) {
      const free = this.#looking.size < MOST_AT_ONCE
      const from = Math.max(at, this.#lastBegun + APART)
      if (from > now || !free) {
        // Later entries are due even later. If all slots are taken, the next poll to finish wakes us.
        if (free) next = Math.min(next, from)
        break
      }
      void this.look(id)
    }
    if (next < Infinity) this.#wake(Math.max(0, next - now))
  }

  /**
   * TASK-04, TASK-06: once the task has ended; earlier if the server needs input, because it sends its requests while
   * `tasks/result` is pending.
   */
  #fetchIfDue(task: Task): void {
    if (task.form !== 'core' || this.#form !== 'core' || task.awaiting !== undefined || task.outcome) return
    const due = task.state === 'completed' || task.state === 'failed' || task.state === 'input_required'
    const mark = `${task.id} ${task.state}`
    const fetches = this.#fetches.get(mark) ?? 0
    if (!due || task.gone !== undefined || fetches >= MOST_FETCHES) return
    this.#fetches.set(mark, fetches + 1)
    void this.fetch(task.id)
  }

  #answerIfAsked(task: Task): void {
    for (const question of task.inputRequests.values()) {
      const { method, key } = question
      if (question.state === 'withdrawn') this.#open.get(`${task.id} ${key}`)?.abort()
      const handler = method !== undefined && Object.hasOwn(this.#answers, method) ? this.#answers[method] : undefined
      const mark = `${task.id} ${key}`
      if (!handler || question.state !== 'open' || this.#asked.has(mark)) continue
      this.#asked.add(mark)
      void this.#handle(handler, task, question)
    }
  }

  async #handle(handler: Answers[string], task: Task, { key, params, seq }: TaskInputRequest): Promise<void> {
    const mark = `${task.id} ${key}`
    const withdrawn = new AbortController()
    this.#open.set(mark, withdrawn)
    const signal = AbortSignal.any([this.#over.signal, withdrawn.signal])
    try {
      const response = await handler(params, signal, { signal, call: task.call?.seq ?? seq, key, task: task.id })
      this.#open.delete(mark)
      if (signal.aborted) return
      await this.answer(task.id, key, response)
      // TEXT-07: a response that the server didn't accept is requested again.
      if (this.#book?.tasks.get(task.id)?.inputRequests.get(key)?.state === 'open') this.#asked.delete(mark)
    } catch (error) {
      this.#open.delete(mark)
      if (signal.aborted) return void this.#asked.delete(mark)
      // MRTR-10: there is no error response. The request stays pending, to be answered manually.
      this.#problems.set(mark, messageOf(error))
      this.#changes.emit()
    }
  }

  readonly #problems = new Map<string, string>()

  /** Why the handler of an input request didn't respond. */
  problemOf(task: Task, key: string): string | undefined {
    return this.#problems.get(`${task.id} ${key}`)
  }

  /**
   * TEXT-13: one subscription for all unfinished tasks. A different set of tasks needs a new subscription (SUB-11).
   * @returns when to check again
   */
  #listenFor(tasks: readonly Task[], now: number): number {
    const { peer } = this.#session
    if (this.#form !== 'extension' || !peer || !offersTasks(peer.capabilities, peer.revision)) return Infinity
    const { state, granted } = this.#subscription ?? {}
    if (state === 'refused' || (state === 'granted' && !Array.isArray(granted?.taskIds))) {
      this.#subscription?.close()
      this.#subscription = undefined
      this.#pushRefused = true
    }
    if (this.#pushRefused) return Infinity
    const alive = tasks.filter((task) => !this.restsFor(task)).slice(-MOST_PUSHED)
    const changed = alive.length !== this.#pushed.size || alive.some(({ id }) => !this.#pushed.has(id))
    if (!changed) {
      this.#pushSince = Infinity
      return Infinity
    }
    this.#pushSince = Math.min(this.#pushSince, now)
    if (now < this.#pushSince + GATHER) return this.#pushSince + GATHER
    this.#pushSince = Infinity
    this.#pushed = new Set(alive.map(({ id }) => id))
    const before = this.#subscription
    this.#subscription = undefined
    try {
      if (alive.length > 0) this.#subscription = this.#session.listen({ taskIds: [...this.#pushed] })
    } catch {
      this.#pushRefused = true
    }
    before?.close()
    return Infinity
  }
}

type Followers = Map<Link, { readonly session: TaskSession; readonly follower: TaskFollower }>

const followers = new WeakMap<Trace, Followers>()

/** The follower of a session. There is only one; its input requests go to the handlers of the first caller. */
export const followerOf = (session: TaskSession, books: Books, answers: Answers = {}): TaskFollower => {
  const links: Followers = getOrInsert(followers, session.trace, () => new Map())
  const known = links.get(session.link)
  if (known?.session === session && !known.follower.stopped) return known.follower
  known?.follower.stop()
  const follower = new TaskFollower(session, books, answers, known?.follower)
  links.set(session.link, { session, follower })
  return follower
}

/** Whether the server lists its tasks (TASK-12). */
export const listsTasks = ({ capabilities, revision }: Peer): boolean =>
  revision < '2026-07-28' && isObject(capabilities.tasks) && isObject(capabilities.tasks.list)

/** The stored IDs of unfinished tasks: their name, how many, and their most characters. */
const STORED = 'tasks'
const MOST_STORED = 100
const LONGEST_ID = 500

/** Follows the stored tasks again after a reload (TEXT-06), and stores those followed until the follower stops. */
export const keepTasks = (kept: Kept, link: Link, books: Books, follower: TaskFollower): void => {
  const before = kept.get(STORED)
  let written: readonly string[] = Array.isArray(before)
    ? before.filter((id): id is string => typeof id === 'string' && id.length <= LONGEST_ID).slice(-MOST_STORED)
    : []
  for (const id of written) {
    follower.follow(id, true)
    void follower.look(id)
  }
  const keep = () => {
    if (follower.stopped) return stop()
    const tasks = books.current.get(link)?.tasks
    if (!tasks) return
    const known = [...tasks.values()].filter(({ form }) => form === 'extension')
    const done = new Set(known.filter((task) => isTerminal(task) || task.gone !== undefined).map(({ id }) => id))
    const going = known.map(({ id }) => id).filter((id) => id.length <= LONGEST_ID)
    const now = [...new Set([...written, ...going])].filter((id) => !done.has(id)).slice(-MOST_STORED)
    if (now.join('\n') === written.join('\n')) return
    written = now
    kept.set(STORED, [...now])
  }
  const stop = books.subscribe(keep)
}
