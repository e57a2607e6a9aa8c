/** The verdict on one message: its envelope, then parameters or result by method, in the protocol version in force. */
import type { Json, JsonObject } from '../frame.ts'
import { isObject } from '../jsonrpc.ts'
import type { Revision } from '../revision.ts'
import { errorData, errorIn } from './error-codes.ts'
import { show, Walk, type Breach, type Path } from './interpret.ts'
import { mayGo, methodIn, rowsOf, type MethodRow } from './methods.ts'
import { TASKS_EXTENSION } from '../meta-keys.ts'
import { anyNotificationParams, anyRequestParams, anyResult, createTaskResult } from './params-and-results.ts'
import { inputRequiredResult, notificationParams, requests, taskHandle } from './params-and-results.ts'
import { any, by, id, integer, literal, object, optional, requiredUntil, string, type FieldNodes } from './shape.ts'

export interface Context {
  /**
   * The protocol version in force: the negotiated one, or since 2026-07-28 the one in the request's own `_meta`. An
   * `initialize` request is judged by the offered version, its result by the version in the response.
   */
  readonly revision: Revision
  /** From the client's view. */
  readonly direction: 'sent' | 'received'
  /** The method of the request that a result belongs to. Without it, only the rules common to all results apply. */
  readonly method?: string
  /** Parameters of that request: `task` in them permits a task as the response (2025-11-25). */
  readonly params?: Json
  /** For responses to `tasks/result`: the method of the request that became the task (TASK-08). */
  readonly original?: string
  /** For responses inside a batch (2025-03-26): the method of the request with this ID. */
  readonly methodOf?: (id: string | number) => string | undefined
  /** IDs of the extensions that both sides declared. */
  readonly extensions?: readonly string[]
}

/** The problems of a message; empty if there are none. Never throws, and its work is limited. */
export const verdict = (message: Json, context: Context): readonly Breach[] => {
  const walk = new Walk(context.revision, context.extensions)
  if (Array.isArray(message)) judgeBatch(walk, message as readonly Json[], context)
  else judgeOne(walk, message, context, undefined)
  return walk.told()
}

/** Whether a message has no violations. Notes on keys of other versions don't count. */
export const isValid = (message: Json, context: Context): boolean =>
  !verdict(message, context).some(({ severity }) => severity === 'breach')

const judgeBatch = (walk: Walk, batch: readonly Json[], context: Context): void => {
  if (walk.revision !== '2025-03-26') {
    const found = `an array of ${batch.length}`
    const only = '2025-03-26'
    return walk.breach('BP-25', undefined, { expected: 'one message', found, since: only, until: only })
  }
  if (batch.length === 0) return walk.breach('BP-20', undefined, { expected: 'a message', found: 'an empty array' })
  let answers: boolean | undefined
  for (const [key, message] of batch.entries()) {
    if (walk.budget.steps-- <= 0) return
    const path: Path = { up: undefined, key }
    const id = isObject(message) ? message.id : undefined
    const method = typeof id === 'string' || typeof id === 'number' ? context.methodOf?.(id) : undefined
    judgeOne(walk, message, { ...context, method: method ?? (batch.length === 1 ? context.method : undefined) }, path)
    if (!isObject(message)) continue
    // BP-22, BP-23: what a client may POST; a server may mix messages on a stream.
    if (context.direction === 'received') continue
    if (message.method === 'initialize') {
      walk.breach('BP-22', { up: path, key: 'method' }, { expected: 'no initialize in a batch', found: '"initialize"' })
    }
    const answer = !Object.hasOwn(message, 'method')
    if (answers !== undefined && answer !== answers) {
      const kinds = ['requests and notifications', 'responses'] as const
      return walk.breach('BP-23', path, { expected: `only ${kinds[+answers]!}`, found: `${kinds[+answer]!} as well` })
    }
    answers = answer
  }
}

