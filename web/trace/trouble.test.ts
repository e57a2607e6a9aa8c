/** Jumping between errors: what is found is what a full scan of the rows finds, and costs no scan. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { nextTask, type FrameDraft, type Seq } from '../mcp/index.ts'
import { describe } from './describe.ts'
import type { FindingSource, Found } from './found.ts'
import { append, aroundOf, drafts, source } from './frames.case.ts'
import { RowIndex } from './rows.ts'
import { troubleIn } from './trouble.ts'

const message = (type: 'request' | 'result' | 'error' | 'notification', value: object): FrameDraft => ({
  kind: 'message',
  link: 's1',
  direction: type === 'request' ? 'sent' : 'received',
  type,
  message: { jsonrpc: '2.0', ...value },
  size: 9,
})
const ask = (id: number, method = 'tools/call') => message('request', { id, method, params: { name: 'a' } })
const succeed = (id: number) => message('result', { id, result: {} })
const fail = (id: number) => message('error', { id, error: { code: -32603, message: 'no' } })

const list = (...all: FrameDraft[]) => {
  const rows = source()
  const index = new RowIndex(rows)
  for (const draft of all) rows.trace.append(draft)
  return { rows, index }
}

test('next and previous go round through failed calls only, whether they begin at one, between two, or nowhere', async () => {
  const { index } = list(ask(1), fail(1), ask(2), succeed(2), ask(3), fail(3))
  await index.settled()
  const steps = (from: Seq | undefined) => [index.nextTrouble(from, 1), index.nextTrouble(from, -1)]
  expect(steps(undefined)).toEqual([0, 4])
  expect(steps(0)).toEqual([4, 4])
  expect(steps(1)).toEqual([4, 4])
  expect(steps(2)).toEqual([4, 0])
  expect(steps(5)).toEqual([0, 0])
  expect(index.troubled(9).map(({ main }) => main)).toEqual([0, 4])
  expect(index.troubled(1)).toHaveLength(1)
})

test('a tool that reports an error counts', async () => {
  const { index } = list(ask(1), message('result', { id: 1, result: { isError: true, content: [] } }))
  await index.settled()
  expect(index.nextTrouble(undefined, 1)).toBe(0)
})

test('only exchanges in the list are visited, and the frame that the filter shows is the one selected', async () => {
  const { index } = list(ask(1), fail(1), ask(2, 'ping'), fail(2))
  index.filter('method:ping')
  await index.settled()
  expect(index.nextTrouble(undefined, 1)).toBe(2)
  expect(index.nextTrouble(2, 1)).toBe(2)
  index.filter('type:error')
  await index.settled()
  expect([index.nextTrouble(undefined, 1), index.nextTrouble(1, 1)]).toEqual([1, 3])
  index.filter('nothing like this')
  await index.settled()
  expect(index.nextTrouble(undefined, 1)).toBeUndefined()
})

test('a server without a GET stream or without ending of sessions has not failed, in any row or filter (TR-HTTP-16, TR-HTTP-27)', async () => {
  const http = (purpose: 'listen' | 'end-session' | 'message', status: number): FrameDraft[] => {
    const method = purpose === 'listen' ? 'GET' : purpose === 'message' ? 'POST' : 'DELETE'
    const request = at
    at += 2
    return [
      { kind: 'http', phase: 'request', link: 's1', method, url: 'http://a.test/mcp', headers: [], size: 0, purpose },
      { kind: 'http', phase: 'response', link: 's1', request, status, statusText: '', headers: [] },
    ]
  }
  let at = 0
  const { rows, index } = list(
    ...http('listen', 405),
    ...http('end-session', 405),
    ...http('listen', 500),
    ...http('message', 405),
  )
  await index.settled()
  expect(index.troubled(9).map(({ main }) => main)).toEqual([4, 6])
  const shown = (seq: Seq) => describe(rows.trace.at(seq)!, aroundOf(rows)).status
  expect([0, 1, 2, 3].map((seq) => shown(seq))).toEqual(Array(4).fill({ text: '405', tone: 'plain' }))
  expect([4, 6].map((seq) => shown(seq)?.tone)).toEqual(['bad', 'bad'])
  for (const [query, found] of [
    ['is:failed', [4, 5, 6, 7]],
    ['status:405', [0, 1, 2, 3, 6, 7]],
  ] as const) {
    index.filter(query)
    await index.settled()
    expect(index.current.seqs, query).toEqual(found)
  }
})

test('calls that fail with their connection count, and a refused probe of a connection that opened does not', async () => {
  const peer = { era: 'handshake', revision: '2025-11-25', info: {}, capabilities: {}, evidence: [] } as const
  const { rows, index } = list(
    { kind: 'session', phase: 'opening', link: 's1', step: 'probing', limit: 9 },
    ask(1, 'server/discover'),
    fail(1),
  )
  await index.settled()
  rows.trace.append({ kind: 'session', phase: 'open', link: 's1', peer, transport: 'stdio' })
  rows.trace.append(ask(2))
  await index.settled()
  expect(index.troubled(9)).toEqual([])
  rows.trace.append({ kind: 'session', phase: 'closed', link: 's1', why: 'x' })
  await index.settled()
  expect(index.troubled(9).map(({ main }) => main)).toEqual([4])
})

test('violations count once they are judged, unless they are advice or the mistake of Periscope', async () => {
  const { index } = list(ask(1), succeed(1), ask(2), succeed(2), ask(3), succeed(3), ask(4), succeed(4))
  await index.settled()
  const found = (more: Partial<Found>): Found[] => [{ rule: 'BP-07', keyword: 'MUST', explanation: 'x', ...more }]
  const bySeq = new Map<Seq, readonly Found[]>([
    [1, found({})],
    [3, found({ keyword: 'ADVICE' })],
  ])
  const listeners = new Set<() => void>()
  const judged = { reached: 4 }
  const findings: FindingSource = {
    current: { bySeq, counts: { MUST: 0, SHOULD: 0, MAY: 0, ADVICE: 0 }, byRule: new Map() },
    get reached() {
      return judged.reached
    },
    subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
  }
  index.judgedBy(findings)
  expect(index.nextTrouble(undefined, 1)).toBe(1)
  expect(index.troubled(9)).toHaveLength(1)
  bySeq.set(5, found({ by: 'client' })).set(7, found({ keyword: 'SHOULD' }))
  judged.reached = 8
  for (const listener of listeners) listener()
  expect(index.nextTrouble(1, 1)).toBe(7)
  expect(index.troubled(9)).toHaveLength(2)
})

test('kept up frame by frame, they are those that a look at every row finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(drafts, { maxLength: 12 }), { maxLength: 12 }), async (bursts) => {
      const rows = source()
      const index = new RowIndex(rows)
      for (const burst of bursts) {
        for (const draft of burst) append(rows.trace, draft)
        await nextTask()
      }
      await index.settled()
      const bad = index.current.groups.filter((group) => troubleIn(group, rows.trace, aroundOf(rows)) !== undefined)
      expect(index.troubled(1_000)).toEqual(bad)
      const visited: (Seq | undefined)[] = []
      for (let seq = index.nextTrouble(undefined, 1); visited.length < bad.length; seq = index.nextTrouble(seq, 1)) {
        visited.push(seq)
      }
      expect(visited.map((seq) => seq !== undefined && index.groups.of(seq))).toEqual(bad)
    }),
    { numRuns: 200 },
  )
})

test('one failure among 50,000 frames is found without a scan', async () => {
  const all = Array.from({ length: 25_000 }, (_, id) => [ask(id), id === 12_345 ? fail(id) : succeed(id)]).flat()
  const { index } = list(...all)
  await index.settled()
  await expectWithin(100, () => {
    for (let time = 0; time < 1_000; time++) expect(index.nextTrouble(time, 1)).toBe(24_690)
  })
})
