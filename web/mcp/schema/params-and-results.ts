/** Parameters and results of every request and notification, by method, and tasks. */
import { createMessageParams, createMessageResult, elicitFormParams } from './server-requests.ts'
import { elicitParams, elicitResult, inputRequests, inputResponses } from './server-requests.ts'
import { listRootsParams, listRootsResult, progressToken, taskParam } from './server-requests.ts'
import { any, array, bag, boolean, by, extended, from, id, integer, inTurn, literal } from './shape.ts'
import { nullable, number, object, only, optional, quiet, record, requiredFrom, string } from './shape.ts'
import { until, variants } from './shape.ts'
import type { FieldNodes } from './shape.ts'
import { META, TASKS_EXTENSION } from '../meta-keys.ts'
import { clientCapabilities, serverCapabilities } from './capabilities.ts'
import { implementation, serverImplementation } from './implementation.ts'
import {
  contentBlock,
  prompt,
  promptMessage,
  resource,
  resourceContents,
  resourceTemplate,
  structuredContent,
  tool,
} from './content.ts'

// Both versions of tasks: the experimental one of 2025-11-25, and the later extension `io.modelcontextprotocol/tasks`
// (SEP-2663). Shared parts are defined once; renamed fields have ranges of versions (TEXT-14).

const shared = {
  taskId: string(),
  statusMessage: optional(string()),
  createdAt: string(),
  lastUpdatedAt: string(),
  /** Milliseconds; `null` means unlimited. */
  ttl: until('2025-11-25', by('TASK-15', nullable(integer()))),
  pollInterval: until('2025-11-25', optional(by('TASK-05', integer()))),
  ttlMs: from('2026-07-28', nullable(number())),
  pollIntervalMs: from('2026-07-28', optional(number())),
}

const taskFields = {
  ...shared,
  status: literal('working', 'input_required', 'completed', 'failed', 'cancelled'),
}
/** TASK-09, TEXT-14. */
export const task = by('TASK-09 2026-07-28 TEXT-14', object(taskFields))

/** TEXT-07, TEXT-10: the content of `tasks/get` and `notifications/tasks`, by status. `extra` are additional fields. */
const taskInFull = <const F extends Parameters<typeof object>[0]>(extra: F) =>
  by(
    'TEXT-10',
    variants('status', {
      working: object({ ...shared, ...extra, status: literal('working') }),
      input_required: object({
        ...shared,
        ...extra,
        status: literal('input_required'),
        inputRequests: by('TEXT-07', inputRequests),
      }),
      completed: object({ ...shared, ...extra, status: literal('completed'), result: bag() }),
      failed: object({
        ...shared,
        ...extra,
        status: literal('failed'),
        error: object({ code: integer(), message: string(), data: optional(any()) }),
      }),
      cancelled: object({ ...shared, ...extra, status: literal('cancelled') }),
    }),
  )

// Parameters of every notification, by method.

/** SF-LOG-05: the eight syslog levels. */
const logLevel = literal('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency')

/** META-17: a notification on a listen stream names its subscription. */
const meta = optional(by('META-01', quiet({ [META.subscription]: from('2026-07-28', optional(by('META-17', id()))) })))
const nothing = optional(object({ _meta: meta }))

/** SUB-01. */
const subscriptionFilter = by(
  'SUB-01',
  object({
    toolsListChanged: optional(boolean()),
    promptsListChanged: optional(boolean()),
    resourcesListChanged: optional(boolean()),
    resourceSubscriptions: optional(array(string())),
    taskIds: extended(TASKS_EXTENSION, optional(array(string()))),
  }),
)

const cancelledParams = by(
  'UT-CANC-01 2026-07-28 UT-CANC-02',
  object({
    // Optional in 2025-11-25, because a task's notification has no request to name.
    requestId: inTurn(until('2025-06-18', id()), only('2025-11-25', optional(id())), from('2026-07-28', id())),
    reason: optional(string()),
    _meta: meta,
  }),
)
const progressParams = by(
  'UT-PROG-02',
  object({
    progressToken: by('UT-PROG-01', id()),
    progress: number(),
    total: optional(number()),
    message: from('2025-03-26', optional(by('UT-PROG-03', string()))),
    _meta: meta,
  }),
)
const logMessageParams = by(
  'SF-LOG-05',
  object({ level: logLevel, logger: optional(string()), data: any(), _meta: meta }),
)

