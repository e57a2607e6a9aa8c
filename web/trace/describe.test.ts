import { describe as group, expect, test } from 'vitest'
import { describe } from './describe.ts'
import type { RowModel } from './row-model.ts'
import { aroundOf, everyKind, source } from './frames.case.ts'
import type { FrameDraft } from '../mcp/index.ts'
import en from './text/en.ts'

const rows = (list: readonly FrameDraft[]): RowModel[] => {
  const all = source()
  for (const draft of list) all.trace.append(draft)
  return [...all.trace].map((frame) => describe(frame, aroundOf(all)))
}

const text = (said: RowModel['details'][number]): string => {
  if (typeof said === 'string') return said
  if ('reason' in said) return said.reason
  const entry = en[said.key] as string | ((...values: never[]) => string)
  return typeof entry === 'string' ? entry : entry(...(said.values as unknown as never[]))
}
const line = (row: RowModel): string => [row.what, ...row.details].map(text).join(' | ')

group('every kind of frame has a row that says something', () => {
  test.each(rows(everyKind).map((row) => [line(row), row] as const))('%s', (shown, row) => {
    expect(text(row.what)).not.toBe('')
    expect(shown).not.toMatch(/undefined|\[object|NaN|\n/)
  })
})

const message = (
  direction: 'sent' | 'received',
  value: object,
  type: 'request' | 'result' | 'error' | 'notification',
) => ({ kind: 'message', link: 's1', direction, type, message: value, size: 10 }) as FrameDraft

test('a request and its answer tell of each other', () => {
  const [request, progress, answer] = rows([
    message('sent', { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'echo', _meta: { progressToken: 7 } } }, 'request'),
    message('received', { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 7, progress: 3, total: 5 } }, 'notification'),
    message('received', { jsonrpc: '2.0', id: 7, result: {} }, 'result'),
  ]) // prettier-ignore
  expect(line(request!)).toBe('tools/call | echo')
  expect(request).toMatchObject({ sign: 'out', took: 2, running: false, status: { text: { key: 'ok' }, tone: 'ok' } })
  expect(line(progress!)).toBe('notifications/progress | 3 of 5')
  expect(progress!.status).toBeUndefined()
  expect(line(answer!)).toBe('tools/call | response to #0')
  expect(answer).toMatchObject({ sign: 'in', took: 2, status: { tone: 'ok' } })
})

test('an answer that nobody asked for, or that comes twice, says so', () => {
  const shown = rows([
    message('sent', { jsonrpc: '2.0', id: 1, method: 'ping' }, 'request'),
    message('received', { jsonrpc: '2.0', id: 1, result: {} }, 'result'),
    message('received', { jsonrpc: '2.0', id: 1, result: {} }, 'result'),
    message('received', { jsonrpc: '2.0', id: '1', result: {} }, 'result'),
  ])
  expect(line(shown[2]!)).toBe('ping | duplicate response')
  expect(line(shown[3]!)).toBe('result | response to an unknown request')
  expect(shown.map((row) => row.status && text(row.status.text))).toEqual(['ok', 'ok', 'unexpected', 'unexpected'])
})

test('a request to open a session that gets no HTTP response ends with an error: nothing was lost', () => {
  const tried = (method: string, stage: 'headers' | 'body' = 'headers', ...waiting: readonly FrameDraft[]) => {
    const shown = rows([
      { kind: 'http', phase: 'request', link: 's1', method: 'POST', url: 'http://a.test/mcp', headers: [], size: 10, purpose: 'message' },
      { ...message('sent', { jsonrpc: '2.0', id: 1, method }, 'request'), carrier: 0 } as FrameDraft,
      ...waiting,
      { kind: 'http', phase: 'failed', link: 's1', request: 0, stage, error: 'Failed to fetch' },
      { kind: 'session', phase: 'gave-up', link: 's1', request: 1, why: 'lost', explanation: 'Failed to fetch' },
    ]) // prettier-ignore
    const [request, ended] = [shown[1], shown.at(-1)]
    return [request!.status && text(request!.status.text), line(ended!), ended!.status && text(ended!.status.text)]
  }
  for (const method of ['server/discover', 'initialize'])
    expect(tried(method)).toEqual(['error', '#1 ended without a response | Failed to fetch', 'error'])
  // The browser has no free connection.
  expect(tried('initialize', 'headers', { kind: 'http', phase: 'queued', link: 's1', request: 0, open: 6 })[0]).toBe('error') // prettier-ignore
  const lost = ['lost', 'response to #1 lost | Failed to fetch', 'lost']
  expect(tried('initialize', 'body')).toEqual(lost)
  expect(tried('tools/call')).toEqual(lost)
})

