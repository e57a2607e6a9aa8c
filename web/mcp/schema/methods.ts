/** Every method and notification of the protocol: who may send it, in which versions, and what it requires. */
import { isWithin, type Revision, type Span } from '../revision.ts'
import { META, TASKS_EXTENSION } from '../meta-keys.ts'
import type { JsonObject } from '../frame.ts'

export interface MethodRow extends Span {
  /** `input`: since 2026-07-28 a request inside an `input_required` result, without an envelope (BP-12). */
  readonly kind: 'request' | 'notification' | 'input'
  readonly from: 'client' | 'server' | 'both'
  /** The parameter that the header `Mcp-Name` repeats (2026-07-28). */
  readonly nameParam?: string
  /** Dotted path into the capabilities of the side that responds to a request, or sends a notification. */
  readonly capability?: string
  /** The extension that both sides must have declared. */
  readonly extension?: string
  /** The response may take any amount of time: no ordinary timeout (UT-TIME-05). */
  readonly long?: true
}

type Rest = Omit<MethodRow, 'kind' | 'from' | 'since' | 'until'>
const row =
  (kind: MethodRow['kind']) =>
  (from: MethodRow['from'], span: string, rest?: Rest): MethodRow => {
    const [since, until] = span.split(' ') as [Revision, Revision?]
    return { kind, from, since, ...(until && { until }), ...rest }
  }
const request = row('request')
const notification = row('notification')
const input = row('input')

const ALL = '2024-11-05'
const LEGACY = '2024-11-05 2025-11-25'
const MODERN = '2026-07-28'
const TASKS_ONCE = '2025-11-25 2025-11-25'

/** Several rows: the meaning of a name changed, and each protocol version has at most one of them. */
export const METHODS: Readonly<Record<string, readonly MethodRow[]>> = {
  initialize: [request('client', LEGACY)],
  'server/discover': [request('client', MODERN)],
  ping: [request('both', LEGACY)],
  'tools/list': [request('client', ALL, { capability: 'tools' })],
  'tools/call': [request('client', ALL, { capability: 'tools', nameParam: 'name' })],
  'resources/list': [request('client', ALL, { capability: 'resources' })],
  'resources/templates/list': [request('client', ALL, { capability: 'resources' })],
  'resources/read': [request('client', ALL, { capability: 'resources', nameParam: 'uri' })],
  'resources/subscribe': [request('client', LEGACY, { capability: 'resources.subscribe' })],
  'resources/unsubscribe': [request('client', LEGACY, { capability: 'resources.subscribe' })],
  'subscriptions/listen': [request('client', MODERN, { long: true })],
  'prompts/list': [request('client', ALL, { capability: 'prompts' })],
  'prompts/get': [request('client', ALL, { capability: 'prompts', nameParam: 'name' })],
  'completion/complete': [
    // SF-COMP-01: the method is older than its capability.
    request('client', '2024-11-05 2024-11-05'),
    request('client', '2025-03-26', { capability: 'completions' }),
  ],
  'logging/setLevel': [request('client', LEGACY, { capability: 'logging' })],
  'roots/list': [request('server', LEGACY, { capability: 'roots' }), input('server', MODERN, { capability: 'roots' })],
  'sampling/createMessage': [
    request('server', LEGACY, { capability: 'sampling' }),
    input('server', MODERN, { capability: 'sampling' }),
  ],
  'elicitation/create': [
    request('server', '2025-06-18 2025-11-25', { capability: 'elicitation' }),
    input('server', MODERN, { capability: 'elicitation' }),
  ],
  'tasks/get': [
    request('both', TASKS_ONCE, { capability: 'tasks' }),
    request('client', MODERN, { extension: TASKS_EXTENSION, nameParam: 'taskId' }),
  ],
  'tasks/cancel': [
    request('both', TASKS_ONCE, { capability: 'tasks.cancel' }),
    request('client', MODERN, { extension: TASKS_EXTENSION, nameParam: 'taskId' }),
  ],
  'tasks/result': [request('both', TASKS_ONCE, { capability: 'tasks', long: true })],
  'tasks/list': [request('both', TASKS_ONCE, { capability: 'tasks.list' })],
  'tasks/update': [request('client', MODERN, { extension: TASKS_EXTENSION, nameParam: 'taskId' })],

  'notifications/initialized': [notification('client', LEGACY)],
  'notifications/cancelled': [notification('both', ALL)],
  'notifications/progress': [notification('both', LEGACY), notification('server', MODERN)],
  'notifications/message': [notification('server', ALL, { capability: 'logging' })],
  'notifications/tools/list_changed': [notification('server', ALL, { capability: 'tools.listChanged' })],
  'notifications/prompts/list_changed': [notification('server', ALL, { capability: 'prompts.listChanged' })],
  'notifications/resources/list_changed': [notification('server', ALL, { capability: 'resources.listChanged' })],
  'notifications/resources/updated': [notification('server', ALL, { capability: 'resources.subscribe' })],
  'notifications/roots/list_changed': [notification('client', LEGACY, { capability: 'roots.listChanged' })],
  'notifications/elicitation/complete': [notification('server', TASKS_ONCE)],
  'notifications/tasks/status': [notification('both', TASKS_ONCE, { capability: 'tasks' })],
  'notifications/tasks': [notification('server', MODERN, { extension: TASKS_EXTENSION })],
  'notifications/subscriptions/acknowledged': [notification('server', MODERN)],
}