export const notificationParams: FieldNodes = {
  'notifications/initialized': nothing,
  'notifications/cancelled': cancelledParams,
  'notifications/progress': progressParams,
  'notifications/message': logMessageParams,
  'notifications/tools/list_changed': nothing,
  'notifications/prompts/list_changed': nothing,
  'notifications/resources/list_changed': nothing,
  'notifications/roots/list_changed': nothing,
  'notifications/resources/updated': by('SF-RES-08', object({ uri: string(), _meta: meta })),
  'notifications/elicitation/complete': by('CF-URL-05', object({ elicitationId: string() })),
  'notifications/tasks/status': by('TASK-09', object({ ...taskFields, _meta: meta })),
  'notifications/tasks': taskInFull({ _meta: meta }),
  'notifications/subscriptions/acknowledged': by(
    'SUB-02',
    object({ notifications: by('SUB-03', subscriptionFilter), _meta: meta }),
  ),
}

/** Requirements of the envelope for the parameters of an unknown notification. */
export const anyNotificationParams = optional(object({ _meta: until('2025-06-18', optional(by('META-01', bag()))) }))

const requestMeta = requiredFrom(
  '2026-07-28',
  by(
    'META-01 2026-07-28 META-10',
    quiet({
      progressToken,
      [META.version]: from('2026-07-28', string()),
      [META.capabilities]: from('2026-07-28', clientCapabilities),
      [META.clientInfo]: from('2026-07-28', optional(implementation)),
      [META.logLevel]: from('2026-07-28', optional(by('SF-LOG-03', logLevel))),
    }),
  ),
)
/** The schema of 2025-11-25 omits `_meta` by mistake, so nothing is reported there. */
const lateMeta = from('2026-07-28', requestMeta)

const resultMeta = optional(
  by('META-01', quiet({ [META.serverInfo]: from('2026-07-28', optional(serverImplementation)) })),
)
/** BP-40. Its values are checked together with the method and the extensions: `verdict.ts`. */
const resultType = from('2026-07-28', by('BP-40', string()))
const base = { _meta: resultMeta, resultType }
/** CACHE-01. */
const fresh = {
  ttlMs: from('2026-07-28', by('CACHE-01', integer(0))),
  cacheScope: from('2026-07-28', by('CACHE-01', literal('private', 'public'))),
}
const page = { ...base, ...fresh, nextCursor: optional(by('SF-PAGE-02', string())) }
const listParams = object({ cursor: optional(by('SF-PAGE-07', string())), _meta: requestMeta })
/** MRTR-02, MRTR-04. */
const retry = {
  inputResponses: from('2026-07-28', optional(inputResponses)),
  requestState: from('2026-07-28', optional(by('MRTR-04', string()))),
  _meta: requestMeta,
}
const strings = record(string())

/** Common to every result, and the only check for results of unknown methods. */
export const anyResult = by('BP-01', object(base))
/** Requirements of the envelope for the parameters of an unknown request. */
export const anyRequestParams = optional(
  object({ _meta: until('2025-06-18', optional(by('META-01', quiet({ progressToken })))) }),
)

export const inputRequiredResult = by(
  'MRTR-01',
  object({
    ...base,
    inputRequests: optional(inputRequests),
    requestState: optional(by('MRTR-04', string())),
  }),
)

const initializeParams = by(
  'LC-01',
  object({
    protocolVersion: string(),
    capabilities: clientCapabilities,
    clientInfo: implementation,
    _meta: requestMeta,
  }),
)
const initializeResult = by(
  'LC-07',
  object({
    ...base,
    protocolVersion: string(),
    capabilities: serverCapabilities,
    serverInfo: serverImplementation,
    instructions: optional(by('LC-11', string())),
  }),
)
const discoverResult = by(
  'VN-04',
  object({
    ...base,
    ...fresh,
    supportedVersions: array(string()),
    capabilities: serverCapabilities,
    instructions: optional(string()),
  }),
)
const listToolsResult = by('SF-TOOL-02', object({ ...page, tools: array(tool) }))
const callToolParams = by(
  'SF-TOOL-08',
  object({ ...retry, name: string(), arguments: optional(bag()), task: taskParam }),
)
export const callToolResult = by(
  'SF-TOOL-09',
  object({
    ...base,
    content: array(contentBlock),
    structuredContent,
    isError: optional(by('SF-TOOL-18', boolean())),
  }),
)
const listResourcesResult = by('SF-RES-02', object({ ...page, resources: array(resource) }))
const listResourceTemplatesResult = by('SF-RES-02', object({ ...page, resourceTemplates: array(resourceTemplate) }))
const readResourceResult = by('SF-RES-03', object({ ...base, ...fresh, contents: array(resourceContents) }))
const listPromptsResult = by('SF-PROMPT-02', object({ ...page, prompts: array(prompt) }))
const getPromptResult = by(
  'SF-PROMPT-03',
  object({ ...base, description: optional(string()), messages: array(promptMessage) }),
)
const completeParams = by(
  'SF-COMP-02',
  object({
    ref: variants('type', {
      'ref/prompt': object({
        type: literal('ref/prompt'),
        name: string(),
        title: from('2025-06-18', optional(string())),
      }),
      'ref/resource': object({ type: literal('ref/resource'), uri: string() }),
    }),
    argument: object({ name: string(), value: string() }),
    context: from('2025-06-18', optional(by('SF-COMP-02', object({ arguments: optional(strings) })))),
    _meta: requestMeta,
  }),
)
/** SF-COMP-04: at most 100 in every version, though only the schema of 2026-07-28 says so. */
const completeResult = by(
  'SF-COMP-04',
  object({
    ...base,
    completion: object({
      values: array(string(), 100),
      total: optional(integer()),
      hasMore: optional(boolean()),
    }),
  }),
)
const created = {
  taskId: by('TASK-04', string()),
  createdAt: by('TASK-04', string()),
  lastUpdatedAt: by('TASK-04', string()),
}
/** TASK-04: nested. */
export const createTaskResult = by(
  'TASK-04',
  object({ _meta: resultMeta, task: by('TASK-09', object({ ...taskFields, ...created })) }),
)
/** TEXT-02: flat. */
export const taskHandle = by('TEXT-02', object({ ...base, ...taskFields }))

