import fc from 'fast-check'
import { expect, test } from 'vitest'
import { patient } from '../../tests/patience.ts'
import { nextTask, type FrameDraft } from '../mcp/index.ts'
import { parseFilter } from './filter.ts'
import type { FindingSource, Found } from './found.ts'
import { append, aroundOf, drafts, source } from './frames.case.ts'
import { RowIndex, positionOf, type RowSource } from './rows.ts'

/** What the list must show: every frame evaluated again, with everything known now. */
const fullScan = (all: RowSource, query: string, from = 0, until = all.trace.length): number[] => {
  const { matches } = parseFilter(query)
  const around = aroundOf(all)
  return [...all.trace]
    .filter((frame) => frame.seq >= from && frame.seq < until && matches(frame, around))
    .map(({ seq }) => seq)
}

const queries = fc.constantFrom(
  '', 'status:pending', '-status:pending', 'status:ok', 'status:error', 'status:cancelled kind:message', 'status:404', 'dur:>3',
  '-dur:>3', 'method:tools/call', 'echo', 'kind:http,session', 'server:s2', 'id:3 status:ok,error', 'finding:must',
  'status:waiting', 'is:running', 'is:failed kind:auth', 'step:token', '-flow:f1', 'dur:>2 kind:auth',
) // prettier-ignore

const ping = (id: number): FrameDraft => ({
  kind: 'message',
  link: 's1',
  direction: 'sent',
  type: 'request',
  message: { jsonrpc: '2.0', id, method: 'ping' },
  size: 40,
})

type Act =
  | { readonly do: 'append'; readonly drafts: readonly FrameDraft[] }
  | { readonly do: 'filter'; readonly query: string }
  | { readonly do: 'clear' | 'showEarlier' | 'pause' | 'resume' | 'wait' }

const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('append' as const), drafts: fc.array(drafts, { maxLength: 12 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('filter' as const), query: queries }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('clear', 'showEarlier', 'pause', 'resume', 'wait', 'wait', 'wait', 'wait', 'wait'),
    }),
  },
)

test('kept up frame by frame, the rows are those of a full scan, whatever the user does meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(queries, fc.array(acts, { maxLength: 25 }), async (first, list) => {
      const all = source()
      const index = new RowIndex(all, first)
      let query: string = first
      for (const act of list) {
        if (act.do === 'append') for (const draft of act.drafts) append(all.trace, draft)
        else if (act.do === 'filter') index.filter((query = act.query))
        else if (act.do === 'wait') await nextTask()
        else index[act.do]()
      }
      // Paused lists are frozen on purpose; the next test covers what they show.
      index.resume()
      await index.settled()
      const { seqs, total, earlier, scanning, waiting } = index.current
      expect(seqs).toEqual(fullScan(all, query, earlier))
      expect({ total, scanning, waiting }).toEqual({
        total: all.trace.length - earlier,
        scanning: false,
        waiting: undefined,
      })
      index.close()
    }),
    { numRuns: 300 },
  )
})

const post: FrameDraft = {
  kind: 'http',
  phase: 'request',
  link: 's1',
  method: 'POST',
  url: 'http://h/mcp',
  headers: [],
  size: 3,
  purpose: 'message',
}
const answer = { jsonrpc: '2.0', id: 1, result: {} }
const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }

test.each<[how: string, request: FrameDraft, then: FrameDraft]>([
  [
    'an answer',
    ping(1),
    { kind: 'message', link: 's1', direction: 'received', type: 'result', message: answer, size: 1 },
  ],
  [
    'a batch',
    ping(1),
    { kind: 'message', link: 's1', direction: 'received', type: 'batch', message: [answer, cancel], size: 1 },
  ],
  [
    'a cancellation',
    ping(1),
    { kind: 'message', link: 's1', direction: 'sent', type: 'notification', message: cancel, size: 1 },
  ],
  [
    'our giving up',
    ping(1),
    { kind: 'session', phase: 'gave-up', link: 's1', request: 0, why: 'timeout', explanation: 'x' },
  ],
  [
    'an HTTP status',
    post,
    { kind: 'http', phase: 'response', link: 's1', request: 0, status: 200, statusText: '', headers: [] },
  ],
  ['a failed fetch', post, { kind: 'http', phase: 'failed', link: 's1', request: 0, stage: 'headers', error: 'x' }],
])('a pending request leaves "status:pending" by %s', async (_, request, then) => {
  const all = source()
  const index = new RowIndex(all, 'status:pending')
  const other = new RowIndex(all, '-status:pending')
  all.trace.append(request)
  await Promise.all([index.settled(), other.settled()])
  expect([index.current.seqs, other.current.seqs]).toEqual([[0], []])
  all.trace.append(then)
  await Promise.all([index.settled(), other.settled()])
  expect([index.current.seqs, other.current.seqs]).toEqual([[], [0, 1]])
})

