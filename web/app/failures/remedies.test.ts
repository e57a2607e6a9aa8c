import { expect, test } from 'vitest'
import { failedAttempt, type FailedAttempt } from './failed-attempt.ts'
import { actionsFor } from './failure-actions.ts'
import { judgeFailure } from './failure.ts'
import { IDLE, type Connection } from '../server/connection.ts'
import type { CorsFault, Diagnosis, ResponseHints } from '../../doctor/index.ts'
import type { JsonObject } from '../../mcp/index.ts'
import type { Target } from '../connect/target.ts'

const page = { protocol: 'http:', host: 'localhost:6280' }
const far: Target = { kind: 'url', url: 'https://e.com/mcp', headers: [] }
const failed = (code: string, more: Partial<FailedAttempt> = {}): FailedAttempt => ({
  code,
  noise: 0,
  stderr: 0,
  ...more,
})
interface More {
  readonly cors?: readonly CorsFault[]
  readonly detoured?: true
  readonly preflight?: number
  readonly reach?: FailedAttempt['reach']
  readonly pinged?: Diagnosis['pinged']
  readonly http?: Partial<Connection['http']>
  readonly probe?: Connection['probe']
  readonly hints?: Partial<ResponseHints>
  readonly echo?: number
}
const exchange = { request: 1, at: 0, method: 'POST', url: 'https://e.com/mcp' }
const attempt = (code: string, details: JsonObject, { http, probe, hints, detoured, ...found }: More = {}) => {
  const failure = { seq: 9, at: 0, code, explanation: '', evidence: [], details }
  const connection = {
    ...IDLE,
    failure,
    http: { ...exchange, ...http },
    ...(probe ? { probe } : {}),
    ...(detoured ? { detoured } : {}),
  }
  return failedAttempt(connection, far, {}, true, { ...found, hints: [{ request: 1, ...hints }] })
}

test('a body that ends where Content-Length says is too short only if it has characters of several bytes', () => {
  const of = (details: JsonObject, length = 240) =>
    judgeFailure(
      attempt(
        'stream-lost',
        { fault: 'cut-json', size: 240, ...details },
        { http: { status: 200 }, hints: { length } },
      ),
      far,
      page,
    )
  expect(of({ wide: true })).toEqual({ what: 'short-length', remedies: ['short-length'] })
  expect(of({ wide: false }).what).toBe('cut-json')
  expect(of({ wide: true }, 300)).toEqual({ what: 'cut-json', remedies: ['fix-cut-json'] })
})

test('a server that returns what it gets is named before the error that it got from this page', () => {
  const echoing = attempt('bad-handshake', { code: -32601 }, { echo: 4 })
  expect(judgeFailure(echoing, far, page)).toEqual({ what: 'echo', remedies: ['fix-echo'] })
  expect(actionsFor(echoing, far, page)).toEqual([])
})

test('what explains the failure better comes before the echo: a status, what a process printed, and its end', () => {
  const command: Target = { kind: 'command', command: 'x', args: [], env: {} }
  const what = (code: string, more: Partial<FailedAttempt> = {}, target: Target = far) =>
    judgeFailure(failed(code, { echoes: true, ...more }), target, page).what
  expect(what('timeout', {}, command)).toBe('echo')
  expect(what('stream-lost', { fault: 'no-response', http: { ...exchange, status: 200 } })).toBe('echo')
  const finding = { is: 'missing-variable', name: 'API_KEY', line: 4 } as unknown as NonNullable<
    FailedAttempt['finding']
  >
  expect(what('timeout', { finding }, command)).toBe('process')
  expect(what('process-exited', {}, command)).toBe('process-exited')
  expect(what('http-status', { status: 500 })).toBe('server-error')
  expect(what('unauthorized')).toBe('unauthorized')
  expect(what('unreachable', { relayCode: 'refused' })).toBe('relay')
})

