import { expect, test } from 'vitest'
import { statusAdvice } from './status-advice.ts'

test.each([
  // What published servers and gateways respond.
  [
    403,
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Invalid Host header: app.example"},"id":null}',
    'host-check',
  ],
  [403, 'Blocked request. This host ("app.example") is not allowed.', 'host-check'],
  [421, 'Invalid Host header', 'host-check'],
  [400, 'Request rejected: possible DNS rebinding attack', 'host-check'],
  [403, '{"error":{"message":"Invalid Origin header: http://127.0.0.1:6280"}}', 'origin-check'],
  [403, 'Origin not allowed', 'origin-check'],
  [403, 'CORS: the origin http://localhost:6280 is forbidden', 'origin-check'],
  [502, '<html><h1>502 Bad Gateway</h1><hr>nginx/1.24</html>', 'gateway'],
  [504, '', 'gateway'],
  [522, 'error code: 522', 'gateway'],
  [406, '', 'accept'],
  [415, '', 'content-type'],
  [429, '', 'rate'],
] as const)('%i with %j is read as %s', (status, body, is) => {
  expect(statusAdvice({ status, body })).toMatchObject({ is })
})

test('credentials are named by kind', () => {
  expect(statusAdvice({ status: 401, challenge: 'Basic realm="mcp"' })).toEqual({ is: 'basic' })
  expect(statusAdvice({ status: 401, challenge: 'Bearer realm="mcp"' })).toBeUndefined()
  expect(statusAdvice({ status: 401, body: '{"error":"Missing X-Api-Key header"}' })).toEqual({ is: 'api-key', header: 'X-Api-Key' }) // prettier-ignore
  expect(statusAdvice({ status: 403, body: 'Invalid API key' })).toEqual({ is: 'api-key', header: 'X-API-Key' })
})

test('a time to wait is kept as it came', () => {
  expect(statusAdvice({ status: 429, retryAfter: '30' })).toEqual({ is: 'rate', after: '30' })
  expect(statusAdvice({ status: 503, retryAfter: 'Fri, 27 Nov 2026 12:00:00 GMT' })).toEqual({
    is: 'gateway',
    after: 'Fri, 27 Nov 2026 12:00:00 GMT',
  })
})

test.each([
  [400, '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Bad Request: Unsupported protocol version"},"id":null}'],
  [400, 'Bad Request: No valid session ID provided'],
  [403, 'You have no access to this workspace. Ask its host.'],
  [403, '<html>403 Forbidden</html>'],
  [404, 'No such host'],
  [500, 'The origin of the error is unknown: invalid state'],
  [401, ''],
])('%i with %j says nothing more than its status', (status, body) => {
  expect(statusAdvice({ status, body })).toBeUndefined()
})