test('a paused list stands still and counts what arrives; going on shows it', async () => {
  const all = source()
  const index = new RowIndex(all)
  all.trace.append(ping(1))
  await index.settled()
  index.pause()
  for (let id = 2; id < 125; id++) all.trace.append(ping(id))
  await index.settled()
  expect(index.current.seqs).toEqual([0])
  expect(index.current.waiting).toBe(123)
  index.resume()
  await index.settled()
  expect(index.current.seqs).toHaveLength(124)
  expect(index.current.waiting).toBeUndefined()
})

test('clearing hides what is there and can be undone', async () => {
  const all = source()
  const index = new RowIndex(all)
  for (let id = 0; id < 5; id++) all.trace.append(ping(id))
  await index.settled()
  index.clear()
  all.trace.append(ping(9))
  await index.settled()
  expect(index.current).toMatchObject({ seqs: [5], earlier: 5, total: 1 })
  index.showEarlier()
  await index.settled()
  expect(index.current).toMatchObject({ seqs: [0, 1, 2, 3, 4, 5], earlier: 0, total: 6 })
})

test('findings are counted for all frames, also for those the filter hides', async () => {
  const all = source()
  const index = new RowIndex(all, 'kind:http')
  const finding = (keyword: 'MUST' | 'SHOULD') => ({ rule: 'BP-01', keyword, explanation: 'x' })
  all.trace.append({ ...ping(1), findings: [finding('MUST'), finding('SHOULD')] } as FrameDraft)
  all.trace.append({ ...ping(2), findings: [finding('MUST')] } as FrameDraft)
  await index.settled()
  expect(index.current).toMatchObject({ seqs: [], findings: { MUST: 2, SHOULD: 1, MAY: 0, ADVICE: 0 } })
})

