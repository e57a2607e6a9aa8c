import { expect, test } from 'vitest'
import { actionsFor, patchOf } from './failure-actions.ts'
import { failedAttempt, type FailedAttempt } from './failed-attempt.ts'
import { judgeFailure, RELAY_CODES } from './failure.ts'
import { IDLE, type Connection } from '../server/connection.ts'
import type { Settings } from '../connect/settings.ts'
import type { JsonObject } from '../../mcp/index.ts'
import type { Target } from '../connect/target.ts'

const page = { protocol: 'http:', host: 'localhost:6280' }
const url = (text: string): Target => ({ kind: 'url', url: text, headers: [] })
const command: Target = { kind: 'command', command: 'x', args: [], env: {} }
const failed = (code: string, more: Partial<FailedAttempt> = {}): FailedAttempt => ({
  code,
  noise: 0,
  stderr: 0,
  ...more,
})
const far = url('https://e.com/mcp')
const can = (attempt: FailedAttempt, target = far) =>
  actionsFor(attempt, target, page).map((action) => ('revision' in action ? action.revision : action.do))
const exchange = (request: number, status?: number) => ({
  request,
  at: 0,
  method: 'POST',
  url: 'https://e.com/mcp',
  ...(status === undefined ? {} : { status }),
})

test('an opaque network failure names the likelier cause first, and never claims to know which it was', () => {
  expect(judgeFailure(failed('unreachable'), url('http://localhost:2/mcp'), page).remedies).toEqual([
    'is-it-running',
    'allow-page',
  ])
  expect(judgeFailure(failed('unreachable'), url('https://e.com/mcp'), page).remedies).toEqual([
    'allow-page',
    'is-it-running',
  ])
  const hosted = { protocol: 'https:', host: 'e.org' }
  expect(judgeFailure(failed('unreachable'), url('http://localhost:2/mcp'), hosted).remedies).toContain('local-network')
  // CORS can't be the cause on the page's own origin.
  expect(judgeFailure(failed('unreachable'), url('http://localhost:6280/mcp'), page).remedies).toEqual([
    'is-it-running',
  ])
})

test('probes from the page narrow the causes down', () => {
  const of = (reach: FailedAttempt['reach'], at = far, proxy = true) =>
    judgeFailure(failed('unreachable', { reach: reach!, proxy }), at, page)
  const local = ['is-it-running', 'read-curl']
  expect(of({ is: 'silent' })).toEqual({ what: 'unreachable', remedies: [...local, 'check-host', 'check-certificate'] })
  expect(of({ is: 'silent' }, url('http://e.com/mcp')).remedies).toEqual([...local, 'check-host'])
  // Neither numbers nor localhost are looked up.
  for (const at of ['http://127.0.0.1:2/mcp', 'http://[::1]:2/mcp', 'http://a.localhost:2/mcp'])
    expect(of({ is: 'silent' }, url(at)).remedies).toEqual(local)
  expect(of({ is: 'plain' })).toEqual({ what: 'plain-http', remedies: ['use-http', 'check-certificate'] })
  expect(of({ is: 'closed' })).toEqual({ what: 'cors', remedies: ['allow-origin'] })
  expect(of({ is: 'closed' }, far, false).remedies).toEqual(['allow-origin', 'run-proxy'])
  expect(of({ is: 'preflight' })).toEqual({ what: 'cors', remedies: ['allow-options'] })
  expect(of({ is: 'headers', missing: ['mcp-method'] })).toEqual({ what: 'cors', remedies: ['allow-headers'] })
})

test('where GET works and POST does not, CORS is only one of two causes', () => {
  const lost = (more: Partial<FailedAttempt> = {}) =>
    judgeFailure(failed('unreachable', { reach: { is: 'response' }, proxy: true, ...more }), far, page)
  expect(lost()).toEqual({ what: 'post-lost', remedies: ['post-log', 'allow-response'] })
  // The stream of HTTP+SSE was open, so its URL for messages is the one to blame.
  expect(lost({ hasEndpoint: true }).remedies).toEqual(['post-log', 'allow-messages'])
  expect(lost({ proxy: false }).remedies).toContain('run-proxy')
})

