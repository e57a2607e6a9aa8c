/**
 * The server requests in one message: a request, or inside a result (MRTR-02), a task (TEXT-07) or an error (BP-34).
 */
import { isObject, type Json, type JsonObject } from '../../mcp/index.ts'
import { type Observed, Recent, step } from '../../lint/index.ts'

export interface RequestInMessage {
  readonly method: string
  readonly params: JsonObject
  /** JSON pointer (RFC 6901) to `params`, into the message of the frame. */
  readonly pointer: string
  /** Task and key, which identify a request that recurs in each poll; absent if it can't recur. */
  readonly again?: string
}

/** Most entries examined per message. */
const MOST = 100

const requestsInMessage = ({ kind, method, params, result, error, at }: Observed): readonly RequestInMessage[] => {
  if (kind === 'request') return method === undefined ? [] : [{ method, params, pointer: `${at}/params` }]
  if (kind === 'notification') return method === 'notifications/tasks' ? entriesOf(params, `${at}/params`) : []
  if (result) return entriesOf(result, `${at}/result`)
  const data = error?.data
  const listed = isObject(data) ? data.elicitations : undefined
  if (!Array.isArray(listed)) return []
  return (listed as readonly Json[])
    .slice(0, MOST)
    .flatMap((each, index) =>
      isObject(each)
        ? [{ method: 'elicitation/create', params: each, pointer: `${at}/error/data/elicitations/${index}` }]
        : [],
    )
}

/**
 * Reads the requests of one method from messages, each once: a task repeats its requests with each poll.
 * @returns for each message: its requests
 */
export const requestReader = (method: string): ((observed: Observed) => readonly RequestInMessage[]) => {
  const read = new Recent<string, true>(1_000)
  return (observed) =>
    requestsInMessage(observed).filter(({ method: of, again }) => {
      if (of !== method || (again !== undefined && read.has(again))) return false
      if (again !== undefined) read.set(again, true)
      return true
    })
}

const entriesOf = ({ inputRequests, taskId }: JsonObject, pointer: string): readonly RequestInMessage[] => {
  if (!isObject(inputRequests)) return []
  return Object.entries(inputRequests)
    .slice(0, MOST)
    .flatMap(([key, each]) =>
      isObject(each) && typeof each.method === 'string'
        ? [
            {
              method: each.method,
              params: isObject(each.params) ? each.params : {},
              pointer: `${step(`${pointer}/inputRequests`, key)}/params`,
              ...(typeof taskId === 'string' ? { again: JSON.stringify([taskId, key]) } : {}),
            },
          ]
        : [],
    )
}