const uriOnly = (rule: string) => by(rule, object({ uri: string(), _meta: requestMeta }))
const ofTask = by('TASK-08 2026-07-28 TEXT-04', object({ taskId: string(), _meta: lateMeta }))

interface RequestShapes {
  readonly params: FieldNodes[string]
  readonly result: FieldNodes[string]
}

const empty = anyResult
const list = requiredFrom('2026-07-28', listParams)

export const requests: Readonly<Record<string, RequestShapes>> = {
  initialize: { params: initializeParams, result: initializeResult },
  ping: { params: optional(object({ _meta: requestMeta })), result: empty },
  'server/discover': { params: by('META-10', object({ _meta: requestMeta })), result: discoverResult },
  'tools/list': { params: list, result: listToolsResult },
  'tools/call': { params: callToolParams, result: callToolResult },
  'resources/list': { params: list, result: listResourcesResult },
  'resources/templates/list': { params: list, result: listResourceTemplatesResult },
  'resources/read': {
    params: by('SF-RES-03', object({ ...retry, uri: string() })),
    result: readResourceResult,
  },
  'resources/subscribe': { params: uriOnly('SF-RES-07'), result: empty },
  'resources/unsubscribe': { params: uriOnly('SF-RES-07'), result: empty },
  'subscriptions/listen': {
    params: by('SUB-01', object({ notifications: subscriptionFilter, _meta: requestMeta })),
    result: by(
      'SUB-05',
      object({
        resultType,
        _meta: quiet({
          [META.subscription]: id(),
          [META.serverInfo]: optional(serverImplementation),
        }),
      }),
    ),
  },
  'prompts/list': { params: list, result: listPromptsResult },
  'prompts/get': {
    params: by('SF-PROMPT-02', object({ ...retry, name: string(), arguments: optional(strings) })),
    result: getPromptResult,
  },
  'completion/complete': { params: completeParams, result: completeResult },
  'logging/setLevel': {
    params: by('SF-LOG-05', object({ level: logLevel, _meta: requestMeta })),
    result: empty,
  },
  'roots/list': { params: optional(listRootsParams), result: listRootsResult },
  'sampling/createMessage': { params: createMessageParams, result: createMessageResult },
  'elicitation/create': {
    // 2025-06-18 has forms only: `mode` is an ordinary key there.
    params: inTurn(until('2025-06-18', elicitFormParams), from('2025-11-25', elicitParams)),
    result: elicitResult,
  },
  'tasks/get': {
    params: ofTask,
    result: inTurn(
      until('2025-11-25', by('TASK-09', object({ ...base, ...taskFields }))),
      from('2026-07-28', taskInFull(base)),
    ),
  },
  'tasks/cancel': {
    params: ofTask,
    result: inTurn(
      until('2025-11-25', by('TASK-11', object({ ...base, ...taskFields }))),
      from('2026-07-28', anyResult),
    ),
  },
  'tasks/result': { params: ofTask, result: empty },
  'tasks/list': {
    params: list,
    result: by('TASK-12', object({ ...page, tasks: array(task), nextCursor: optional(by('TASK-12', string())) })),
  },
  'tasks/update': {
    params: by('TEXT-07', object({ taskId: string(), inputResponses, _meta: lateMeta })),
    result: empty,
  },
}