test('pinning a version is suggested once ping shows that other requests don’t fail', () => {
  const of = (pinged?: number) =>
    judgeFailure(failed('http-status', { status: 500, step: 'probing', probed: true, ...(pinged === undefined ? {} : { pinged }) }), far, page).remedies // prettier-ignore
  expect(of()).toEqual(['read-body', 'server-log'])
  expect(of(500)).toEqual(['read-body', 'server-log'])
  expect(of(400)).toEqual(['without-probe', 'read-body', 'server-log'])
})

test('a GraphQL API and a server of another protocol are named as what they are', () => {
  const of = (text: string, code = 'http-status', status = 400) =>
    judgeFailure(failed(code, { status, text, http: { ...exchange, status, body: text } }), far, page).what
  const apollo =
    '{"errors":[{"message":"GraphQL operations must contain a non-empty `query`.","extensions":{"code":"X"}}]}'
  expect(of(apollo)).toBe('graphql')
  expect(of('{"errors":[{"message":"Must provide query string."}]}')).toBe('graphql')
  expect(of('{"data":null,"errors":[{"message":"no","locations":[]}]}', 'stream-lost', 200)).toBe('graphql')
  // Other APIs, and a server that only speaks of GraphQL.
  expect(of('{"errors":[{"message":"Bad request"}]}')).toBe('status')
  expect(of('{"jsonrpc":"2.0","errors":[{"message":"GraphQL"}]}')).toBe('status')
  expect(of('<p>GraphQL playground</p>')).toBe('status')
  expect(of(apollo, 'timeout')).toBe('timeout')

  const network = [{ step: 'tcp', ms: 1 }, { step: 'greeting', ms: 150, text: 'SSH-2.0-OpenSSH_9.6' }] as const // prettier-ignore
  const closed = failed('unreachable', { relayCode: 'not-http', network })
  expect(judgeFailure(closed, far, page)).toEqual({ what: 'other-protocol', remedies: ['other-program'] })
})

test('a challenge for browsers is named whatever arrived with it', () => {
  const challenge = attempt(
    'stream-lost',
    { status: 202, fault: 'empty-response' },
    { http: { status: 202 }, hints: { mitigated: 'challenge' } },
  )
  expect(judgeFailure(challenge, far, page).what).toBe('firewall')
  expect(actionsFor(challenge, far, page)).toEqual([])
})

test('a proxy that rejects the token of this page was started again', () => {
  const command: Target = { kind: 'command', command: 'x', args: [], env: {} }
  const of = (more: Partial<FailedAttempt>) => judgeFailure(failed('no-proxy', more), command, page)
  expect(of({ status: 403 })).toEqual({ what: 'new-token', remedies: ['from-proxy'] })
  expect(of({ relayCode: 'forbidden' })).toEqual({ what: 'new-token', remedies: ['from-proxy'] })
  expect(of({})).toEqual({ what: 'no-proxy', remedies: ['start-proxy'] })
})

test('a proxy that runs, but doesn’t accept this page, isn’t started a second time', () => {
  const command: Target = { kind: 'command', command: 'x', args: [], env: {} }
  const of = (code: string, target: Target, more: Partial<FailedAttempt> = {}) =>
    [{}, { unaccepted: true as const }].map(
      (state) => judgeFailure(failed(code, { ...more, ...state }), target, page).remedies,
    )
  expect(of('no-proxy', command)).toEqual([['start-proxy'], ['press-enter']])
  expect(of('no-proxy', far)).toEqual([['start-relay'], ['press-enter-relay']])
  expect(of('unreachable', far, { reach: { is: 'closed' } })).toEqual([
    ['allow-origin', 'run-proxy'],
    ['allow-origin', 'press-enter-cors'],
  ])
  expect(of('http-status', far, { status: 403, advice: { is: 'origin-check' } })).toEqual([
    ['status-origin-check', 'start-proxy', 'read-body'],
    ['status-origin-check', 'press-enter', 'read-body'],
  ])

  const details = { proxyCode: 'no-proxy', proxyStatus: 403 }
  const failure = { seq: 1, at: 0, code: 'unreachable', explanation: '', evidence: [], details }
  // The token of this tab is that of an earlier launch.
  expect(failedAttempt({ ...IDLE, failure }, far, {}, true)).toMatchObject({ proxy: false, unaccepted: true })
})

