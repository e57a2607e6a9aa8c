import { expect, test } from 'vitest'
import { foldAll, Trace, type HeaderList } from '../mcp/index.ts'
import { diagnosisFold, NO_DIAGNOSIS, reachOf } from './diagnosis-fold.ts'

/** A probe of the page: `blind` hides its response; `to`: where it was redirected. */
interface Sent {
  readonly headers?: readonly string[]
  readonly blind?: true
  readonly responds?: boolean
  readonly to?: string
  readonly url?: string
}

const URL = 'https://e.com:8443/mcp'

const reachAfter = (...probes: readonly Sent[]) => {
  const trace = new Trace()
  for (const { headers = [], blind, responds, to, url = URL } of probes) {
    const { seq } = trace.append({
      kind: 'http',
      phase: 'request',
      link: 's1',
      method: 'GET',
      url,
      headers: headers.map((name): HeaderList[number] => [name, 'x']),
      size: 0,
      purpose: 'diagnosis',
      ...(blind ? { mode: 'no-cors' as const } : {}),
    })
    const about = { kind: 'http', link: 's1', request: seq } as const
    if (responds)
      trace.append({ ...about, phase: 'response', status: blind ? 0 : 405, statusText: '', headers: [], ...(to === undefined ? {} : { redirectedTo: to }) }) // prettier-ignore
    else if (responds === false) trace.append({ ...about, phase: 'failed', stage: 'headers', error: 'Failed to fetch' })
  }
  return reachOf(foldAll(diagnosisFold, trace).get('s1') ?? NO_DIAGNOSIS)
}

const there: Sent = { blind: true, responds: true }
const open: Sent = { responds: true }
const both = ['content-type', 'mcp-method']

test('a server that is not there is told apart from one that hides its responses', () => {
  expect(reachAfter()).toBeUndefined()
  expect(reachAfter({ blind: true })).toBeUndefined()
  expect(reachAfter({ blind: true, responds: false })).toEqual({ is: 'silent' })
  expect(reachAfter(there)).toBeUndefined()
  expect(reachAfter(there, { responds: false })).toEqual({ is: 'closed' })
})

test('a port that responds without TLS only is named, and one that responds to neither is silent', () => {
  const plain = 'http://e.com:8443/'
  expect(reachAfter({ blind: true, responds: false }, { ...there, url: plain })).toEqual({ is: 'plain' })
  expect(reachAfter({ blind: true, responds: false }, { blind: true, responds: false, url: plain })).toEqual({
    is: 'silent',
  })
})

test('the headers that are refused are named once each was tried alone', () => {
  const refused: Sent = { headers: both, responds: false }
  const alone = (name: string, responds: boolean): Sent => ({ headers: [name], responds })
  expect(reachAfter(there, open, refused)).toBeUndefined()
  expect(reachAfter(there, open, refused, alone('content-type', true))).toBeUndefined()
  expect(reachAfter(there, open, refused, alone('content-type', true), alone('mcp-method', false))).toEqual({
    is: 'headers',
    missing: ['mcp-method'],
  })
  expect(reachAfter(there, open, refused, alone('content-type', false), alone('mcp-method', false))).toEqual({
    is: 'preflight',
  })
  // Each is allowed, but not all of them together.
  expect(reachAfter(there, open, refused, alone('content-type', true), alone('mcp-method', true))).toEqual({
    is: 'response',
  })
  expect(reachAfter(there, open, { headers: both, responds: true })).toEqual({ is: 'response' })
})

test('a single header that is refused does not tell whether OPTIONS works at all', () => {
  expect(reachAfter(there, open, { headers: ['content-type'], responds: false })).toEqual({ is: 'preflight' })
})

test('a redirect is to blame only where the request that needs permission fails', () => {
  const moved: Sent = { responds: true, to: 'https://e.com:8443/mcp/' }
  expect(reachAfter(there, moved, { headers: both, responds: false })).toEqual({
    is: 'redirect',
    to: 'https://e.com:8443/mcp/',
  })
  expect(reachAfter(there, moved, { headers: both, responds: true })).toEqual({ is: 'response' })
})

test('a request that only clients send shows that the server returns what it gets', () => {
  const echoAfter = (...received: readonly string[]) => {
    const trace = new Trace()
    const message = (direction: 'sent' | 'received', method: string) =>
      trace.append({
        kind: 'message',
        link: 's1',
        carrier: 0,
        direction,
        type: 'request',
        message: { jsonrpc: '2.0', id: 1, method },
        size: 1,
      })
    message('sent', 'initialize')
    for (const method of received) message('received', method)
    return foldAll(diagnosisFold, trace).get('s1')?.echo
  }
  expect(echoAfter('initialize', 'initialize')).toBe(1)
  expect(echoAfter('roots/list')).toBeUndefined()
})

test('headers that say why a response is not the one that was wanted are kept by its request', () => {
  const trace = new Trace()
  const respond = (headers: HeaderList) => {
    const { seq: request } = trace.append({ kind: 'http', phase: 'request', link: 's1', method: 'POST', url: URL, headers: [], size: 0, purpose: 'message' }) // prettier-ignore
    trace.append({ kind: 'http', link: 's1', request, phase: 'response', status: 426, statusText: '', headers })
    return request
  }
  const upgrade = respond([['Upgrade', 'websocket']])
  const firewall = respond([
    ['Content-Length', '7'],
    ['CF-Mitigated', 'challenge'],
  ])
  respond([['Date', 'today']])
  expect(foldAll(diagnosisFold, trace).get('s1')?.hints).toEqual([
    { request: upgrade, upgrade: 'websocket' },
    { request: firewall, mitigated: 'challenge', length: 7 },
  ])
})

test('a connection that is open gathers nothing more, however long it lasts', () => {
  const trace = new Trace()
  trace.append({ kind: 'session', link: 's1', phase: 'open', peer: {} as never, transport: 'streamable-http' })
  const state = () => foldAll(diagnosisFold, trace).get('s1')
  const before = state()
  const { seq: request } = trace.append({ kind: 'http', phase: 'request', link: 's1', method: 'POST', url: URL, headers: [], size: 0, purpose: 'message' }) // prettier-ignore
  trace.append({ kind: 'http', link: 's1', request, phase: 'response', status: 200, statusText: '', headers: [['Content-Length', '7']] }) // prettier-ignore
  expect(state()).toEqual(before)
})
