/** Valid envelopes with invalid results: of another protocol version, type or shape. */
import { memberOf, one, resultFor, rpc, type Asked, type Garbage, type GarbageKinds } from './kind.ts'

const result = (says: string, rule: string, make: (asked: Asked) => object, more: Partial<Garbage> = {}): Garbage => ({
  ...one(says, rule, (asked) => rpc({ id: asked.id, result: make(asked) })),
  ...more,
})

/** The list contains this value, or this value replaces the array. */
const holding = (says: string, value: unknown, rule = 'SF-TOOL-02'): Garbage =>
  result(says, rule, ({ method }) => ({ ...resultFor(method), [memberOf(method)]: value }))

const cursor = (says: string, rule: string, nextCursor: unknown): Garbage =>
  result(says, rule, ({ method }) => ({ ...resultFor(method), nextCursor }))

export const results = {
  'initialize-result': result('The answer to initialize', 'BP-06', () => ({
    protocolVersion: '2025-11-25',
    capabilities: {},
    serverInfo: { name: 'again', version: '1' },
  })),
  'discover-result': result('The answer to server/discover', 'BP-06', () => ({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: {},
    ttlMs: 0,
    cacheScope: 'private',
  })),
  'task-of-2025': result('A task of 2025-11-25, which nobody asked for', 'TASK-04', () => ({
    task: { taskId: 'x', status: 'working', createdAt: '2025-11-25T00:00:00Z', ttl: null, pollInterval: 1 },
  })),
  'task-of-2026': result('A task of the extension, which was not declared', 'BP-43', () => ({
    resultType: 'task',
    taskId: 'x',
    status: 'working',
    createdAt: '2026-07-28T00:00:00Z',
    lastUpdatedAt: '2026-07-28T00:00:00Z',
    ttlMs: null,
  })),
  'input-required': result('input_required, whatever was asked', 'MRTR-01', () => ({
    resultType: 'input_required',
    inputRequests: { a: { method: 'roots/list' } },
  })),
  'no-result-type': result(
    'No resultType',
    'BP-40',
    ({ method }) => ({ ...resultFor(method), resultType: undefined }),
    { era: 'modern' },
  ),
  'result-type-unknown': result('resultType "maybe"', 'BP-42', ({ method }) => ({
    ...resultFor(method),
    resultType: 'maybe',
  })),
  'result-type-null': result('resultType null', 'BP-42', ({ method }) => ({ ...resultFor(method), resultType: null })),
  'result-type-object': result('resultType is an object', 'BP-42', ({ method }) => ({
    ...resultFor(method),
    resultType: { complete: true },
  })),
  'result-empty': result('{}', 'SF-TOOL-09', () => ({})),
  'meta-text': result('_meta is a string', 'META-01', ({ method }) => ({ ...resultFor(method), _meta: 'x' })),
  'ttl-odd': result(
    'ttlMs is a string, cacheScope a number',
    'CACHE-01',
    ({ method }) => ({ ...resultFor(method), ttlMs: 'long', cacheScope: 7 }),
    { era: 'modern' },
  ),

  'list-null': holding('null in place of the list', null),
  'list-object': holding('An object in place of the list', { 0: { name: 't' }, length: 1 }),
  'list-text': holding('A string in place of the list', 'tools'),
  'list-missing': holding('No list', undefined),
  'items-null': holding('Items that are null', [null, null]),
  'items-odd': holding('Items that are numbers, strings, arrays', [1, 'two', [3], true]),
  'items-empty': holding('Items without a member', [{}, {}]),
  'items-names-odd': holding('Names that are no strings, empty, or keys of every object', [
    { name: 7 },
    { name: null },
    { name: '' },
    { name: '__proto__', inputSchema: { type: 'object' } },
    { name: 'constructor', inputSchema: { type: 'object' } },
    { name: 'toString', inputSchema: null },
  ]),
  'items-schemas-odd': holding('Schemas that are none', [
    { name: 'a', inputSchema: null },
    { name: 'b', inputSchema: 'object' },
    { name: 'c', inputSchema: [] },
    { name: 'd', inputSchema: { type: 7, properties: null, required: 'all' } },
    { name: 'e', inputSchema: { $ref: '#' } },
    { name: 'f', inputSchema: { type: 'object', properties: { x: { $ref: 'http://127.0.0.1:1/x.json' } } } },
    { name: 'g', inputSchema: { type: 'object', properties: { x: { pattern: '(a+)+$', type: 'string' } } } },
  ]),
  'content-odd': holding(
    'Content of unknown types',
    [{ type: 'hologram' }, { type: 7 }, { type: 'image' }],
    'SF-TOOL-10',
  ),
  'content-html': holding(
    'Content that would be markup',
    [{ type: 'text', text: '<img src=x onerror=alert(1)><script>alert(1)</script>' }],
    'SF-TOOL-10',
  ),
  'cursor-loops': cursor('The next page is always there, by one cursor', 'SF-PAGE-07', 'again'),
  'cursor-number': cursor('nextCursor 7', 'SF-PAGE-01', 7),
  'cursor-object': cursor('nextCursor is an object', 'SF-PAGE-01', { page: 2 }),
  'cursor-null': cursor('nextCursor null', 'SF-PAGE-02', null),
} as const satisfies GarbageKinds
