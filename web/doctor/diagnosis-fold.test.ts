import { expect, test } from 'vitest'
import { foldAll, judge, Trace, type HeaderList, type Json } from '../mcp/index.ts'
import {
  diagnosisFold,
  NO_DIAGNOSIS,
  preflightOf,
  reachOf,
  respondsToHead,
  unansweredPreflight,
} from './diagnosis-fold.ts'

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

test('a server that returns what it gets is an echo until it says something of its own', () => {
  const request = (id: number, method: string): Json => ({ jsonrpc: '2.0', id, method })
  const error = (id: number, message: string): Json => ({ jsonrpc: '2.0', id, error: { code: -32601, message } })
  const echoAfter = (...lines: readonly (readonly ['sent' | 'received', Json])[]) => {
    const trace = new Trace()
    for (const [direction, message] of lines)
      trace.append({ kind: 'message', link: 's1', direction, type: judge(message).type, message, size: 1 })
    return foldAll(diagnosisFold, trace).get('s1')?.echo
  }
  const [discover, initialize] = [request(1, 'server/discover'), request(2, 'initialize')]
  const returned = [['sent', discover], ['received', discover]] as const // prettier-ignore
  expect(echoAfter(...returned)).toBe(1)
  // This page refuses the request that came back, and its error comes back as well.
  const refused = error(1, 'Not supported')
  const pure = [...returned, ['sent', refused], ['received', refused], ['sent', initialize], ['received', initialize]] as const // prettier-ignore
  expect(echoAfter(...pure)).toBe(1)
  // A server that logs what it gets on stdout, and responds.
  expect(echoAfter(...returned, ['received', error(1, 'Method not found')])).toBeUndefined()
  expect(echoAfter(['received', error(1, 'Parse error')], ...returned)).toBeUndefined()
  expect(echoAfter(['sent', discover], ['received', request(1, 'roots/list')])).toBeUndefined()
  // Another client, whose requests it passes on.
  expect(echoAfter(['sent', discover], ['received', request(9, 'initialize')])).toBeUndefined()
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

test('of a port that browsers block, neither OPTIONS nor a missing header is to blame', () => {
  const of = (url: string) => {
    const trace = new Trace()
    const send = (method: string, more: object) =>
      trace.append({ kind: 'http', phase: 'request', link: 's1', method, url, headers: [], size: 0, purpose: 'message', ...more }).seq // prettier-ignore
    const again = send('POST', {})
    send('POST', { relayed: true, again })
    const request = send('OPTIONS', { purpose: 'diagnosis', relayed: true, headers: [['origin', 'http://localhost:6280']] }) // prettier-ignore
    const headers: HeaderList = [['access-control-allow-origin', '*']]
    trace.append({ kind: 'http', link: 's1', request, phase: 'response', status: 204, statusText: '', headers })
    return preflightOf(foldAll(diagnosisFold, trace).get('s1')!)?.faults
  }
  expect(of('http://e.com:10080/mcp')).toEqual([{ kind: 'blocked-port', port: '10080' }])
  expect(of('http://e.com:10081/mcp')).toEqual([{ kind: 'response' }])
})

test('OPTIONS without a response is named only where a request that needs none has one', () => {
  const silentAfter = (simple: 'responds' | 'fails', failedAt?: number) => {
    let now = 0
    const trace = new Trace({ now: () => now })
    const send = (more: object) =>
      trace.append({ kind: 'http', phase: 'request', link: 's1', method: 'HEAD', url: URL, headers: [], size: 0, purpose: 'diagnosis', ...more }).seq // prettier-ignore
    const first = send({ mode: 'no-cors' })
    const second = send({ headers: [['content-type', 'application/json']] })
    const failed = (request: number) => trace.append({ kind: 'http', phase: 'failed', link: 's1', request, stage: 'headers', error: 'x' }) // prettier-ignore
    if (simple === 'fails') failed(first)
    else trace.append({ kind: 'http', phase: 'response', link: 's1', request: first, status: 0, statusText: '', headers: [] }) // prettier-ignore
    now = failedAt ?? 0
    if (failedAt !== undefined) failed(second)
    const diagnosis = foldAll(diagnosisFold, trace).get('s1')!
    // They say nothing about what the server lets in.
    expect(reachOf(diagnosis)).toBeUndefined()
    expect(respondsToHead(diagnosis)).toBe(failedAt === undefined ? undefined : simple === 'responds')
    return unansweredPreflight(diagnosis) !== undefined
  }
  expect(silentAfter('responds', 2_500)).toBe(true)
  expect(silentAfter('responds')).toBe(false)
  // The browser refused it, so OPTIONS had a response.
  expect(silentAfter('responds', 40)).toBe(false)
  // The whole server is slow.
  expect(silentAfter('fails', 2_500)).toBe(false)
})

test('OPTIONS without a response stays the cause after the detour, even if it allows the request later', () => {
  let now = 0
  const trace = new Trace({ now: () => now })
  const send = (method: string, more: object) =>
    trace.append({ kind: 'http', phase: 'request', link: 's1', method, url: URL, headers: [], size: 0, purpose: 'diagnosis', ...more }).seq // prettier-ignore
  const respond = (request: number, status: number, headers: HeaderList = []) => trace.append({ kind: 'http', phase: 'response', link: 's1', request, status, statusText: '', headers }) // prettier-ignore
  const again = send('POST', { purpose: 'message' })
  respond(send('HEAD', { mode: 'no-cors' }), 0)
  const preflighted = send('HEAD', { headers: [['content-type', 'application/json']] })
  now = 2_500
  trace.append({ kind: 'http', phase: 'failed', link: 's1', request: preflighted, stage: 'headers', error: 'x' })
  send('POST', { purpose: 'message', relayed: true, again })
  respond(send('OPTIONS', { relayed: true, headers: [['origin', 'http://localhost:6280']] }), 204, [['access-control-allow-origin', '*']]) // prettier-ignore
  const diagnosis = foldAll(diagnosisFold, trace).get('s1')!
  expect(unansweredPreflight(diagnosis)).toBe(preflighted)
  expect(preflightOf(diagnosis)?.faults).toEqual([])
})