const judgeOne = (walk: Walk, message: Json, context: Context, path: Path): void => {
  if (!isObject(message)) {
    return walk.breach('BP-01', path, { expected: 'a message: an object', found: show(message) })
  }
  const has = (key: string) => Object.hasOwn(message, key)
  walk.field(literal('2.0'), own(message, 'jsonrpc'), { up: path, key: 'jsonrpc' }, 'BP-01')
  if (has('method')) {
    for (const key of ['result', 'error']) {
      if (has(key)) walk.breach('BP-01', { up: path, key }, { expected: 'a request or a response', found: 'both' })
    }
    return judgeCall(walk, message, context, path)
  }
  if (walk.revision >= '2026-07-28' && context.direction === 'sent' && (has('result') || has('error'))) {
    walk.breach('BP-11', path, { expected: 'no responses from a client', found: 'a response', until: '2025-11-25' })
  }
  if (has('error')) {
    if (has('result')) walk.breach('BP-07', { up: path, key: 'error' }, { expected: 'result or error', found: 'both' })
    judgeError(walk, message, path)
  }
  if (has('result')) judgeAnswer(walk, message, context, path)
  else if (!has('error')) walk.breach('BP-01', path, { expected: 'method, result or error', found: 'none of them' })
}

const own = (message: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(message, key) ? message[key] : undefined

const requestId = by('BP-02', id())

/** Requests and notifications. For an unknown name, only the envelope is checked. */
const judgeCall = (walk: Walk, message: JsonObject, { revision, direction }: Context, path: Path): void => {
  const at = (key: string): Path => ({ up: path, key })
  const name = own(message, 'method')
  walk.check(string(), name, at('method'), 'BP-01')
  const known = typeof name === 'string' ? name : ''
  const row = methodIn(known, revision, walk.extensions)
  const isNotification = row ? row.kind === 'notification' : !Object.hasOwn(message, 'id')
  if (!isNotification) {
    const value = own(message, 'id')
    walk.field(value === null ? by('BP-03', requestId) : requestId, value, at('id'), 'BP-02')
    if (revision >= '2026-07-28' && direction === 'received') {
      walk.breach('BP-12', path, { expected: 'no requests from a server', found: show(name), until: '2025-11-25' })
    }
  } else if (Object.hasOwn(message, 'id')) {
    walk.breach('BP-10', at('id'), { expected: 'no id on a notification', found: show(message.id) })
  }
  let params: FieldNodes[string] | undefined
  if (row) {
    params = isNotification ? notificationParams[known] : requests[known]?.params
    noteDirection(walk, row, known, direction, at('method'))
  } else {
    noteMethod(walk, known, at('method'))
  }
  const envelope = isNotification ? anyNotificationParams : anyRequestParams
  walk.field(params ?? envelope, own(message, 'params'), at('params'), 'BP-01')
}

const noteDirection = (walk: Walk, row: MethodRow, name: string, direction: Context['direction'], path: Path): void => {
  const asked = row.kind === 'input'
  // BP-12 already reports server requests since 2026-07-28.
  if (mayGo(row, direction) && !(asked && direction === 'sent')) return
  const once = rowsOf(name).find((other) => other !== row && mayGo(other, direction))
  const who = row.from === 'client' ? 'the client' : 'the server'
  walk.note(path, { since: once?.since, until: once?.until }, `from ${who} only, in this protocol version`, show(name))
}

const noteMethod = (walk: Walk, name: string, path: Path): void => {
  const [row] = rowsOf(name)
  if (!row) return
  const here = rowsOf(name).find(({ extension }) => extension && walk.revision >= '2026-07-28')
  if (here) return walk.note(path, {}, `that ${here.extension} was declared`, show(name))
  walk.note(
    path,
    { since: row.since, until: rowsOf(name).at(-1)?.until },
    'no such method in this protocol version',
    show(name),
  )
}

const answerId = by('BP-06', id())
/** BP-08: an error may lack its ID: in the schema since 2025-11-25, in the prose on HTTP since 2025-03-26. */
const errorId = requiredUntil('2025-06-18', by('BP-06 2025-03-26 BP-08', id()))

const errorObject = by('BP-09', object({ code: integer(), message: string(), data: optional(any()) }))

const judgeError = (walk: Walk, message: JsonObject, path: Path): void => {
  const error = own(message, 'error')
  const at: Path = { up: path, key: 'error' }
  walk.field(errorId, own(message, 'id'), { up: path, key: 'id' }, 'BP-06')
  walk.check(errorObject, error, at, 'BP-09')
  const code = isObject(error) ? own(error, 'code') : undefined
  if (!isObject(error) || typeof code !== 'number') return
  const data = errorData(code, walk.revision)
  if (data) walk.field(data, own(error, 'data'), { up: at, key: 'data' }, 'BP-09')
  const known = errorIn(code)
  if (known?.span && code < -32000 && !errorIn(code, walk.revision)) {
    walk.note({ up: at, key: 'code' }, known.span, `no ${known.name} in this protocol version`, show(code))
  }
}

const judgeAnswer = (walk: Walk, message: JsonObject, context: Context, path: Path): void => {
  const result = own(message, 'result')
  const at: Path = { up: path, key: 'result' }
  walk.field(answerId, own(message, 'id'), { up: path, key: 'id' }, 'BP-06')
  if (!isObject(result)) return walk.check(anyResult, result, at, 'BP-01')
  const shape = walk.revision < '2026-07-28' ? legacyResult(result, context) : modernResult(walk, result, context, at)
  if (shape) walk.field(shape, result, at, 'BP-01')
}

/** The definition of a method's result, if the method exists in the protocol version. */
const resultOf = (method: string | undefined, { revision, extensions }: Context): FieldNodes[string] =>
  (method !== undefined && methodIn(method, revision, extensions) && requests[method]?.result) || anyResult

const AUGMENTED: readonly (string | undefined)[] = ['tools/call', 'sampling/createMessage', 'elicitation/create']

const legacyResult = (result: JsonObject, context: Context): FieldNodes[string] => {
  const { method, params, original, revision } = context
  if (revision !== '2025-11-25') return resultOf(method, context)
  if (method === 'tasks/result') return resultOf(original, context)
  // TASK-14: a peer that can't create tasks ignores `task`, so only the response shows it.
  const mayBeTask = AUGMENTED.includes(method) && (!isObject(params) || Object.hasOwn(params, 'task'))
  return mayBeTask && Object.hasOwn(result, 'task') ? createTaskResult : resultOf(method, context)
}

/** MRTR-01. */
const ASKING: readonly (string | undefined)[] = ['tools/call', 'prompts/get', 'resources/read']

/** BP-40 to BP-43: `resultType` first. `undefined`: no further checks apply. */
const modernResult = (walk: Walk, result: JsonObject, context: Context, path: Path): FieldNodes[string] | undefined => {
  const { method, extensions = [] } = context
  const at: Path = { up: path, key: 'resultType' }
  const type = own(result, 'resultType')
  const plain = resultOf(method, context)
  // Missing or of the wrong type: the definition reports it, and it counts as complete (BP-41).
  if (typeof type !== 'string' || type === 'complete') return plain
  const refuse = (rule: string, expected: string) => walk.breach(rule, at, { expected, found: show(type) })
  if (type === 'input_required') {
    if (method !== undefined && !ASKING.includes(method)) {
      return void refuse('MRTR-01', `"complete": only ${ASKING.join(', ')} may require input`)
    }
    if (!Object.hasOwn(result, 'inputRequests') && !Object.hasOwn(result, 'requestState')) {
      walk.breach('MRTR-08', path, { expected: 'inputRequests or requestState', found: 'neither' })
    }
    return inputRequiredResult
  }
  if (type === 'task') {
    if (!extensions.includes(TASKS_EXTENSION))
      return void refuse('BP-43', `no task: ${TASKS_EXTENSION} wasn't declared`)
    if (method === undefined || method === 'tools/call') return taskHandle
    if (!method.startsWith('tasks/')) return void refuse('TEXT-03', '"complete": only tools/call may become a task')
    // The extension's own examples have it.
    refuse('TEXT-12', '"complete"')
    return plain
  }
  const values = ['"complete"', '"input_required"', ...(extensions.includes(TASKS_EXTENSION) ? ['"task"'] : [])]
  return void refuse('BP-42', `one of ${values.join(', ')}`)
}
