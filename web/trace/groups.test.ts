/** Exchanges: every frame belongs to exactly one, and a filter shows those of its frames, whatever the user does meanwhile. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Frames } from '../../tests/sessions/frames.ts'
import { nextTask, type FrameDraft, type Trace } from '../mcp/index.ts'
import { describeGroup, describeMember } from './describe-group.ts'
import { append, aroundOf, drafts, source } from './frames.case.ts'
import { ExchangeGroups, type ExchangeGroup, GroupLines } from './groups.ts'
import { RowIndex, type RowSource } from './rows.ts'
import { TimeAxis } from './time-axis.ts'

const link = 's1'
const peer = { era: 'handshake', revision: '2025-11-25', info: { name: 'x', version: '1' }, capabilities: {}, evidence: [] } as const // prettier-ignore

/** A session over HTTP: connecting with a refused probe, a call with progress, a 401, a stream that was resumed. */
const session = (): RowSource & { trace: Trace } => {
  const all = source()
  const put = (draft: object) => all.trace.append({ link, ...draft } as FrameDraft).seq
  const post = () => put({ kind: 'http', phase: 'request', method: 'POST', url: 'http://h/mcp', headers: [], size: 3, purpose: 'message' }) // prettier-ignore
  const head = (request: number, status: number) => put({ kind: 'http', phase: 'response', request, status, statusText: '', headers: [] }) // prettier-ignore
  const sent = (message: object, carrier?: number) => put({ kind: 'message', direction: 'sent', type: 'id' in message ? 'request' : 'notification', message, size: 10, carrier }) // prettier-ignore
  const got = (message: object, carrier?: number) => put({ kind: 'message', direction: 'received', type: 'method' in message ? 'notification' : 'error' in message ? 'error' : 'result', message, size: 20, carrier }) // prettier-ignore
  put({ kind: 'session', phase: 'opening', step: 'probing', limit: 1000 })
  const probe = post()
  sent({ jsonrpc: '2.0', id: 1, method: 'server/discover' }, probe)
  got({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } }, probe)
  put({ kind: 'session', phase: 'open', peer, transport: 'Streamable HTTP' })
  const call = post()
  sent({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'a', _meta: { progressToken: 2 } } }, call)
  head(call, 200)
  put({ kind: 'stream', event: 'open', request: call })
  got({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 2, progress: 1 } }, call)
  got({ jsonrpc: '2.0', id: 2, result: {} }, call)
  put({ kind: 'http', phase: 'end', request: call, size: 40 })
  const refused = post()
  sent({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'b' } }, refused)
  head(refused, 401)
  const listening = put({ kind: 'http', phase: 'request', method: 'GET', url: 'http://h/mcp', headers: [], size: 0, purpose: 'listen' }) // prettier-ignore
  head(listening, 200)
  got({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, listening)
  put({ kind: 'process', event: 'stderr', text: 'x' })
  return all
}

const groupsOf = (all: RowSource): ExchangeGroups => {
  const groups = new ExchangeGroups(aroundOf(all))
  for (const frame of all.trace) groups.add(frame)
  return groups
}