test('a port that browsers block is named without a guess at the server', () => {
  const at = (port: string, more: Partial<FailedAttempt> = {}) =>
    judgeFailure(failed('unreachable', { proxy: true, ...more }), url(`http://localhost${port}/mcp`), page).what
  expect(at(':6667')).toBe('blocked-port')
  expect(at(':10080', { reach: { is: 'silent' } })).toBe('blocked-port')
  expect(at(':6274')).toBe('unreachable')
  expect(at('')).toBe('unreachable')
  // The relay opens it, and knows why it failed.
  expect(at(':6667', { relayCode: 'refused' })).toBe('relay')
})

test('what arrived in place of the response is named, and nothing is called broken that is not', () => {
  const of = (fault?: string) => judgeFailure(failed('stream-lost', fault === undefined ? {} : { fault }), far, page)
  expect(of('empty-response')).toEqual({ what: 'empty-response', remedies: ['fix-empty-response'] })
  expect(of('invalid-json').what).toBe('invalid-json')
  expect(of('other-id').what).toBe('other-id')
  expect(of('no-response').what).toBe('no-response')
  const cut = failed('stream-lost', { http: exchange(1, 200) })
  expect(judgeFailure(cut, far, page).remedies).toEqual(['server-log', 'check-body-headers'])
  expect(judgeFailure(failed('stream-lost'), command, page).remedies).not.toContain('check-body-headers')
  const unread = failed('stream-lost', { http: { ...exchange(1, 200), contentType: 'application/json', cut: true } })
  expect(judgeFailure(unread, far, page)).toEqual({ what: 'body-lost', remedies: ['check-body-headers', 'server-log'] })
  expect(judgeFailure({ ...unread, wrongEncoding: true }, far, page).what).toBe('wrong-encoding')
  const stream = { ...exchange(1, 200), contentType: 'text/event-stream; charset=utf-8' }
  const ended = failed('stream-lost', { http: stream, probed: true, probe: exchange(0, 200) })
  expect(judgeFailure(ended, far, page)).toEqual({ what: 'stream-ended', remedies: ['keep-stream', 'server-log'] })
  // The handshake got no more than the probe, so the probe is not to blame.
  expect(can(ended)).toEqual([])
  const broken = failed('stream-lost', { http: { ...stream, cut: true } })
  expect(judgeFailure(broken, far, page).what).toBe('stream-lost')
  expect(of().what).toBe('stream-lost')
})

test('a body that is not MCP is named by what it is', () => {
  const of = (body: string, more: Partial<FailedAttempt> = {}, redirectedTo?: string) => {
    const http = { ...exchange(1, 200), body, ...(redirectedTo === undefined ? {} : { redirectedTo }) }
    return judgeFailure(failed('not-mcp', { http, ...more }), far, page)
  }
  expect(of('<html>')).toEqual({ what: 'not-mcp', remedies: ['try-path', 'read-body'] })
  expect(of('DEBUG {"jsonrpc"', { fault: 'invalid-json' })).toEqual({ what: 'invalid-json', remedies: ['fix-invalid-json'] }) // prettier-ignore
  expect(of('\u001F\uFFFD\u0008\0', { fault: 'invalid-json' }).what).toBe('compressed')
  expect(of('<form>', {}, 'https://e.com/login?next=%2Fmcp').what).toBe('login-page')
  expect(of('<input type="password">', {}, 'https://e.com/x').what).toBe('login-page')
  expect(of('<html>', {}, 'https://e.com/docs').what).toBe('not-mcp')
  const docs = '<title>Designing APIs</title><a href="/login">Sign in</a>'
  expect(of(docs, {}, 'https://e.com/docs').what).toBe('not-mcp')
})

test('a redirect that the page found out is followed with one click, unless its URL has a masked secret', () => {
  const attempt = (to: string) => {
    const failure = { seq: 1, at: 0, code: 'unreachable', explanation: '', evidence: [], details: {} }
    return failedAttempt({ ...IDLE, failure }, far, {}, false, { reach: { is: 'redirect', to } })
  }
  const moved = attempt('https://e.com/mcp/')
  expect(judgeFailure(moved, far, page)).toEqual({ what: 'redirect', remedies: ['follow-redirect'] })
  expect(can(moved)).toEqual(['redirect'])
  const masked = attempt('https://e.com/mcp/?token=••••')
  expect(judgeFailure(masked, far, page)).toEqual({ what: 'redirect', remedies: ['masked-redirect'] })
  expect(can(masked)).toEqual([])
})