test('the header that a server asks for is the one whose row opens', () => {
  const asks = failed('http-status', { status: 403, proxy: true, advice: { is: 'api-key', header: 'X-API-Key' } })
  expect(actionsFor(asks, far, page)).toEqual([{ do: 'authorize', header: 'X-API-Key' }])
  const rejects = failed('http-status', { status: 403, proxy: true, advice: { is: 'credentials' } })
  expect(actionsFor(rejects, far, page)).toEqual([{ do: 'authorize' }])
  expect(judgeFailure(rejects, far, page)).toEqual({
    what: 'credentials',
    remedies: ['status-credentials', 'read-body'],
  })
})

test('the warning of ngrok is left out with one click, but not twice', () => {
  const body = '<link href="https://cdn.ngrok.com/static/fonts/euclid.woff">'
  const warned = attempt('not-mcp', { status: 200 }, { http: { status: 200, body } })
  expect(judgeFailure(warned, far, page).what).toBe('tunnel-page')
  const header = { do: 'add-header', name: 'ngrok-skip-browser-warning', value: '1' }
  expect(actionsFor(warned, far, page)).toEqual([header])
  const headers = [['Ngrok-Skip-Browser-Warning', '1']] as const
  expect(actionsFor(warned, { ...far, headers }, page)).toEqual([])
})

test('a transport that serves one request is not saved by a request less', () => {
  const body = 'Internal server error: Stateless transport cannot be reused across requests.'
  const probe = { request: 0, at: 0, method: 'POST', url: 'https://e.com/mcp', status: 400 }
  const used = attempt('http-status', { status: 500, body }, { http: { status: 500 }, probe })
  expect(judgeFailure(used, far, page)).toEqual({ what: 'one-transport', remedies: ['one-transport'] })
  expect(actionsFor(used, far, page)).toEqual([])
})

test('a session ID that the relay did not see either was never sent', () => {
  const details = { status: 400, body: 'Bad Request: Mcp-Session-Id header is required' }
  const failure = { seq: 9, at: 0, code: 'http-status', explanation: '', evidence: [{ saw: 'answered', revision: '2025-11-25' }], details } as const // prettier-ignore
  const relayed = failedAttempt({ ...IDLE, failure }, far, { relay: true }, true)
  // Over HTTP+SSE, the session is part of the URL for messages.
  const old = { ...IDLE, failure, endpoint: { seq: 1, named: '/messages?session_id=1' }, http: { request: 5, at: 0, method: 'POST', url: '/messages', status: 400 } } // prettier-ignore
  expect(judgeFailure(failedAttempt(old, far, {}, true), far, page).what).toBe('endpoint-refused')
  expect(judgeFailure(relayed, far, page)).toEqual({
    what: 'session-never-sent',
    remedies: ['give-session', 'server-log'],
  })
})

test('a server that never responds to the preflight is offered the relay', () => {
  const silent = failed('timeout', { preflightSilent: true, proxy: true, step: 'probing', probed: true })
  expect(judgeFailure(silent, far, page)).toEqual({ what: 'preflight', remedies: ['answer-options'] })
  expect(actionsFor(silent, far, page)[0]).toEqual({ do: 'relay' })
  expect(judgeFailure({ ...silent, proxy: false }, far, page).remedies).toEqual(['answer-options', 'run-proxy'])
  // A later request had a response, so its preflight had one as well.
  expect(judgeFailure({ ...silent, http: { ...exchange, status: 200 } }, far, page).what).toBe('timeout')
})

