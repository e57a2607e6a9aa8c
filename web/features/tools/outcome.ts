/**
 * The outcome of a call, read from its exchange and its response frame. A result with `isError` is a result; a JSON-RPC
 * error isn't. The two are kept separate everywhere (SF-TOOL-18).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling
 */
import { isObject } from '../../mcp/index.ts'
import type { Exchanges, Json, JsonObject, Trace } from '../../mcp/index.ts'
import { tablesIn } from '../../ui/index.ts'
import {
  plainOutcomeOf,
  requestSeqsFold,
  type CallOutcome,
  type PlainOutcome,
  type RequestSeqs,
} from '../calls/index.ts'
import { isTerminal, outcomeIn, type Task, type LinkTasks, type TaskOutcome } from '../tasks/index.ts'

type CallState = CallOutcome['state']

/** The outcome of a tool call, and the task that the call became, if any (TASK-04, TEXT-02). */
export interface ToolOutcome extends Omit<PlainOutcome, 'state'> {
  readonly state: CallState
  readonly task?: Task
}

/** The outcome without its call. */
type Outcome = Omit<ToolOutcome, 'seq' | 'rounds' | 'exchange'>

/** The latest calls of each tool. Their outcomes are in the exchanges. */
export const callsFold = requestSeqsFold('tools/call', 'name')

/**
 * Joins the calls of a tool with their exchanges, and with the tasks that some became.
 * @param calls oldest first
 * @param tasks the tasks of the same connection
 */
export const toolOutcomes = (
  calls: readonly RequestSeqs[],
  exchanges: Exchanges['bySeq'],
  tasks: LinkTasks | undefined,
  trace: Pick<Trace, 'at'>,
): readonly ToolOutcome[] =>
  calls.flatMap((rounds): ToolOutcome[] => {
    const call = plainOutcomeOf(rounds, exchanges, (seq) => trace.at(seq))
    if (!call) return []
    const task = tasks?.tasks.get(tasks.byCall.get(rounds.at(-1)!) ?? '')
    if (!task) return [call]
    const startedAt = exchanges.get(call.seq)?.startedAt ?? call.exchange.startedAt
    const { seq, exchange } = call
    return [{ seq, rounds, exchange, ...outcomeOfTask(call, { ...task }, outcomeIn(trace, task), startedAt) }]
  })

/**
 * The outcome of a call that became a task: the task's own result, in the form that the call would have returned
 * (TASK-08).
 * @param call the outcome of the call itself
 * @param came the outcome of the task, if it has one
 * @param startedAt when the call started
 */
export const outcomeOfTask = (call: Outcome, task: Task, came: TaskOutcome | undefined, startedAt: number): Outcome => {
  if (!came || !task.outcome) {
    // The call's own response describes the task; it isn't the tool's result.
    const { result: _, ...handle } = call
    if (task.state === 'cancelled') return { ...handle, task, state: 'cancelled', took: task.lastAt - startedAt }
    // In 2025-11-25 a task ends without its result, which must be fetched.
    const failed = task.state === 'failed' && task.form === 'extension'
    return { ...handle, task, state: failed ? 'error' : 'task' }
  }
  const { result, error, message, raw, size, at, released } = came
  const isEmpty = task.state === 'cancelled' && !Array.isArray(result?.content)
  return {
    task,
    state: stateOfTask(task, came),
    ...(message ? { message } : {}),
    ...(raw === undefined ? {} : { raw }),
    ...(result && !isEmpty ? { result } : {}),
    ...(error ? { error } : {}),
    ...(released ? { released } : {}),
    size,
    took: at - startedAt,
    answer: task.outcome.seq,
  }
}

/** A cancelled task means a cancelled call, whatever the server responds. */
const stateOfTask = (task: Task, { result, error }: TaskOutcome): CallState => {
  if (task.state === 'cancelled') return 'cancelled'
  if (error) return 'error'
  return result?.isError === true ? 'tool-error' : isTerminal(task) ? 'ok' : 'task'
}

/** Whether the last response requests input (MRTR-01): the call waits for it, or was abandoned while waiting. */
export const requiresInput = ({ result }: Pick<Outcome, 'result'>): boolean => result?.resultType === 'input_required'

/**
 * The input that a result requests before the call continues (MRTR-02), by key; empty if it only asks for a retry
 * (MRTR-03).
 */
export const inputRequestsIn = (
  result: JsonObject | undefined,
): readonly { key: string; method: string; raw: Json }[] => {
  const requests = isObject(result?.inputRequests) ? result.inputRequests : {}
  return Object.entries(requests).map(([key, raw]) => ({
    key,
    method: isObject(raw) && typeof raw.method === 'string' ? raw.method : '?',
    raw: raw!,
  }))
}

/** The views that a result offers, in order; the first is the default. */
export const viewsOf = ({
  state,
  result,
  message,
  task,
}: Outcome): readonly ('structured' | 'table' | 'content' | 'raw')[] => {
  if (!message) return []
  if (state === 'task' || requiresInput({ result }) || (state === 'cancelled' && task && !result)) return ['raw']
  if (!result || state === 'error') return ['content', 'raw']
  const { structuredContent } = result
  if (structuredContent === undefined) return ['content', 'raw']
  return tablesIn(structuredContent, 1).length > 0
    ? ['structured', 'table', 'content', 'raw']
    : ['structured', 'content', 'raw']
}