describe('an exchange', () => {
  const all = session()
  const groups = groupsOf(all)
  const models = groups.all.map((group) => describeGroup(group, all.trace, aroundOf(all))!)
  const row = (main: number) => models.find(({ seq }) => seq === main)!

  test('is one row: connecting, each call with its HTTP request, each stream, each other frame', () => {
    expect(groups.all.map(({ kind, main, frames }) => [kind, main, frames.length])).toEqual([
      ['connect', 0, 5],
      ['exchange', 6, 7],
      ['exchange', 13, 3],
      ['http', 15, 2],
      ['frame', 17, 1],
      ['frame', 18, 1],
    ])
  })

  test('has the size of all its messages, and the time from request to response', () => {
    expect(row(6)).toMatchObject({ size: 50, took: 4, what: 'tools/call', bar: 'out' })
    expect(row(0)).toMatchObject({ status: { text: { key: 'connected' }, tone: 'ok' }, tone: 'quiet' })
  })

  test('that was refused with 401 asks for a sign-in, which is no failure', () => {
    expect(row(13).status).toEqual({ text: { key: 'signInNeeded' }, tone: 'warn' })
  })

  test('connecting lasts until the connection is open, however long its stream lives, as with HTTP+SSE', () => {
    const old = source()
    const put = (draft: object) => old.trace.append({ link, ...draft } as FrameDraft).seq
    put({ kind: 'session', phase: 'opening', step: 'probing', limit: 1000 })
    const stream = put({ kind: 'http', phase: 'request', method: 'GET', url: 'http://h/sse', headers: [], size: 0, purpose: 'listen' }) // prettier-ignore
    put({ kind: 'session', phase: 'open', peer, transport: 'HTTP+SSE' })
    for (let left = 9; left > 0; left--) put({ kind: 'stream', event: 'comment', request: stream, text: 'keepalive' })
    const [group] = groupsOf(old).all
    expect(group!.frames).toHaveLength(12)
    const { from, to, took } = describeGroup(group!, old.trace, aroundOf(old))!
    expect([took, to! - from]).toEqual([2, 2])
  })

  test('a probe that was refused while connecting is grey', () => {
    const answer = describeMember(3, all.trace, aroundOf(all))!
    expect(answer.status).toEqual({ text: { key: 'probe' }, tone: 'plain' })
  })

  test('of a refused probe, all frames are grey, but nothing else that fails while connecting', () => {
    const old = source()
    const put = (draft: object) => old.trace.append({ link, ...draft } as FrameDraft).seq
    const post = () => put({ kind: 'http', phase: 'request', method: 'POST', url: 'http://h/mcp', headers: [], size: 3, purpose: 'message' }) // prettier-ignore
    const ask = (id: number, carrier: number) => put({ kind: 'message', direction: 'sent', type: 'request', message: { jsonrpc: '2.0', id, method: 'server/discover' }, size: 10, carrier }) // prettier-ignore
    const head = (request: number, status: number) => put({ kind: 'http', phase: 'response', request, status, statusText: '', headers: [] }) // prettier-ignore
    put({ kind: 'session', phase: 'opening', step: 'probing', limit: 1000 })
    const refused = post()
    const first = ask(1, refused)
    const probe = [refused, first, head(refused, 400)]
    probe.push(put({ kind: 'session', phase: 'gave-up', request: first, why: 'lost', explanation: 'x' }))
    const unread = post()
    const second = ask(2, unread)
    probe.push(unread, second)
    probe.push(put({ kind: 'http', phase: 'failed', request: unread, stage: 'headers', error: 'Failed to fetch' }))
    probe.push(put({ kind: 'session', phase: 'gave-up', request: second, why: 'closed', explanation: 'x' }))
    const protectedPost = post()
    const third = ask(3, protectedPost)
    const signIn = [protectedPost, head(protectedPost, 401)]
    probe.push(third, put({ kind: 'session', phase: 'gave-up', request: third, why: 'lost', explanation: 'x' }))
    const other = [put({ kind: 'message', direction: 'received', type: 'invalid', raw: '{', size: 1 })]
    other.push(put({ kind: 'http', phase: 'request', method: 'GET', url: 'http://h/x', headers: [], size: 0, purpose: 'message' })) // prettier-ignore
    other.push(head(other[1]!, 500))
    const barsOf = (seqs: readonly number[]) =>
      seqs.map((seq) => describeMember(seq, old.trace, aroundOf(old))!).map(({ bar, status }) => [bar, status?.tone])
    expect(barsOf(probe).every(([bar, tone]) => bar === 'bad' || tone === 'bad')).toBe(true)
    put({ kind: 'session', phase: 'open', peer, transport: 'Streamable HTTP' })
    expect(barsOf(probe)).toEqual(probe.map(() => ['none', 'plain']))
    expect(barsOf(other)).toEqual(other.map(() => ['bad', 'bad']))
    expect(barsOf(signIn)).toEqual([['out', 'warn'], ['in', 'warn']]) // prettier-ignore
  })
})

test('every frame belongs to one exchange, in order, however broken the traffic is', () => {
  fc.assert(
    fc.property(fc.array(drafts, { maxLength: 60 }), (list) => {
      const all = source()
      for (const draft of list) append(all.trace, draft)
      const groups = groupsOf(all)
      const members = groups.all.flatMap(({ frames }) => frames)
      expect(members.toSorted((one, other) => one - other)).toEqual([...all.trace].map(({ seq }) => seq))
      for (const group of groups.all) {
        expect(group.frames).toEqual(group.frames.toSorted((one, other) => one - other))
        expect(group.frames).toContain(group.main)
        expect(group.frames[0]).toBe(group.first)
        for (const seq of group.frames) expect(groups.of(seq)).toBe(group)
        expect(describeGroup(group, all.trace, aroundOf(all))!.from).toBeGreaterThanOrEqual(0)
      }
    }),
    { numRuns: 300 },
  )
})