test('a server that never responds to the preflight is still named where the relay was tried, and its proxy is gone', () => {
  const given = { url: 'https://e.com/mcp' }
  const of = (details: JsonObject, more: More = {}) => {
    const failure = attempt('unreachable', { ...given, ...details }, { detoured: true, preflight: 4, ...more })
    return [judgeFailure(failure, far, page), actionsFor(failure, far, page)]
  }
  const stopped = { proxyCode: 'no-proxy' }
  const verdict = { what: 'preflight', remedies: ['answer-options', 'run-proxy'] }
  expect(of(stopped)).toEqual([verdict, []])
  // The browser never sent this request, so the CORS headers of other responses aren't the cause.
  expect(of(stopped, { reach: { is: 'closed' } })).toEqual([verdict, []])
  expect(of({ ...stopped, proxyStatus: 403 })).toEqual([
    { ...verdict, remedies: ['answer-options', 'press-enter-cors'] },
    [],
  ])
  // The relay sent the request, and reports why there is no response.
  expect(of({ relayCode: 'refused' })).toMatchObject([{ what: 'relay' }, []])
  expect(attempt('timeout', given, { detoured: true, preflight: 4 }).preflightSilent).toBeUndefined()
})

test('an error that came through the relay is named together with what the browser refused', () => {
  const of = (more: More) =>
    judgeFailure(attempt('http-status', { status: 500 }, { http: { status: 500 }, ...more }), far, page).remedies
  const usual = ['read-body', 'server-log']
  expect(of({ detoured: true, cors: [{ kind: 'response' }] })).toEqual([...usual, 'hidden-error'])
  expect(of({ detoured: true, cors: [{ kind: 'no-origin' }] })).toEqual([...usual, 'hidden-too'])
  expect(of({ detoured: true })).toEqual(usual)
  expect(of({ cors: [{ kind: 'response' }] })).toEqual(usual)
})

test('a body that the page cannot read is explained by what the relay found', () => {
  const of = (bodyError?: string) =>
    judgeFailure(
      attempt(
        'stream-lost',
        { error: 'network error' },
        {
          http: { status: 200, contentType: 'application/json', cut: true },
          pinged: { seq: 5, status: 200, ...(bodyError === undefined ? {} : { bodyError }) },
        },
      ),
      far,
      page,
    ).what
  expect(of("The body from e.com isn't compressed, although its Content-Encoding says it is.")).toBe('wrong-encoding')
  expect(of('The connection was closed')).toBe('body-lost')
  expect(of()).toBe('body-lost')
})

test('pinning a version is no remedy for a server that responds to nothing', () => {
  const silent = failed('timeout', { step: 'probing', probed: true })
  expect(judgeFailure(silent, far, page).remedies).toContain('without-probe')
  expect(actionsFor(silent, far, page)).toMatchObject([{ do: 'pin' }])
  const dead = { ...silent, silentToAll: true } as const
  expect(judgeFailure(dead, far, page).remedies).not.toContain('without-probe')
  expect(actionsFor(dead, far, page)).toEqual([])
})

test('metadata that the page cannot read may be readable by the relay, once the user signs in', () => {
  const of = (is: 'unread' | 'unreachable', proxy: boolean, url = 'https://auth.e.com/metadata') =>
    judgeFailure(failed('unauthorized', { status: 401, metadata: { is, url }, proxy }), far, page)
  expect(of('unread', true)).toEqual({ what: 'sign-in-unread', remedies: ['metadata-unread', 'sign-in-relay'] })
  expect(of('unread', false).remedies).toEqual(['metadata-unread'])
  // At the server's own origin, a sign-in doesn't ask.
  expect(of('unread', true, 'https://e.com/metadata').remedies).toEqual(['metadata-unread'])
  expect(of('unreachable', true).remedies).toEqual(['metadata-unreachable'])
})
