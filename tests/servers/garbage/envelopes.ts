/** JSON with an invalid envelope. */
import { answer, one, resultFor, rpc, type Asked, type Garbage, type GarbageKinds } from './kind.ts'

/** Any JSON value as the whole text. */
const value = (says: string, json: unknown): Garbage => one(says, 'BP-01', () => JSON.stringify(json))

/** The response with a different id. */
const withId = (says: string, rule: string, id: (asked: Asked) => unknown): Garbage =>
  one(says, rule, (asked) => rpc({ id: id(asked), result: resultFor(asked.method) }))

/** A response with these members instead of its result. */
const instead = (says: string, rule: string, members: object): Garbage =>
  one(says, rule, ({ id }) => rpc({ id, ...members }))

const head = (says: string, members: object): Garbage =>
  one(says, 'BP-01', ({ id, method }) => JSON.stringify({ ...members, id, result: resultFor(method) }))

export const envelopes = {
  number: value('42', 42),
  string: value('A string', 'hello'),
  null: value('null', null),
  true: value('true', true),
  'empty-object': value('{}', {}),
  'array-empty': value('[]', []),
  'array-of-numbers': value('[1, 2]', [1, 2]),

  'no-jsonrpc': head('No jsonrpc', {}),
  'jsonrpc-1': head('jsonrpc "1.0"', { jsonrpc: '1.0' }),
  'jsonrpc-number': head('jsonrpc 2', { jsonrpc: 2 }),
  'jsonrpc-null': head('jsonrpc null', { jsonrpc: null }),

  'id-as-string': withId('The id as a string', 'BP-06', ({ id }) => String(id)),
  'id-other': withId('An id nobody sent', 'BP-06', () => 999_999),
  'id-negative': withId('The id negative', 'BP-06', ({ id }) => -Number(id) - 1),
  'id-float': withId('The id and a half', 'BP-02', ({ id }) => Number(id) + 0.5),
  'id-huge': one('An id of 400 digits', 'BP-02', () => `{"jsonrpc":"2.0","id":${'9'.repeat(400)},"result":{}}`),
  'id-unsafe': one('An id beyond 2^53', 'BP-06', () => '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}'),
  'id-exponent': one('The id as 1e0', 'BP-06', ({ id }) => `{"jsonrpc":"2.0","id":${String(id)}e0,"result":{}}`),
  'id-bool': withId('The id is true', 'BP-02', () => true),
  'id-object': withId('The id is an object', 'BP-02', ({ id }) => ({ id })),
  'id-array': withId('The id in an array', 'BP-02', ({ id }) => [id]),
  'id-null': withId('The id is null', 'BP-06', () => null),
  'id-empty': withId('The id is the empty string', 'BP-06', () => ''),
  'id-proto': withId('The id is "__proto__"', 'BP-06', () => '__proto__'),
  'id-missing': withId('No id', 'BP-06', () => undefined),

  'result-and-error': one('result and error', 'BP-07', (asked) =>
    answer(asked, { error: { code: -32603, message: 'and failed' } }),
  ),
  neither: instead('Neither result nor error', 'BP-07', {}),
  'result-array': instead('The result is an array', 'BP-01', { result: [] }),
  'result-string': instead('The result is a string', 'BP-01', { result: 'ok' }),
  'result-number': instead('The result is 0', 'BP-01', { result: 0 }),
  'result-null': instead('The result is null', 'BP-01', { result: null }),
  'result-false': instead('The result is false', 'BP-01', { result: false }),
  'error-no-code': instead('An error without a code', 'BP-09', { error: { message: 'No' } }),
  'error-code-text': instead('The code is a string', 'BP-09', { error: { code: '-32603', message: 'No' } }),
  'error-code-float': instead('The code is 1.5', 'BP-09', { error: { code: 1.5, message: 'No' } }),
  'error-code-huge': instead('The code is 1e300', 'BP-09', { error: { code: 1e300, message: 'No' } }),
  'error-no-message': instead('An error without a message', 'BP-09', { error: { code: -32603 } }),
  'error-message-object': instead('The message is an object', 'BP-09', { error: { code: -32603, message: { a: 1 } } }),
  'error-text': instead('The error is a string', 'BP-09', { error: 'No' }),
  'error-null': instead('The error is null', 'BP-09', { error: null }),
  'error-array': instead('The error is an array', 'BP-09', { error: [-32603, 'No'] }),
  'error-result-null': instead('result null beside a good error', 'BP-07', {
    result: null,
    error: { code: -32603, message: 'No' },
  }),
  'error-without-id': one('A good error without an id', 'BP-08', () =>
    rpc({ error: { code: -32700, message: 'What?' } }),
  ),
  'error-id-null': one('A good error with the id null', 'BP-08', () =>
    rpc({ id: null, error: { code: -32700, message: 'What?' } }),
  ),

  'method-and-result': one('method and result', 'BP-01', (asked) => answer(asked, { method: asked.method })),
  'method-and-error': one('method and error', 'BP-01', ({ id }) =>
    rpc({ id, method: 'ping', error: { code: -32603, message: 'No' } }),
  ),
  'method-number': instead('The method is a number', 'BP-01', { method: 7 }),
  'method-null': instead('The method is null', 'BP-01', { method: null }),
  'method-object': instead('The method is an object', 'BP-01', { method: { name: 'ping' } }),
  echo: one('The request itself comes back', 'BP-01', ({ id, method, params }) => rpc({ id, method, params })),
} as const satisfies GarbageKinds