test('a redirect that turned the POST into a GET is followed with one click, and one that leads to itself is not', () => {
  const attempt = (status: number, redirectedTo: string, body = '', more: Partial<Connection> = {}) => {
    const details = { status }
    const failure = { seq: 1, at: 0, code: 'http-status', explanation: '', evidence: [], details }
    const http = { ...exchange(1, status), redirectedTo, body }
    return failedAttempt({ ...IDLE, failure, http, ...more }, far, {}, false)
  }
  const lost = attempt(405, 'https://e.com/v2/mcp')
  expect(judgeFailure(lost, far, page)).toEqual({ what: 'redirect', remedies: ['follow-redirect'] })
  expect(can(lost)).toEqual(['redirect'])
  expect(judgeFailure(attempt(500, 'https://e.com/v2/mcp'), far, page).what).toBe('server-error')
  const of = (...args: Parameters<typeof attempt>) => judgeFailure(attempt(...args), far, page).what
  expect(of(400, 'https://e.com/v2/mcp', 'Bad Request: Mcp-Session-Id header is required')).toBe('redirect')
  // The POST arrived: 307 and 308 keep it.
  expect(of(400, 'https://e.com/mcp/', 'Invalid Host header')).toBe('host-check')
  expect(of(400, 'https://e.com/mcp/', 'Unsupported protocol version')).toBe('status')
  // It was sent to the URL of the endpoint event.
  expect(of(405, 'https://e.com/messages/', '', { endpoint: { seq: 0, named: '/messages' } })).toBe('endpoint-refused')
  const loop = failed('http-status', { status: 307, redirect: 'https://e.com/mcp' })
  expect(judgeFailure(loop, far, page)).toEqual({ what: 'redirect-loop', remedies: ['fix-redirect-loop'] })
  expect(can(loop)).toEqual([])
  expect(can(loop, url('https://e.com/mcp#tools'))).toEqual([])
})

test('the URL of an endpoint event is blamed only for a request that was sent there', () => {
  const of = (seq: number) => {
    const failure = { seq: 9, at: 0, code: 'http-status', explanation: '', evidence: [], details: { status: 405 } }
    const endpoint = { seq, named: '/messages' }
    return judgeFailure(
      failedAttempt({ ...IDLE, failure, endpoint, http: exchange(5, 405) }, far, {}, false),
      far,
      page,
    )
  }
  expect(of(4).what).toBe('endpoint-refused')
  expect(of(6).what).toBe('not-found')
})

test('a session, an endpoint event and JSON in a string that servers get wrong are named instead of the path', () => {
  const status = { status: 404 }
  expect(judgeFailure(failed('session-expired', status), far, page)).toEqual({
    what: 'unknown-session',
    remedies: ['keep-session', 'server-log'],
  })
  expect(judgeFailure(failed('http-status', { ...status, hasEndpoint: true }), far, page)).toEqual({
    what: 'endpoint-refused',
    remedies: ['fix-endpoint', 'read-body', 'server-log'],
  })
  const body = JSON.stringify(JSON.stringify({ jsonrpc: '2.0', id: 1 }))
  expect(
    judgeFailure(failed('not-mcp', { fault: 'invalid-json', http: { ...exchange(1, 200), body } }), far, page),
  ).toEqual({
    what: 'json-string',
    remedies: ['fix-json-string'],
  })
  for (const fault of ['unfinished-event', 'stray-lines'] as const)
    expect(judgeFailure(failed('stream-lost', { fault, http: exchange(1, 200) }), far, page)).toEqual({
      what: fault,
      remedies: [`fix-${fault}`],
    })
})

test('the other scheme is one click away, but plain HTTP only on this machine', () => {
  const plainBehind = failed('unreachable', { relayCode: 'not-tls', proxy: true })
  const local = url('https://localhost:8443/mcp?a=1')
  expect(actionsFor(plainBehind, local, page)).toEqual([{ do: 'redirect', url: 'http://localhost:8443/mcp?a=1' }])
  expect(actionsFor(plainBehind, url('https://localhost/mcp'), page)).toEqual([{ do: 'redirect', url: 'http://localhost:443/mcp' }]) // prettier-ignore
  expect(actionsFor(plainBehind, far, page)).toEqual([])
  // So do some servers of plain HTTP.
  expect(actionsFor(failed('unreachable', { relayCode: 'tls-closed', proxy: true }), local, page)).toEqual([
    { do: 'redirect', url: 'http://localhost:8443/mcp?a=1' },
  ])
  // It speaks TLS, so plain HTTP can't help.
  expect(actionsFor(failed('unreachable', { relayCode: 'tls', proxy: true }), local, page)).toEqual([])
  const plain = failed('http-status', { status: 400, advice: { is: 'https-port' } })
  expect(judgeFailure(plain, url('http://e.com/mcp'), page)).toMatchObject({ what: 'https-port' })
  expect(actionsFor(plain, url('http://e.com/mcp'), page)).toEqual([{ do: 'redirect', url: 'https://e.com/mcp' }])
})

