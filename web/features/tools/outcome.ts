/**
 * The outcome of a call, read from its exchange and its response frame. A result with `isError` is a result; a JSON-RPC
 * error isn't. The two are kept separate everywhere (SF-TOOL-18).
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling
 */
import { isObject } from '../../mcp/index.ts'
import type { ErrorObject, Exchanges, ExchangeStatus, Json, JsonObject, Revision, Seq, Trace } from '../../mcp/index.ts'
import { tablesIn } from '../../ui/index.ts'
import { plainOutcomeOf, type CallOutcome, type Rounds, roundsFold } from '../calls/index.ts'
import { isTerminal, outcomeIn, type Task, type LinkTasks, type TaskOutcome } from '../tasks/index.ts'

/** `task`: the response is a task without a result yet. */
export type CallState = ExchangeStatus | 'task'

export interface Outcome {
  readonly state: CallState
  /** The whole response; absent if none arrived, or if its body was released to keep the memory budget. */
  readonly message?: JsonObject
  /** Its exact text, if that differs from the serialized message. */
  readonly raw?: string
  readonly result?: JsonObject
  /** Size of the response in UTF-8 bytes. */
  readonly size?: number
  /** ms from the request to the end. */
  readonly took?: number
  /** A response arrived, but its body was released. */
  readonly released?: true
  /** The error of the task that the call became, if it isn't that of the exchange. */
  readonly error?: ErrorObject
  /** The frame that holds the response. */
  readonly answer?: Seq
  /** The task that the call became, if any (TASK-04, TEXT-02). */
  readonly task?: Task
}

/** An outcome together with its call. */
export interface ToolOutcome extends CallOutcome, Outcome {
  readonly state: CallState
}

/** The latest calls of each tool. Their outcomes are in the exchanges. */
export const callsFold = roundsFold('tools/call', 'name')

/**
 * Joins the calls of a tool with their exchanges, and with the tasks that some became.
 * @param calls oldest first
 * @param book the tasks of the same connection
 */
export const toolOutcomes = (
  calls: readonly Rounds[],
  exchanges: Exchanges['bySeq'],
  book: LinkTasks | undefined,
  trace: Pick<Trace, 'at'>,
): readonly ToolOutcome[] =>
  calls.flatMap((rounds): ToolOutcome[] => {
    const call = plainOutcomeOf(rounds, exchanges, (seq) => trace.at(seq))
    if (!call) return []
    const task = book?.tasks.get(book.byCall.get(rounds.at(-1)!) ?? '')
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
export const asksBack = ({ result }: Pick<Outcome, 'result'>): boolean => result?.resultType === 'input_required'

/**
 * The input that a result requests before the call continues (MRTR-02), by key; empty if it only asks for a retry
 * (MRTR-03).
 */
export const questionsIn = (result: JsonObject | undefined): readonly { key: string; method: string; raw: Json }[] => {
  const requests = isObject(result?.inputRequests) ? result.inputRequests : {}
  return Object.entries(requests).map(([key, raw]) => ({
    key,
    method: isObject(raw) && typeof raw.method === 'string' ? raw.method : '?',
    raw: raw!,
  }))
}

/** A problem of a result, as a code for the catalogues. */
export interface ResultFinding {
  readonly code:
    | 'content-missing'
    | 'structured-missing'
    | 'structured-no-object'
    | 'structured-not-repeated'
    | 'structured-unknown'
    | 'is-error-no-boolean'
  readonly rule: string
  readonly keyword: 'MUST' | 'SHOULD'
}

/**
 * The rules for a tool's result that need neither a schema validator nor its texts.
 * @param hasOutputSchema whether the listed tool has an outputSchema
 */
export const resultFindings = (
  result: JsonObject,
  hasOutputSchema: boolean,
  revision: Revision | undefined,
): readonly ResultFinding[] => {
  const findings: ResultFinding[] = []
  const structured = result.structuredContent
  const failed = result.isError === true
  if (!Array.isArray(result.content)) findings.push({ code: 'content-missing', rule: 'SF-TOOL-09', keyword: 'MUST' })
  if (result.isError !== undefined && typeof result.isError !== 'boolean') {
    findings.push({ code: 'is-error-no-boolean', rule: 'SF-TOOL-18', keyword: 'MUST' })
  }
  if (structured === undefined) {
    if (hasOutputSchema && !failed && (!revision || revision >= '2025-06-18')) {
      findings.push({ code: 'structured-missing', rule: 'SF-TOOL-14', keyword: 'MUST' })
    }
    return findings
  }
  if (revision && revision < '2025-06-18') {
    findings.push({ code: 'structured-unknown', rule: 'LC-09', keyword: 'SHOULD' })
  } else if (!isObject(structured) && revision && revision < '2026-07-28') {
    findings.push({ code: 'structured-no-object', rule: 'SF-TOOL-15', keyword: 'MUST' })
  }
  return findings
}

/** Reported if the structured content isn't repeated as text. Separate, because that check takes time. */
export const notRepeated: ResultFinding = { code: 'structured-not-repeated', rule: 'SF-TOOL-17', keyword: 'SHOULD' }

/** The views that a result offers, in order; the first is the default. */
export const viewsOf = ({
  state,
  result,
  message,
  task,
}: Outcome): readonly ('structured' | 'table' | 'content' | 'raw')[] => {
  if (!message) return []
  if (state === 'task' || asksBack({ result }) || (state === 'cancelled' && task && !result)) return ['raw']
  if (!result || state === 'error') return ['content', 'raw']
  const { structuredContent } = result
  if (structuredContent === undefined) return ['content', 'raw']
  return tablesIn(structuredContent, 1).length > 0
    ? ['structured', 'table', 'content', 'raw']
    : ['structured', 'content', 'raw']
}
