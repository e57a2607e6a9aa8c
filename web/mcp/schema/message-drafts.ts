/** Starting points for messages written by hand: example `params` of each method. */
import type { JsonObject } from '../frame.ts'
import type { Revision } from '../revision.ts'
import { mayGo, methodIn, METHODS } from './methods.ts'

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
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientCapabilities':
            extensions.length > 0 ? { extensions: Object.fromEntries(extensions.map((name) => [name, {}])) } : {},
        },
      }