test('a gateway that speaks plain HTTP to a server with TLS is blamed, not the https URL of the user', () => {
  const details = { status: 400, body: 'The plain HTTP request was sent to HTTPS port' }
  const failure = { seq: 1, at: 0, code: 'http-status', explanation: '', evidence: [], details }
  const attempt = failedAttempt({ ...IDLE, failure, http: exchange(1, 400) }, far, {}, false)
  expect(judgeFailure(attempt, far, page)).toEqual({ what: 'gateway', remedies: ['status-gateway', 'read-body'] })
  expect(can(attempt)).toEqual([])
})

test('a proxy that is gone is offered again instead of its relay', () => {
  const failure = {
    seq: 1,
    at: 0,
    code: 'unreachable',
    explanation: '',
    evidence: [],
    details: { proxyCode: 'no-proxy' },
  }
  const gone = failedAttempt({ ...IDLE, failure }, far, {}, true, { reach: { is: 'closed' } })
  expect(judgeFailure(gone, far, page)).toEqual({ what: 'cors', remedies: ['allow-origin', 'run-proxy'] })
  expect(can(gone)).toEqual([])
})

test('a redirect names its target, which is one click away', () => {
  const moved = failed('http-status', { status: 307, redirect: 'https://e.com/mcp/' })
  expect(judgeFailure(moved, far, page)).toEqual({ what: 'redirect', remedies: ['follow-redirect'] })
  expect(actionsFor(moved, far, page)).toEqual([{ do: 'redirect', url: 'https://e.com/mcp/' }])
})

test('a session ID that CORS hides is named instead of the status, and the relay shows it (BR-02)', () => {
  const hidden = failed('http-status', { status: 400, sessionHidden: true, proxy: true })
  expect(judgeFailure(hidden, far, page)).toEqual({
    what: 'hidden-session',
    remedies: ['expose-session', 'send-session'],
  })
  expect(can(hidden)).toEqual(['relay'])
  expect(can({ ...hidden, proxy: false })).toEqual([])
})

test('a status is explained by what it means for MCP', () => {
  const of = (status: number) => judgeFailure(failed('http-status', { status }), url('http://x/'), page)
  expect(of(403)).toMatchObject({ what: 'forbidden', remedies: ['read-body', 'maybe-origin', 'maybe-sign-in'] })
  // The relay sends no Origin.
  expect(judgeFailure(failed('http-status', { status: 403, relayed: true }), far, page).remedies).toEqual([
    'read-body',
    'maybe-sign-in',
  ])
  expect(of(404).remedies[0]).toBe('try-path')
  expect(of(405).remedies).toContain('old-transport')
  expect(of(502).what).toBe('server-error')
  expect(of(418).what).toBe('status')
})

test('a response that names its cause is taken at its word', () => {
  const of = (status: number, advice: FailedAttempt['advice']) =>
    judgeFailure(failed('http-status', { status, advice: advice! }), far, page)
  expect(of(502, { is: 'gateway' })).toEqual({ what: 'gateway', remedies: ['status-gateway', 'read-body'] })
  expect(of(429, { is: 'rate', after: '30' }).what).toBe('rate')
  expect(of(403, { is: 'host-check' }).what).toBe('host-check')
  expect(of(403, { is: 'api-key', header: 'X-Key' })).toEqual({ what: 'forbidden', remedies: ['status-api-key', 'read-body'] }) // prettier-ignore
  const basic = failed('unauthorized', { advice: { is: 'basic' } })
  expect(judgeFailure(basic, far, page).remedies).toEqual(['status-basic', 'maybe-sign-in'])
  // Neither a sign-in nor another transport or version changes any of these.
  for (const [status, is] of [[403, 'firewall'], [429, 'rate'], [502, 'gateway'], [421, 'host-check']] as const) // prettier-ignore
    expect(can(failed('http-status', { status, proxy: true, probed: true, step: 'probing', advice: { is } })), is).toEqual([]) // prettier-ignore
  const checked = failed('http-status', { status: 403, proxy: true, advice: { is: 'origin-check' } })
  expect(can(checked)).toEqual(['relay'])
  expect(can({ ...checked, proxy: false })).toEqual([])
  expect(judgeFailure({ ...checked, relayed: true }, far, page).remedies).toEqual(['origin-absent', 'read-body'])
  expect(can(basic)).toEqual(['authorize', 'sign-in', 'sign-in-by-steps'])
})