test('a response that arrived whole but can’t be used is an error as well, directly and through the proxy', () => {
  const post = { kind: 'http', phase: 'request', link: 's1', method: 'POST', url: 'http://a.test/mcp', headers: [], size: 10, purpose: 'message' } as const // prettier-ignore
  const initialize = { ...message('sent', { jsonrpc: '2.0', id: 1, method: 'initialize' }, 'request'), carrier: 0 } as FrameDraft // prettier-ignore
  const refused = { kind: 'http', phase: 'failed', link: 's1', request: 0, stage: 'headers', error: 'Failed to fetch' } as const // prettier-ignore
  const ended = (before: readonly FrameDraft[], status: number, ...rest: readonly FrameDraft[]) => {
    const head: FrameDraft = { kind: 'http', phase: 'response', link: 's1', request: before.length > 1 ? 3 : 0, status, statusText: '', headers: [] } // prettier-ignore
    const gaveUp: FrameDraft = { kind: 'session', phase: 'gave-up', link: 's1', request: 1, why: 'lost', explanation: 'The body isn’t JSON' } // prettier-ignore
    const shown = rows([post, ...before, head, ...rest, gaveUp])
    return [shown[1]!, shown.at(-1)!].map(({ status }) => status && text(status.text)).concat(line(shown.at(-1)!))
  }
  const ways = { direct: [initialize], relayed: [initialize, refused, { ...post, relayed: true, again: 0 } as const] }
  for (const [way, before] of Object.entries(ways)) {
    const request = before.length > 1 ? 3 : 0
    const whole: FrameDraft = { kind: 'http', phase: 'end', link: 's1', request, size: 9, body: '<html>' }
    const broken: FrameDraft = { kind: 'http', phase: 'failed', link: 's1', request, stage: 'body', error: 'cut' }
    const unusable = ['error', 'error', '#1 ended without a usable response | The body isn’t JSON']
    const lost = ['lost', 'lost', 'response to #1 lost | The body isn’t JSON']
    expect(ended(before, 200, whole), way).toEqual(unusable)
    expect(ended(before, 502, whole), way).toEqual(unusable)
    expect(ended(before, 200, broken), way).toEqual(lost)
    // Its message was to come on another stream.
    expect(ended(before, 202, whole), way).toEqual(lost)
  }
})

test('an error without an id belongs to its request after the detour as well', () => {
  const post = { kind: 'http', phase: 'request', link: 's1', method: 'POST', url: 'http://a.test/mcp', headers: [], size: 10, purpose: 'message' } as const // prettier-ignore
  const refusal = message('received', { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }, 'error')
  const shown = rows([
    post,
    { ...message('sent', { jsonrpc: '2.0', id: 1, method: 'initialize' }, 'request'), carrier: 0 } as FrameDraft,
    { kind: 'http', phase: 'failed', link: 's1', request: 0, stage: 'headers', error: 'Failed to fetch' },
    { ...post, relayed: true, again: 0 },
    { ...refusal, carrier: 3 } as FrameDraft,
  ])
  expect([shown[1], shown[4]].map((row) => row!.status && text(row!.status.text))).toEqual([
    'error -32600',
    'error -32600',
  ])
  expect(line(shown[4]!)).toMatch(/^initialize\b/)
})

