/**
 * What became of a call, read from its exchange and the frame of its answer.
 *
 * A result with `isError` is a result; a JSON-RPC error is none. The two are kept apart everywhere (SF-TOOL-18).
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling
 */
import { isObject } from '../../mcp/index.ts'
import type { ErrorObject, Exchanges, ExchangeStatus, Json, JsonObject, Revision, Seq, Trace } from '../../mcp/index.ts'
import { tablesIn } from '../../ui/index.ts'
import { plainOutcomeOf, type CallOutcome, type Rounds, roundsFold } from '../calls/index.ts'
import { isTerminal, outcomeIn, type Task, type LinkTasks, type TaskOutcome } from '../tasks/index.ts'

/** `task`: the answer is a task, and nothing has come of it yet. */
export type CallState = ExchangeStatus | 'task'

export interface Outcome {
  readonly state: CallState
  /** The whole answer; absent where none came, or where its body was released to keep the byte budget. */
  readonly message?: JsonObject
  /** Its exact text, if that differs from the serialized message. */
  readonly raw?: string
  readonly result?: JsonObject
  /** UTF-8 bytes of the answer. */
  readonly size?: number
  /** ms from request to end. */
  readonly took?: number
  /** An answer came, but its body is gone. */
  readonly released?: true
  /** Where the error is not that of the exchange, but of the task that the call became. */
  readonly error?: ErrorObject
  /** The frame that holds the answer. */
  readonly answer?: Seq
  /** What the call became, where it did (TASK-04, TEXT-02). */
  readonly task?: Task
}

/** An outcome with the call it belongs to. */
export interface ToolOutcome extends CallOutcome, Outcome {
  readonly state: CallState
}

/** The last calls of each tool. What became of them is told by the exchanges. */
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
 * What became of a call that became a task: the task's own result, as the call would have been answered (TASK-08).
 * @param call the outcome of the call itself
 * @param came what came of the task, where something has
 * @param startedAt of the call
 */
export const outcomeOfTask = (call: Outcome, task: Task, came: TaskOutcome | undefined, startedAt: number): Outcome => {
  if (!came || !task.outcome) {
    // What the call was answered with tells of the task: it is no result of the tool.
    const { result: _, ...handle } = call
    if (task.state === 'cancelled') return { ...handle, task, state: 'cancelled', took: task.lastAt - startedAt }
    // What 2025-11-25 ends without is still to be fetched.
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

/** Whatever a server answers for a cancelled task, the call was cancelled. */
const stateOfTask = (task: Task, { result, error }: TaskOutcome): CallState => {
  if (task.state === 'cancelled') return 'cancelled'
  if (error) return 'error'
  return result?.isError === true ? 'tool-error' : isTerminal(task) ? 'ok' : 'task'
}

/** Whether the last response asks for something (MRTR-01): the call waits, or was given up while it did. */
export const asksBack = ({ result }: Pick<Outcome, 'result'>): boolean => result?.resultType === 'input_required'

/** What a result asks for before the call goes on (MRTR-02), by key; empty where it only asks for another try (MRTR-03). */
export const questionsIn = (result: JsonObject | undefined): readonly { key: string; method: string; raw: Json }[] => {
  const requests = isObject(result?.inputRequests) ? result.inputRequests : {}
  return Object.entries(requests).map(([key, raw]) => ({
    key,
    method: isObject(raw) && typeof raw.method === 'string' ? raw.method : '?',
    raw: raw!,
  }))
}

/** What is wrong with a result, as a code for the catalogues. */
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
 * The rules on a tool's result that need no schema validator and no look into its texts.
 * @param hasOutputSchema of the tool, as far as the list says
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

/** What there is to say where the structured content is not repeated as text; to find that out takes its time. */
export const notRepeated: ResultFinding = { code: 'structured-not-repeated', rule: 'SF-TOOL-17', keyword: 'SHOULD' }

/** Which views a result offers, in order; the first is shown unless the user chose another. */
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