test('a process that ended points at its stderr only when there is one', () => {
  expect(judgeFailure(failed('process-exited', { stderr: 3 }), command, page).remedies[0]).toBe('read-stderr')
  expect(judgeFailure(failed('process-exited'), command, page).remedies).not.toContain('read-stderr')
  expect(judgeFailure(failed('process-exited', { answered: true }), command, page)).toEqual({
    what: 'exited-after-response',
    remedies: ['keep-reading', 'run-by-hand'],
  })
  expect(judgeFailure(failed('timeout', { noise: 2 }), command, page).remedies[0]).toBe('stdout-noise')
})

test('every code of the kernel has a verdict, and what is unknown is told as our own fault', () => {
  const codes = [
    'unreachable',
    'http-status',
    'unauthorized',
    'session-expired',
    'not-mcp',
    'timeout',
    'stream-lost',
    'process-exited',
    'spawn-failed',
    'no-proxy',
    'proxy-lost',
    'bad-handshake',
    'proxy-refused',
    'invalid-result',
    'not-sendable',
    'unanswered',
    'unsupported-revision',
    'closed',
  ]
  for (const code of codes) {
    const verdict = judgeFailure(failed(code), command, page)
    expect(verdict.what, code).not.toBe('internal')
    expect(verdict.remedies.length, code).toBeGreaterThan(0)
  }
  expect(judgeFailure(failed('what'), command, page).what).toBe('internal')
})

test('the relay is offered where a browser hides the cause, there is a proxy, and it is not taken already', () => {
  expect(can(failed('unreachable', { proxy: true }))).toEqual(['relay'])
  expect(can(failed('unreachable'))).toEqual([])
  // The automatic route has taken it already.
  expect(can(failed('unreachable', { proxy: true, relayCode: 'not-http' }))).toEqual([])
  expect(can(failed('unreachable', { proxy: true }), url('http://localhost:6280/mcp'))).toEqual([])
  expect(can(failed('unreachable', { proxy: true, settings: { relay: true }, relayCode: 'dns' }))).toEqual([])
  expect(can(failed('http-status', { status: 403, proxy: true }))).toEqual([
    'relay',
    'sign-in',
    'sign-in-by-steps',
    'authorize',
  ])
})

test('a failure of the relay is explained by its cause', () => {
  for (const relayCode of RELAY_CODES) {
    expect(judgeFailure(failed('unreachable', { relayCode }), far, page)).toEqual({
      what: 'relay',
      remedies: ['relay'],
    })
  }
  // A code from a newer proxy: its own message is shown.
  expect(judgeFailure(failed('unreachable', { relayCode: 'new' }), far, page).remedies).toEqual(['from-proxy'])
  const relayed = { proxy: true, settings: { relay: true } as const }
  expect(can(failed('no-proxy', relayed))).toEqual(['direct'])
  expect(judgeFailure(failed('no-proxy'), far, page).what).toBe('no-relay')
})

test.each([
  [-32001, 'Unauthorized: provide an API key in the Authorization header', 'wants-credentials', ['authorize']],
  [-32000, 'Bad Request: No valid session ID provided', 'session-first', []],
  [-32700, 'Parse error: Unexpected end of JSON input', 'parse-error', []],
  [-32603, 'x is not a function', 'internal-error', []],
  [-32000, 'no', 'refused', []],
  [-32000, 'Could not create a database session', 'refused', []],
  [-32000, 'Too many sessions', 'refused', []],
  [-32603, 'Missing API key: set OPENAI_API_KEY', 'internal-error', []],
] as const)('a handshake that is refused with %d %s', (code, explanation, what, actions) => {
  const failure = { seq: 1, at: 0, code: 'bad-handshake', explanation, evidence: [], details: { code } }
  const attempt = failedAttempt({ ...IDLE, failure, http: exchange(1, 200) }, far, {}, false)
  expect(judgeFailure(attempt, far, page).what).toBe(what)
  expect(can(attempt)).toEqual(actions)
})

