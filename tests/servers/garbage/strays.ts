/** Unexpected messages: responses, notifications, requests, batches. */
import { answer, beside, one, resultFor, rpc, type Asked, type Garbage, type GarbageKinds } from './kind.ts'

const tokenOf = ({ id, params }: Asked): unknown =>
  (params?.['_meta'] as { progressToken?: unknown } | undefined)?.progressToken ?? id

const progress = (progressToken: unknown, value: unknown) => ({
  method: 'notifications/progress',
  params: { progressToken, progress: value },
})

const note = (says: string, rule: string, method: string, params?: unknown): Garbage =>
  beside(says, rule, () => [{ method: `notifications/${method}`, params }])

const request = (says: string, rule: string, ...messages: object[]): Garbage => beside(says, rule, () => messages)

const batch = (says: string, rule: string, make: (asked: Asked) => unknown[]): Garbage =>
  one(says, rule, (asked) => JSON.stringify(make(asked)))

const parsed = (asked: Asked): unknown => JSON.parse(answer(asked))

export const strays = {
  'orphan-result': beside('An answer to nobody', 'BP-06', () => [{ id: 424_242, result: {} }]),
  'orphan-error': beside('An error to nobody', 'BP-06', () => [{ id: 'nobody', error: { code: 1, message: 'No' } }]),
  'orphan-notified': beside('An answer to a notification', 'BP-10', () => [
    { id: 'notifications/initialized', result: {} },
  ]),
  'answer-twice': beside('The same answer two times', 'BP-06', ({ id, method }) => [
    { id, result: resultFor(method) },
    { id, result: resultFor(method) },
  ]),
  'answer-then-error': beside('An answer, then an error', 'BP-06', ({ id, method }) => [
    { id, result: resultFor(method) },
    { id, error: { code: -32603, message: 'No, wait' } },
  ]),

  'progress-decreasing': beside('Progress 3, 2, 2, -1', 'UT-PROG-02', (asked) =>
    [3, 2, 2, -1].map((value) => progress(tokenOf(asked), value)),
  ),
  'progress-unknown-token': beside('Progress of nothing that runs', 'UT-PROG-04', () => [
    progress('no such token', 1),
    progress(987_654, 1),
  ]),
  'progress-after': beside('Progress when all is over', 'UT-PROG-04', (asked) => [
    { id: asked.id, result: resultFor(asked.method) },
    progress(tokenOf(asked), 99),
  ]),
  'progress-flood': beside('10,000 of progress', 'UT-PROG-07', (asked) =>
    Array.from({ length: 10_000 }, (_, n) => progress(tokenOf(asked), n + 1)),
  ),
  'progress-odd': beside('Progress by tokens and values of every type', 'UT-PROG-01', (asked) => [
    progress(null, 1),
    progress({}, 1),
    progress(1.5, 1),
    progress(tokenOf(asked), 'half'),
    progress(tokenOf(asked), null),
    { method: 'notifications/progress' },
    { method: 'notifications/progress', params: [] },
  ]),

  'message-odd': beside('Log messages of no level, of a level nobody knows, of none', 'SF-LOG-05', () => [
    { method: 'notifications/message' },
    { method: 'notifications/message', params: { level: 'loud', data: 1 } },
    { method: 'notifications/message', params: { level: 7 } },
  ]),
  'unknown-notification': note('A notification nobody knows', 'BP-01', 'com.example/unheard-of', { a: 1 }),
  'odd-notifications': beside('Methods that are keys of every object', 'BP-01', () =>
    ['__proto__', 'constructor', 'toString', '', ' ', 'notifications/'].map((method) => ({ method })),
  ),
  'notification-id-null': beside('A notification with the id null', 'BP-03', () => [
    { id: null, method: 'notifications/message', params: { level: 'info', data: 'x' } },
  ]),
  'notification-params-odd': beside('params that are no object', 'BP-01', () =>
    [[], 'x', 7, null, true].map((params) => ({ method: 'notifications/message', params })),
  ),
  'notification-of-client': beside('Notifications that only a client sends', 'BP-01', () =>
    ['initialized', 'roots/list_changed'].map((name) => ({ method: `notifications/${name}` })),
  ),
  'cancelled-unknown': note('Cancels what nobody asked', 'UT-CANC-04', 'cancelled', { requestId: 31_337 }),
  'cancelled-ours': beside('Cancels the request that waits', 'UT-CANC-01', ({ id }) => [
    { method: 'notifications/cancelled', params: { requestId: id, reason: 'no' } },
  ]),
  'cancelled-odd': beside('Cancels nothing, null, an object', 'UT-CANC-04', () =>
    [undefined, {}, { requestId: null }, { requestId: {} }].map((params) => ({
      method: 'notifications/cancelled',
      params,
    })),
  ),
  'updated-unasked': note('A resource nobody subscribed to', 'SF-RES-07', 'resources/updated', { uri: 'mem://x' }),
  'updated-odd': beside('Resources without a URI', 'SF-RES-08', () =>
    [undefined, {}, { uri: 7 }].map((params) => ({ method: 'notifications/resources/updated', params })),
  ),
  'elicitation-unknown': note('Completes an elicitation nobody began', 'BP-01', 'elicitation/complete', {
    elicitationId: 'x',
  }),
  'task-unknown': note('The status of a task nobody began', 'TASK-05', 'tasks/status', { taskId: 'x', status: 'odd' }),
  'acknowledged-unknown': note('Acknowledges what nobody listens to', 'SUB-05', 'subscriptions/acknowledged', {
    notifications: {},
  }),
  'list-changed-flood': beside('All lists changed, 300 times each', 'SF-TOOL-21', () =>
    Array.from({ length: 300 }, () =>
      ['tools', 'prompts', 'resources'].map((list) => ({ method: `notifications/${list}/list_changed` })),
    ).flat(),
  ),

  'request-unknown': request('A request of an unknown method', 'BP-13', { id: 's1', method: 'com.example/do' }),
  'request-odd-methods': request(
    'Requests whose methods are keys of every object, or empty',
    'BP-13',
    ...['__proto__', 'constructor', 'hasOwnProperty', ''].map((method, n) => ({ id: `m${n}`, method })),
  ),
  'request-odd-ids': request(
    'Requests whose ids are none',
    'BP-02',
    ...[null, 1.5, true, {}, []].map((id) => ({ id, method: 'ping' })),
  ),
  'request-same-id': beside('A request with the id of ours', 'BP-13', ({ id }) => [{ id, method: 'ping' }]),
  'request-id-twice': request(
    'Two requests of one id',
    'BP-04',
    { id: 'd', method: 'ping' },
    { id: 'd', method: 'roots/list' },
  ),
  'request-of-client': request(
    'Requests that only a client sends',
    'BP-13',
    { id: 'c1', method: 'initialize', params: {} },
    { id: 'c2', method: 'tools/call', params: { name: 't' } },
    { id: 'c3', method: 'server/discover', params: {} },
  ),
  'request-params-odd': request(
    'Questions without what they need',
    'BP-13',
    { id: 'p1', method: 'sampling/createMessage' },
    { id: 'p2', method: 'sampling/createMessage', params: { messages: 'hello', maxTokens: 'many' } },
    { id: 'p3', method: 'elicitation/create', params: { message: 7, requestedSchema: null } },
    { id: 'p4', method: 'elicitation/create', params: [] },
    { id: 'p5', method: 'roots/list', params: 'x' },
  ),

  'batch-answer': batch('The answer in an array', 'BP-25', (asked) => [parsed(asked)]),
  'batch-mixed': batch('Answer, notification, request and number in an array', 'BP-25', (asked) => [
    parsed(asked),
    JSON.parse(rpc({ method: 'notifications/message', params: { level: 'info', data: 'x' } })),
    JSON.parse(rpc({ id: 'b', method: 'ping' })),
    7,
  ]),
  'batch-nested': batch('An array in an array', 'BP-25', (asked) => [[parsed(asked)]]),
  'batch-huge': batch('10,000 notifications in an array', 'BP-25', () =>
    Array.from(
      { length: 10_000 },
      (_, data) => JSON.parse(rpc({ method: 'notifications/message', params: { level: 'info', data } })) as unknown,
    ),
  ),
} as const satisfies GarbageKinds