/**
 * The meaning of a name in a protocol version; `undefined` if it has none, or only with an extension that isn't listed.
 */
export const methodIn = (name: string, revision: Revision, extensions: readonly string[] = []): MethodRow | undefined =>
  rowsOf(name).find(
    (row) => isWithin(row, revision) && (row.extension === undefined || extensions.includes(row.extension)),
  )

/** All meanings of a name. Safe for names from a peer, such as `constructor`. */
export const rowsOf = (name: string): readonly MethodRow[] =>
  Object.hasOwn(METHODS, name) ? (METHODS[name] ?? []) : []

/** Whether a row applies to the sender: `sent` means the client. */
export const mayGo = ({ from }: MethodRow, direction: 'sent' | 'received'): boolean =>
  from === 'both' || (from === 'client') === (direction === 'sent')

// Starting points for messages written by hand: example `params` of each method.

const URI = { uri: 'file:///example' }
const TASK = { taskId: 'task-1' }

const PARAMS: Readonly<Record<string, JsonObject>> = {
  'tools/call': { name: 'tool-name', arguments: {} },
  'resources/read': URI,
  'resources/subscribe': URI,
  'resources/unsubscribe': URI,
  'subscriptions/listen': { notifications: { toolsListChanged: true } },
  'prompts/get': { name: 'prompt-name' },
  'completion/complete': {
    ref: { type: 'ref/prompt', name: 'prompt-name' },
    argument: { name: 'argument-name', value: '' },
  },
  'logging/setLevel': { level: 'info' },
  'tasks/get': TASK,
  'tasks/cancel': TASK,
  'tasks/result': TASK,
  'tasks/update': { ...TASK, inputResponses: {} },
  'notifications/cancelled': { requestId: 1 },
  'notifications/progress': { progressToken: 1, progress: 0 },
  'notifications/tasks/status': {
    ...TASK,
    status: 'working',
    createdAt: '2025-11-25T00:00:00Z',
    lastUpdatedAt: '2025-11-25T00:00:00Z',
    ttl: null,
  },
}

/**
 * Minimal valid parameters for everything that a client may send in a protocol version, by method. Methods of
 * extensions are included only with the extension.
 */
export const templates = (
  revision: Revision,
  extensions: readonly string[] = [],
): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(
    Object.keys(METHODS).flatMap((method) => {
      const row = methodIn(method, revision, extensions)
      if (!row || row.kind === 'input' || !mayGo(row, 'sent')) return []
      return [[method, { ...paramsOf(method, revision), ...(row.kind === 'request' && metaOf(revision, extensions)) }]]
    }),
  )

const paramsOf = (method: string, revision: Revision): JsonObject | undefined =>
  method === 'initialize'
    ? { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'client-name', version: '1.0.0' } }
    : PARAMS[method]

/** META-10: required in each request since 2026-07-28. */
const metaOf = (revision: Revision, extensions: readonly string[]): JsonObject =>
  revision < '2026-07-28'
    ? {}
    : {
        _meta: {
          [META.version]: revision,
          [META.capabilities]:
            extensions.length > 0 ? { extensions: Object.fromEntries(extensions.map((name) => [name, {}])) } : {},
        },
      }