test('a result of initialize without its members is no refusal', () => {
  const explanation = 'The response to initialize has no protocolVersion'
  const failure = { seq: 1, at: 0, code: 'bad-handshake', explanation, evidence: [], details: { answer: {} } }
  const attempt = failedAttempt({ ...IDLE, failure, http: exchange(1, 200) }, far, {}, false)
  expect(judgeFailure(attempt, far, page)).toEqual({
    what: 'invalid-handshake',
    remedies: ['fix-handshake', 'server-log'],
  })
})

test.each([
  [-32001, 'API key is required', 'refused'],
  [-32000, 'Session not found', 'refused'],
  [-32700, 'Parse error', 'parse-error'],
] as const)('over stdio, %d %s is explained without headers and gateways', (code, explanation, what) => {
  const failure = { seq: 1, at: 0, code: 'bad-handshake', explanation, evidence: [], details: { code } }
  const attempt = failedAttempt({ ...IDLE, failure }, command, {}, true)
  const verdict = judgeFailure(attempt, command, page)
  expect(verdict.what).toBe(what)
  expect(verdict.remedies).not.toContain('check-request-body')
})

test('a status that asks for another protocol leads to it, and one of the platform to no other transport', () => {
  const upgrade = failed('http-status', { status: 426, advice: { is: 'upgrade' } })
  expect(judgeFailure(upgrade, far, page)).toEqual({ what: 'upgrade', remedies: ['status-upgrade', 'read-body'] })
  expect(actionsFor(upgrade, far, page)).toEqual([{ do: 'redirect', url: 'wss://e.com/mcp' }])
  const to = (to: string, target = far) =>
    actionsFor(failed('http-status', { status: 426, advice: { is: 'upgrade', to } }), target, page)
  expect(to('h2c, WebSocket')).toEqual([{ do: 'redirect', url: 'wss://e.com/mcp' }])
  expect(to('h2c')).toEqual([])
  expect(to('TLS/1.2, HTTP/1.1', url('http://e.com/mcp'))).toEqual([{ do: 'redirect', url: 'https://e.com/mcp' }])
  expect(to('TLS/1.2')).toEqual([])
  const scope = failed('http-status', { status: 403, advice: { is: 'scope', scope: 'a' } })
  expect(judgeFailure(scope, far, page)).toMatchObject({ what: 'forbidden', remedies: ['status-scope', 'read-body'] })
  expect(can(scope)).toEqual(['sign-in', 'sign-in-by-steps', 'authorize'])
  expect(can(failed('http-status', { status: 403, advice: { is: 'platform' }, proxy: true }))).toEqual([])
  const details = { status: 400, body: 'Bad Request: Unsupported protocol version' }
  const version = (evidence: NonNullable<Connection['failure']>['evidence']) =>
    failedAttempt(
      { ...IDLE, failure: { seq: 1, at: 0, code: 'http-status', explanation: '', evidence, details } },
      far,
      {},
      true,
    )
  const after = version([{ saw: 'answered', revision: '2025-06-18' }])
  expect(judgeFailure(after, far, page)).toEqual({ what: 'version-header', remedies: ['version-header', 'read-body'] })
  expect(judgeFailure(version([]), far, page).what).toBe('status')
})