/** Judges frames one by one, as late as the test wants. */
const judging = () => {
  const bySeq = new Map<number, Found[]>()
  const counts = { MUST: 0, SHOULD: 0, MAY: 0, ADVICE: 0 }
  const listeners = new Set<() => void>()
  let reached = 0
  const source: FindingSource = {
    current: { bySeq, counts, byRule: new Map() },
    get reached() {
      return reached
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const judge = (...found: (Found['keyword'] | undefined)[]) => {
    for (const keyword of found) {
      const seq = reached++
      if (!keyword) continue
      counts[keyword]++
      bySeq.set(seq, [{ rule: 'BP-07', keyword, explanation: 'x' }])
    }
    for (const listener of listeners) listener()
  }
  return { source, judge }
}

test('rules that are loaded late are waited for by a filter that asks for findings, and by no other', async () => {
  const all = source()
  const { source: findings, judge } = judging()
  const index = new RowIndex(all, 'rule:BP-07')
  for (let id = 0; id < 4; id++) all.trace.append(ping(id))
  await index.settled()
  expect(index.current.seqs).toEqual([])
  index.judgedBy(findings)
  judge('MUST', undefined)
  await index.settled()
  expect(index.current).toMatchObject({ seqs: [0], scanning: true })
  judge('MUST', 'SHOULD')
  await index.settled()
  expect(index.current).toMatchObject({
    seqs: [0, 2, 3],
    scanning: false,
    findings: { MUST: 2, SHOULD: 1, MAY: 0, ADVICE: 0 },
  })
  all.trace.append(ping(9))
  await index.settled()
  expect(index.current.scanning).toBe(true)
  index.filter('')
  await index.settled()
  expect(index.current).toMatchObject({ seqs: [0, 1, 2, 3, 4], scanning: false })
  index.close()
})

test('findings before the clearing do not count, and none come in while paused', async () => {
  const all = source()
  const { source: findings, judge } = judging()
  const index = new RowIndex(all)
  index.judgedBy(findings)
  for (let id = 0; id < 4; id++) all.trace.append(ping(id))
  judge('MUST', 'MUST')
  index.clear()
  // For frames that were cleared before the rules reached them.
  judge('SHOULD', 'MUST')
  await index.settled()
  expect(index.current.findings).toEqual({ MUST: 0, SHOULD: 0, MAY: 0, ADVICE: 0 })
  all.trace.append(ping(9))
  judge('MAY')
  await index.settled()
  expect(index.current.findings).toEqual({ MUST: 0, SHOULD: 0, MAY: 1, ADVICE: 0 })
  index.pause()
  all.trace.append(ping(10))
  judge('MUST')
  expect(index.current.findings).toEqual({ MUST: 0, SHOULD: 0, MAY: 1, ADVICE: 0 })
  index.resume()
  await index.settled()
  expect(index.current.findings).toEqual({ MUST: 1, SHOULD: 0, MAY: 1, ADVICE: 0 })
  index.showEarlier()
  await index.settled()
  expect(index.current.findings).toEqual({ MUST: 4, SHOULD: 1, MAY: 1, ADVICE: 0 })
  index.close()
})

test('a query that asks for a server finds its frames once its name is known', async () => {
  let name = 's1'
  const all = source(() => name)
  const index = new RowIndex(all, 'server:everything')
  all.trace.append(ping(1))
  await index.settled()
  expect(index.current.seqs).toEqual([])
  name = 'everything'
  const peer = { era: 'handshake', revision: '2025-11-25', info: {}, capabilities: {}, evidence: [] } as const
  all.trace.append({ kind: 'session', phase: 'open', link: 's1', peer, transport: 'loopback' })
  await index.settled()
  expect(index.current.seqs).toEqual([0, 1])
})

test('a refused probe matches status:error only until the session is open', async () => {
  const all = source()
  const index = new RowIndex(all, 'status:error')
  const error = { code: -32601, message: 'no' }
  all.trace.append({ ...ping(1), message: { jsonrpc: '2.0', id: 1, method: 'server/discover' } } as FrameDraft)
  all.trace.append({ ...ping(1), direction: 'received', type: 'error', message: { jsonrpc: '2.0', id: 1, error } } as FrameDraft) // prettier-ignore
  await index.settled()
  expect(index.current.seqs).toEqual([0, 1])
  const peer = { era: 'handshake', revision: '2025-11-25', info: {}, capabilities: {}, evidence: [] } as const
  all.trace.append({ kind: 'session', phase: 'open', link: 's1', peer, transport: 'loopback' })
  await index.settled()
  expect(index.current.seqs).toEqual([])
  index.filter('status:probe')
  await index.settled()
  expect(index.current.seqs).toEqual([0, 1])
})

test('the HTTP frames of a refused probe match is:failed only until the session is open', async () => {
  const all = source()
  const index = new RowIndex(all, 'is:failed')
  const put = (draft: object) => all.trace.append({ link: 's1', ...draft } as FrameDraft)
  put({ kind: 'http', phase: 'request', method: 'POST', url: 'http://h/', headers: [], size: 9, purpose: 'message' })
  put({ ...ping(1), message: { jsonrpc: '2.0', id: 1, method: 'server/discover' }, carrier: 0 })
  put({ kind: 'http', phase: 'response', request: 0, status: 400, statusText: '', headers: [] })
  put({ kind: 'session', phase: 'gave-up', request: 1, why: 'lost', explanation: 'x' })
  await index.settled()
  expect(index.current.seqs).toEqual([0, 1, 2, 3])
  const peer = { era: 'handshake', revision: '2025-11-25', info: {}, capabilities: {}, evidence: [] } as const
  put({ kind: 'session', phase: 'open', peer, transport: 'Streamable HTTP' })
  await index.settled()
  expect(index.current.seqs).toEqual([])
  index.filter('status:400')
  await index.settled()
  expect(index.current.seqs).toEqual([0, 2])
})

test('100,000 frames are scanned in tasks that leave the thread free', { timeout: patient(60_000) }, async () => {
  const all = source()
  for (let id = 0; id < 100_000; id++) all.trace.append(ping(id))
  const index = new RowIndex(all, 'nothing like this')
  let done = false
  void index.settled().then(() => (done = true))
  let turns = 0
  while (!done) {
    await nextTask()
    turns++
  }
  expect(index.current.total).toBe(100_000)
  // A single task would be one turn, however fast the machine. tests/bench measures the time of a task.
  expect(turns).toBeGreaterThan(1)
})

test('a position in a sorted list is where the number is or would be', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(200)), fc.nat(200), (list, wanted) => {
      const sorted = list.sort((a, b) => a - b)
      expect(positionOf(sorted, wanted)).toBe(sorted.filter((seq) => seq < wanted).length)
    }),
  )
})