test('the list shows the exchanges of the matching frames, whatever is appended, filtered or cleared meanwhile', async () => {
  const queries = fc.constantFrom('', 'status:pending', 'status:ok', 'kind:http', 'type:request', 'dur:>3', 'at:>10', 'is:failed') // prettier-ignore
  const act = fc.oneof(fc.array(drafts, { maxLength: 10 }), queries, fc.constantFrom('clear' as const, 'wait' as const))
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 20 }), async (acts) => {
      const all = source()
      const index = new RowIndex(all)
      for (const each of acts) {
        if (Array.isArray(each)) for (const draft of each) append(all.trace, draft)
        else if (each === 'clear') index.clear()
        else if (each === 'wait') await nextTask()
        else index.filter(each)
      }
      await index.settled()
      const { groups, seqs } = index.current
      const wanted = new Set(seqs.map((seq) => index.groups.of(seq)!))
      expect(groups).toEqual([...wanted].toSorted((one, other) => one.first - other.first))
      index.close()
    }),
    { numRuns: 200 },
  )
})

test('an exchange whose method is hidden is hidden with all its frames', async () => {
  const all = session()
  const index = new RowIndex(all, '-method:tools/call')
  await index.settled()
  expect(index.current.groups.map(({ main }) => main)).toEqual([0, 15, 17, 18])
  index.close()
})

describe('lines', () => {
  const group = (first: number, frames: readonly number[]): ExchangeGroup => ({
    kind: 'exchange', first, main: frames[1] ?? first, frames, link, startedAt: 0, lastAt: 0, size: 0,
  }) // prettier-ignore
  const groups = [group(0, [0]), group(1, [1, 2, 5]), group(3, [3, 4, 6, 7]), group(8, [8])]

  test('are the exchanges, and below each open one its frames', () => {
    const lines = new GroupLines(groups, [3, 1, 99])
    const seen = Array.from({ length: lines.length }, (_, at) => lines.at(at)!)
    expect(seen.map(({ group: { main }, frame }) => frame ?? `#${main}`)).toEqual([
      '#0',
      '#2',
      1,
      5,
      '#4',
      3,
      6,
      7,
      '#8',
    ])
    expect(lines.at(lines.length)).toBeUndefined()
    for (const [at, { group: of, frame }] of seen.entries()) expect(lines.lineOf(frame ?? of.main, of)).toBe(at)
  })

  test('of a closed exchange stand for all its frames', () => {
    const lines = new GroupLines(groups, [])
    expect(lines.lineOf(6, groups[2])).toBe(2)
    expect(lines.lineOf(6, undefined)).toBe(-1)
  })
})

describe('the time axis', () => {
  const axisOf = (times: readonly number[]) => {
    const axis = new TimeAxis()
    for (const at of times) axis.add({ kind: 'process', event: 'stderr', text: '', link, seq: 0, at }, undefined)
    return axis.scale(times.at(-1) ?? 0)
  }

  test('folds idle time: an hour between two calls takes little of the width', () => {
    const scale = axisOf([0, 500, 900, 3_600_000, 3_600_900])
    expect(scale.x(0)).toBe(0)
    expect(scale.x(900)).toBeGreaterThan(0.45)
    expect(scale.x(3_600_000) - scale.x(900)).toBeLessThan(0.05)
    expect(scale.x(3_600_900)).toBe(1)
    expect(scale.folds(40)).toHaveLength(1)
  })

  test('keeps the order of times, and its inverse leads back', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000), { minLength: 1, maxLength: 60 }), (gaps) => {
        let now = 0
        const times = gaps.map((gap) => (now += gap))
        const scale = axisOf(times)
        let last = -1
        for (const at of times) {
          const x = scale.x(at)
          expect(x).toBeGreaterThanOrEqual(last)
          expect(Math.abs(scale.timeAt(x) - at)).toBeLessThan(1)
          last = x
        }
        for (const { x } of scale.ticks(6)) expect(x).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('time in which a request is pending is never folded', () => {
    const all = source()
    const axis = new TimeAxis()
    const sent = all.trace.append({ kind: 'message', link, direction: 'sent', type: 'request', message: { jsonrpc: '2.0', id: 1, method: 'ping' }, size: 1 }) // prettier-ignore
    axis.add({ ...sent, at: 0 }, aroundOf(all).exchanges.bySeq.get(0))
    axis.add({ kind: 'process', event: 'stderr', text: '', link, seq: 1, at: 9000 }, undefined)
    expect(axis.scale(9000).folds(40)).toEqual([])
  })
})

test('an exchange costs the same at 100,000 frames as at 1,000', () => {
  const visits = (calls: number): number => {
    const frames = new Frames()
    for (let id = 1; id <= calls; id++) frames.call(id, { name: 'x' }, { content: [] })
    const all = source()
    let read = 0
    const around = aroundOf(all)
    const counted = { ...around, exchanges: { ...around.exchanges, bySeq: { get: () => void read++ } as never } }
    const groups = new ExchangeGroups(counted)
    for (const frame of frames.all) groups.add(frame)
    expect(groups.length).toBe(frames.all.length)
    return read / frames.all.length
  }
  expect(visits(20_000)).toBeCloseTo(visits(200), 1)
})