test.each([
  ['certificate', 'CERT_HAS_EXPIRED', 'expired'],
  ['certificate', 'ERR_TLS_CERT_ALTNAME_INVALID', 'other-name'],
  ['certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknown-issuer'],
  ['self-signed', 'SELF_SIGNED_CERT_IN_CHAIN', 'unknown-issuer'],
] as const)('a certificate is rejected for its own fault: %s, %s', (relayCode, system, fault) => {
  const attempt = (details: JsonObject) =>
    failedAttempt(
      { ...IDLE, failure: { seq: 1, at: 0, code: 'unreachable', explanation: '', evidence: [], details } },
      far,
      {},
      true,
    )
  expect(judgeFailure(attempt({ relayCode, system }), far, page)).toEqual({
    what: `certificate-${fault}`,
    remedies: [`certificate-${fault}`, 'trust-certificate'],
  })
  expect(judgeFailure(attempt({ relayCode, system: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), far, page).what).toBe('relay')
  expect(judgeFailure(attempt({ relayCode: 'reset', system }), far, page).what).toBe('relay')
})

test('the certificate that a check of the host showed can be trusted, and one that replaced it only as such', () => {
  const [old, shown] = ['0A', '0B'].map((byte) => Array(32).fill(byte).join(':'))
  const network = (host: string, fingerprint256 = shown!) => ({
    seq: 3,
    host,
    steps: [
      { step: 'tcp' as const, ms: 1 },
      {
        step: 'tls' as const,
        ms: 1,
        untrusted: 'CERT_HAS_EXPIRED',
        chain: [{ subject: '', issuer: '', validFrom: '', validTo: '', names: [], fingerprint256 }],
      },
    ],
  })
  const attempt = (relayCode: string, found: ReturnType<typeof network> | undefined, settings: Settings = {}) => {
    const details = { relayCode, url: 'https://e.com:8443/mcp' }
    const failure = { seq: 1, at: 0, code: 'unreachable', explanation: '', evidence: [], details }
    return failedAttempt({ ...IDLE, failure }, far, settings, true, { network: found })
  }
  const actions = (...attempted: Parameters<typeof attempt>) => actionsFor(attempt(...attempted), far, page)
  const certificate = `e.com:8443 ${shown}` as const
  expect(actions('self-signed', network('e.com:8443'))).toEqual([{ do: 'trust', certificate }])
  expect(patchOf({ do: 'trust', certificate })).toEqual({ relay: true, certificates: [certificate] })
  // Nothing is trusted that wasn't shown, or that was shown for another host or port.
  expect(actions('self-signed', undefined)).toEqual([])
  expect(actions('self-signed', network('e.com'))).toEqual([])
  expect(actions('self-signed', network('e.com:8443', 'AB'))).toEqual([])
  expect(actions('reset', network('e.com:8443'))).toEqual([])
  const settings: Settings = { relay: true, certificates: [`auth.e.com ${old}`, `e.com:8443 ${old}`] }
  expect(actions('certificate-changed', network('e.com:8443'), settings)).toEqual([{ do: 'trust-new', certificate }])
  expect(patchOf({ do: 'trust-new', certificate }, settings)?.certificates).toEqual([`auth.e.com ${old}`, certificate])
  // What the user has removed since the attempt stays so.
  expect(patchOf({ do: 'trust-new', certificate }, { relay: true })?.certificates).toEqual([certificate])
})

test('revisions that a server named can be pinned, newest first; what it named and nobody speaks cannot', () => {
  const supported = ['2024-11-05', '2027-01-01', '2025-06-18', '2025-06-18']
  expect(can(failed('unsupported-revision', { supported }))).toEqual(['2025-06-18', '2024-11-05'])
  const settings = { revision: '2025-11-25' } as const
  expect(can(failed('unsupported-revision', { supported, settings }))).toEqual(['2025-06-18', '2024-11-05', 'unpin'])
})

test('a pin is only to blame where the server was reached', () => {
  const settings = { revision: '2025-11-25', relay: true } as const
  expect(can(failed('unreachable', { settings, relayCode: 'dns', proxy: true }))).toEqual([])
  expect(can(failed('unauthorized', { settings }))).toEqual(['sign-in', 'sign-in-by-steps', 'authorize'])
  expect(can(failed('http-status', { status: 500, settings }))).toEqual(['unpin'])
})

test('where the probe may have done the harm, the handshake alone is one click away (VN-31, VN-32)', () => {
  expect(can(failed('timeout', { step: 'probing', probed: true }), command)).toEqual(['2025-11-25'])
  expect(can(failed('process-exited', { step: 'waiting-for-answer', probed: true }), command)).toEqual(['2025-11-25'])
  expect(can(failed('process-exited', { step: 'starting-process' }), command)).toEqual([])
  // Another process, without a probe before it, ended as well.
  const again = failed('process-exited', { step: 'waiting-for-answer', probed: true, restarted: true })
  expect(can(again, command)).toEqual([])
  // Only a server that responds otherwise to another request can have failed because of the probe.
  const atProbe = { status: 500, step: 'probing', probed: true } as const
  expect(can(failed('http-status', { ...atProbe, pinged: 400 }))).toEqual(['2025-11-25'])
  expect(can(failed('http-status', { ...atProbe, pinged: 500 }))).toEqual([])
  expect(can(failed('http-status', atProbe))).toEqual([])
  // A refused handshake is no fault of the probe: over HTTP it stands alone, and a process was started again for it.
  expect(can(failed('bad-handshake', { status: 200, step: 'waiting-for-answer', probed: true }))).toEqual([])
  // Pinned already, so nothing was probed.
  const settings = { revision: '2025-11-25' } as const
  expect(can(failed('timeout', { step: 'waiting-for-answer', settings }), command)).toEqual(['unpin'])
})

test('a server that answered the probe and then 500 to all may have spent its only request on it', () => {
  const spent = failed('http-status', { status: 500, probe: exchange(1, 400), http: exchange(5, 500), probed: true })
  expect(judgeFailure(spent, far, page)).toMatchObject({
    what: 'probe-used-up',
    remedies: ['restart-server', 'read-body', 'server-log'],
  })
  expect(can(spent)).toEqual(['2025-11-25'])
  const never = failed('http-status', { status: 500, probe: exchange(1, 500), http: exchange(1, 500), probed: true })
  expect(judgeFailure(never, far, page).what).toBe('server-error')
  expect(judgeFailure(failed('bad-handshake', { status: 502 }), far, page).what).toBe('server-error')
})

test('the other transport is offered where it was not tried, and a sign-in comes before all else (VN-31)', () => {
  expect(can(failed('http-status', { status: 404 }))).toEqual([])
  for (const status of [410, 413, 415, 431]) expect(can(failed('http-status', { status })), `${status}`).toEqual([])
  expect(can(failed('http-status', { status: 406 }))).toEqual([])
  const pinned = { revision: '2026-07-28' } as const
  expect(can(failed('http-status', { status: 405, settings: pinned }))).toEqual(['http-sse', 'unpin'])
  // Neither a server that says nothing nor a web page responds over the older transport.
  expect(can(failed('timeout'))).toEqual([])
  expect(can(failed('not-mcp', { status: 200 }))).toEqual([])
  expect(can(failed('http-status', { status: 405, settings: { transport: 'streamable-http' } }))).toEqual([
    'any-transport',
  ])
  expect(can(failed('not-mcp', { settings: { transport: 'http-sse' } }))).toEqual(['any-transport'])
  expect(can(failed('unauthorized', { settings: { revision: '2025-11-25' }, probed: true }))).toEqual([
    'sign-in',
    'sign-in-by-steps',
    'authorize',
  ])
})

test('an endpoint on another origin is explained, and followed only when told to (TR-SSE-03)', () => {
  const foreign = failed('not-mcp', { foreignEndpoint: true })
  expect(judgeFailure(foreign, far, page)).toEqual({ what: 'foreign-endpoint', remedies: ['foreign-endpoint'] })
  expect(can(foreign)).toEqual(['foreign-endpoint'])
  expect(patchOf({ do: 'foreign-endpoint' })).toEqual({ transport: 'http-sse', foreignEndpoint: true })
})

test('what the network shows of a WebSocket leaves only the causes that fit', () => {
  const wss: Target = { kind: 'custom', url: 'wss://e.com/mcp' }
  const of = (network?: FailedAttempt['network'], target: Target = wss) =>
    judgeFailure(failed('not-opened', { closeCode: 1006, ...(network ? { network } : {}) }), target, page).remedies
  const tcp = { step: 'tcp', ms: 1 } as const
  const tls = { step: 'tls', ms: 1, protocol: 'TLSv1.3' } as const
  expect(of()).toEqual(['ws-running', 'ws-certificate', 'ws-http', 'ws-origin', 'ws-headers'])
  expect(of(undefined, { kind: 'custom', url: 'ws://e.com/mcp' })).not.toContain('ws-certificate')
  expect(of([{ ...tcp, error: 'ECONNREFUSED' }])).toEqual(['ws-running'])
  expect(of([{ step: 'dns', ms: 1, error: 'ENOTFOUND' }])).toEqual(['ws-running'])
  expect(of([tcp, { step: 'greeting', ms: 1, text: 'SSH-2.0' }])).toEqual(['ws-running'])
  expect(of([tcp, { ...tls, error: 'ERR_SSL_WRONG_VERSION_NUMBER' }])).toEqual(['ws-plain'])
  expect(of([tcp, { ...tls, untrusted: 'DEPTH_ZERO_SELF_SIGNED_CERT' }])[0]).toBe('ws-certificate')
  expect(of([tcp, tls])).toEqual(['ws-running', 'ws-http', 'ws-origin', 'ws-headers'])
})