test('the same goes for a process and for a WebSocket, which carry no HTTP request', () => {
  const sent = (method: string) => message('sent', { jsonrpc: '2.0', id: 1, method }, 'request')
  const end = (request: number, why: 'lost' | 'closed'): FrameDraft => ({
    kind: 'session', phase: 'gave-up', link: 's1', request, why, explanation: 'The process ended with exit code 1',
  }) // prettier-ignore
  for (const method of ['server/discover', 'initialize']) {
    for (const why of ['lost', 'closed'] as const) {
      const [request, ended] = rows([sent(method), end(0, why)])
      expect(request!.status && text(request!.status.text)).toBe('error')
      expect(line(ended!)).toBe('#0 ended without a response | The process ended with exit code 1')
      expect(ended!.status && text(ended!.status.text)).toBe('error')
    }
    const failed: FrameDraft = { kind: 'session', phase: 'failed', link: 's1', code: 'x', explanation: 'It ended' }
    expect(rows([sent(method), failed]).map(({ status }) => status && text(status.text))).toEqual(['error', 'error'])
  }
  const open = everyKind.find((draft) => draft.kind === 'session' && draft.phase === 'open')!
  for (const drafts of [
    [sent('tools/list'), end(0, 'lost')],
    [open, sent('server/discover'), end(1, 'lost')],
  ])
    expect(rows(drafts).at(-2)!.status?.text && text(rows(drafts).at(-2)!.status!.text)).toBe('lost')
})

test('a ping with server/discover that gets no HTTP response is lost, because the session was open', () => {
  const shown = rows([
    everyKind.find((draft) => draft.kind === 'session' && draft.phase === 'open')!,
    { kind: 'http', phase: 'request', link: 's1', method: 'POST', url: 'http://a.test/mcp', headers: [], size: 10, purpose: 'message' },
    { ...message('sent', { jsonrpc: '2.0', id: 1, method: 'server/discover' }, 'request'), carrier: 1 } as FrameDraft,
    { kind: 'http', phase: 'failed', link: 's1', request: 1, stage: 'headers', error: 'Failed to fetch' },
    { kind: 'session', phase: 'gave-up', link: 's1', request: 2, why: 'lost', explanation: 'Failed to fetch' },
  ]) // prettier-ignore
  expect([shown[2], shown[4]].map((row) => row!.status && text(row!.status.text))).toEqual(['lost', 'lost'])
})

test('a masked secret of a URL stays a mask', () => {
  const url = 'http://a.test/k/•••• (9 characters)/mcp?api_key=•••• (18 characters)&q=a%20b'
  const [shown] = rows([{ kind: 'http', phase: 'request', link: 's1', method: 'POST', url, headers: [], size: 10, purpose: 'message' }]) // prettier-ignore
  expect(line(shown!)).toContain('/k/•••• (9 characters)/mcp?api_key=•••• (18 characters)&q=a%20b')
})

test('values of the wrong type, and texts without end, stay short and do no harm', () => {
  const long = 'x\n'.repeat(100_000)
  const shown = rows([
    message('received', { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: { a: [long] }, total: 1 } }, 'notification'),
    message('received', { jsonrpc: '2.0', method: 'notifications/message', params: [1] }, 'notification'),
    message('received', { jsonrpc: '2.0', method: 'notifications/message', params: { level: 4, data: long } }, 'notification'),
    message('received', { jsonrpc: '2.0', id: 1, error: { code: 'x', message: null } }, 'error'),
    { kind: 'process', event: 'stderr', link: 's1', text: long },
  ]) // prettier-ignore
  for (const row of shown) expect(line(row).length).toBeLessThan(1_000)
  expect(line(shown[3]!)).toBe('error | response to an unknown request | x null')
})

test.each(['process', 'transport'] as const)('lost events of a %s are not called too large', (kind) => {
  const [tooLarge, gap] = rows([
    { kind, event: 'lost', link: 's1', what: 'a line of stdout', size: 70_000_000 },
    { kind, event: 'lost', link: 's1', what: '12 frames of the proxy', size: 0 },
  ])
  expect(line(tooLarge!)).toBe('dropped | a line of stdout')
  expect(line(gap!)).toBe('events lost between the local proxy and this page | 12 frames of the proxy')
})
