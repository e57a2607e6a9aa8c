/**
 * The tasks that this client runs for servers (TASK-13): sampling and elicitation requests with `params.task`, what was
 * reported of them, and the response once the server has loaded it. A fold over the Trace alone;
 * `web/mcp/hosted-tasks.ts` runs the tasks.
 */
import {
  getOrInsert,
  isObject,
  isRequestId,
  isTaskMethod,
  mayBeTask,
  messagesIn,
  RequestsById,
  setBounded,
} from '../../mcp/index.ts'
import type { Fold, Json, JsonObject, Link, MessageFrame, Seq } from '../../mcp/index.ts'
import { isTerminal, taskReportOf, type TaskState } from './task.ts'

/** Tasks stored per connection; older ones are still in the Trace. */
const TASKS_KEPT = 1000

export interface HostedTask {
  readonly id: string
  /** The frame of the request that runs as this task. */
  readonly request: Seq
  readonly method: string
  readonly wantedTtl: Json | undefined
  /** The frame that reported it first, and its time. */
  readonly seq: Seq
  readonly since: number
  state: TaskState
  message?: string
  ttl?: number | null
  /** The last frame about it, and its time. */
  last: Seq
  lastAt: number
  /** Number of `tasks/get` from the server. */
  polls: number
  /** The session ended first. */
  lost?: true
  /** The frame of the first response to `tasks/result`. */
  outcome?: Seq
}

interface Received {
  readonly seq: Seq
  readonly method: string
  /** `params.taskId` */
  readonly task: string | undefined
  readonly wantedTtl: Json | undefined
}

export interface LinkHostedTasks {
  readonly tasks: Map<string, HostedTask>
  /** Requests from the server that have no response yet. */
  readonly received: RequestsById<Received>
  /** The task that changed last. */
  latest?: HostedTask
}

export type HostedTasksByLink = Map<Link, LinkHostedTasks>

const ENDS: ReadonlySet<string> = new Set(['closed', 'failed', 'renewing'])

export const hostedTasksFold: Fold<HostedTasksByLink> = {
  initial: () => new Map(),

  step(links, frame) {
    if (frame.kind === 'session') return ENDS.has(frame.phase) ? lose(links.get(frame.link)) : false
    if (frame.kind !== 'message') return false
    let moved = false
    for (const part of messagesIn(frame.message)) if (stepMessage(links, frame, part)) moved = true
    return moved ? undefined : false
  },
}

const stepMessage = (links: HostedTasksByLink, frame: MessageFrame, message: JsonObject): boolean => {
  const { method, id } = message
  const params = isObject(message.params) ? message.params : {}
  if (frame.direction === 'received') {
    const isAugmented = typeof method === 'string' && mayBeTask(method) && isObject(params.task)
    if (typeof method !== 'string' || !(isAugmented || isTaskMethod(method))) return false
    const of = getOrInsert(links, frame.link, () => ({ tasks: new Map(), received: new RequestsById<Received>() }))
    const task = typeof params.taskId === 'string' && !isAugmented ? params.taskId : undefined
    const wantedTtl = isObject(params.task) ? params.task.ttl : undefined
    of.received.add(id, { seq: frame.seq, method, task, wantedTtl })
    return false
  }
  const of = links.get(frame.link)
  if (!of) return false
  if (method === 'notifications/tasks/status') return report(of, frame, params)
  const request = method === undefined && isRequestId(id) ? of.received.take(id) : undefined
  return request !== undefined && responded(of, frame, request, message)
}

const responded = (of: LinkHostedTasks, frame: MessageFrame, request: Received, message: JsonObject): boolean => {
  const { method, seq } = request
  const result = isObject(message.result) ? message.result : undefined
  if (mayBeTask(method)) return create(of, frame, request, result?.task)
  const task = request.task === undefined ? undefined : of.tasks.get(request.task)
  if (!task || seq < task.seq) return false
  if (method === 'tasks/get' && result) task.polls++
  if (method !== 'tasks/result') return report(of, frame, result)
  // The error for a task that was cancelled isn't its outcome.
  if (task.state === 'cancelled') return false
  task.outcome ??= frame.seq
  task.state = result ? 'completed' : 'failed'
  return touch(of, frame, task)
}

const create = (of: LinkHostedTasks, frame: MessageFrame, request: Received, raw: Json | undefined): boolean => {
  const told = taskReportOf(raw, 'core', false)
  if (!told) return false
  const { seq, at } = frame
  const { method, wantedTtl } = request
  const made = { id: told.id, request: request.seq, method, wantedTtl, seq, since: at, polls: 0 }
  setBounded(of.tasks, told.id, { ...made, state: told.state, last: seq, lastAt: at }, TASKS_KEPT)
  return report(of, frame, raw)
}

const report = (of: LinkHostedTasks, frame: MessageFrame, raw: Json | undefined): boolean => {
  const told = taskReportOf(raw, 'core', false)
  const task = told && of.tasks.get(told.id)
  if (!task) return false
  if (!isTerminal(task)) task.state = told.state
  if (told.message !== undefined) task.message = told.message
  if (told.ttl !== undefined) task.ttl = told.ttl
  return touch(of, frame, task)
}

const touch = (of: LinkHostedTasks, { seq, at }: MessageFrame, task: HostedTask): true => {
  task.last = seq
  task.lastAt = at
  of.latest = task
  return true
}

const lose = (of: LinkHostedTasks | undefined): void | false => {
  if (!of) return false
  of.received.takeAll()
  const open = [...of.tasks.values()].filter((task) => !isTerminal(task) && !task.lost)
  for (const task of open) task.lost = true
  return open.length > 0 ? undefined : false
}

/** The task that a frame concerns. */
export const hostedTaskOf = (links: HostedTasksByLink, { link, seq }: MessageFrame): HostedTask | undefined => {
  const latest = links.get(link)?.latest
  return latest?.last === seq ? latest : undefined
}
