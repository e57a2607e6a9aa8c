import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldAll, Projection, Trace, type Frame, type Json, type JsonObject } from '../../mcp/index.ts'
import { notFound, readFindings } from './not-found.ts'
import { APART, outcomeOf, readsFold, rereadOnUpdate } from './reads.ts'
import { lostOf, ownerOf, isSubscribed, updateOf, updatesFold, type LinkUpdates } from './subscriptions.ts'
import { exchanges } from '../../mcp/index.ts'

const link = 'a'

/** Builds a trace by hand. */
class Script {
  now = 0
  readonly trace = new Trace({ now: () => this.now })
  #id = 0

  message(direction: 'sent' | 'received', message: Json, follows?: number): number {
    this.now += 1
    const more = follows === undefined ? {} : { follows }
    return this.trace.append({ kind: 'message', direction, type: 'request', message, size: 1, link, ...more }).seq
  }
  send(method: string, params: JsonObject, follows?: number): { id: number; seq: number } {
    const id = ++this.#id
    return { id, seq: this.message('sent', { jsonrpc: '2.0', id, method, params }, follows) }
  }
  ok(id: number, result: JsonObject = {}): void {
    this.message('received', { jsonrpc: '2.0', id, result })
  }
  refuse(id: number): void {
    this.message('received', { jsonrpc: '2.0', id, error: { code: -32602, message: 'no' } })
  }
  updated(uri: Json, subscription?: number): number {
    const _meta: JsonObject =
      subscription === undefined ? {} : { _meta: { 'io.modelcontextprotocol/subscriptionId': subscription } }
    return this.message('received', {
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri, ..._meta },
    })
  }
  listen(...uris: string[]) {
    return this.send('subscriptions/listen', { notifications: { resourceSubscriptions: uris } })
  }
  acknowledge(id: number, notifications: JsonObject): void {
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id }
    this.message('received', {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta, notifications },
    })
  }
  gaveUp(request: number, why: 'lost' | 'cancelled' | 'timeout'): void {
    this.trace.append({ kind: 'session', phase: 'gave-up', request, why, explanation: why, link })
  }
  over(): void {
    this.trace.append({ kind: 'session', phase: 'closed', why: 'gone', link })
  }
  get state(): LinkUpdates {
    return foldAll(updatesFold, this.trace).get(link)!
  }
  status(uri: string): string | undefined {
    return this.state.watched.get(uri)?.status
  }
}

describe('subscriptions before 2026-07-28 (SF-RES-07)', () => {
  test('stand when the server says so, and end when it says so', () => {
    const script = new Script()
    const { id } = script.send('resources/subscribe', { uri: 'a:1' })
    expect(script.status('a:1')).toBe('asked')
    script.ok(id)
    expect(script.status('a:1')).toBe('on')
    const bye = script.send('resources/unsubscribe', { uri: 'a:1' })
    expect([script.status('a:1'), isSubscribed(script.state.watched.get('a:1'))]).toEqual(['leaving', false])
    script.ok(bye.id)
    expect(script.status('a:1')).toBe('off')
  })

  test('one that is refused is none, and a farewell that is refused leaves it standing', () => {
    const script = new Script()
    script.refuse(script.send('resources/subscribe', { uri: 'a:1' }).id)
    expect(script.state.watched.get('a:1')).toMatchObject({ status: 'refused', why: 'no (-32602)' })
    script.ok(script.send('resources/subscribe', { uri: 'a:1' }).id)
    script.refuse(script.send('resources/unsubscribe', { uri: 'a:1' }).id)
    expect(script.status('a:1')).toBe('on')
  })

  test('what the end of a session takes away is what a new one is asked for', () => {
    const script = new Script()
    for (const uri of ['a:1', 'a:2', 'a:3']) script.ok(script.send('resources/subscribe', { uri }).id)
    script.ok(script.send('resources/unsubscribe', { uri: 'a:2' }).id)
    script.over()
    expect(lostOf(script.state)).toEqual(['a:1', 'a:3'])
    script.ok(script.send('resources/subscribe', { uri: 'a:1' }).id)
    expect(lostOf(script.state)).toEqual(['a:3'])
  })
})

describe('subscriptions of 2026-07-28 (SF-RES-09)', () => {
  test('what was not granted is told as refused (SUB-03)', () => {
    const script = new Script()
    const { id } = script.listen('a:1', 'a:2')
    script.acknowledge(id, { resourceSubscriptions: ['a:1'] })
    expect([script.status('a:1'), script.status('a:2')]).toEqual(['on', 'refused'])
  })

  test('another stream takes them over without an interruption, and what it lacks is off when the old one ends (SUB-11)', () => {
    const script = new Script()
    const old = script.listen('a:1', 'a:2')
    script.acknowledge(old.id, { resourceSubscriptions: ['a:1', 'a:2'] })
    const { id } = script.listen('a:2', 'a:3')
    expect([script.status('a:2'), script.status('a:3')]).toEqual(['on', 'asked'])
    script.acknowledge(id, { resourceSubscriptions: ['a:2', 'a:3'] })
    script.gaveUp(old.seq, 'cancelled')
    expect(['a:1', 'a:2', 'a:3'].map((uri) => script.status(uri))).toEqual(['off', 'on', 'on'])
  })

  test('a stream that was cut and stands again has a gap (SUB-09)', () => {
    const script = new Script()
    const first = script.listen('a:1')
    script.acknowledge(first.id, { resourceSubscriptions: ['a:1'] })
    script.gaveUp(first.seq, 'lost')
    expect(script.status('a:1')).toBe('cut')
    const again = script.listen('a:1')
    script.acknowledge(again.id, { resourceSubscriptions: ['a:1'] })
    expect(script.state.watched.get('a:1')).toMatchObject({ status: 'on', gap: again.seq })
  })

  test('a result is the server’s good-bye (SUB-08)', () => {
    const script = new Script()
    const { id } = script.listen('a:1')
    script.acknowledge(id, { resourceSubscriptions: ['a:1'] })
    script.ok(id)
    expect(script.status('a:1')).toBe('off')
  })

  test('a part whose stream is about one resource alone belongs to it, whatever it is called', () => {
    const script = new Script()
    const { id } = script.listen('a:1')
    script.acknowledge(id, { resourceSubscriptions: ['a:1'] })
    script.updated('b:elsewhere', id)
    expect(script.state.watched.get('a:1')).toMatchObject({ heard: 1, last: { uri: 'b:elsewhere' } })
  })
})

describe('updates', () => {
  test('of a part are told of the subscription that fits best (SF-RES-08)', () => {
    const script = new Script()
    for (const uri of ['x://a', 'x://a/b', 'x://other']) script.ok(script.send('resources/subscribe', { uri }).id)
    const seq = script.updated('x://a/b/c')
    expect(script.state.watched.get('x://a/b')).toMatchObject({ heard: 1, last: { uri: 'x://a/b/c', seq } })
    expect(updateOf(script.state, 'x://a/b')?.seq).toBe(seq)
    expect(updateOf(script.state, 'x://a/b/c')?.seq).toBe(seq)
    expect(updateOf(script.state, 'x://a')).toBeUndefined()
    const own = script.updated('x://a/b')
    expect(updateOf(script.state, 'x://a/b')?.seq).toBe(own)
  })

  test('a name that only begins alike is no part', () => {
    expect(ownerOf('x://ab', ['x://a'])).toBeUndefined()
    expect(ownerOf('x://a?q', ['x://a'])).toBe('x://a')
    expect(ownerOf('x://a/b', ['x://a/', 'x://'])).toBe('x://a/')
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (uri, all) => {
        const owner = ownerOf(uri, all)
        if (owner !== undefined) expect(uri.startsWith(owner)).toBe(true)
        if (all.includes(uri)) expect(owner).toBe(uri)
      }),
    )
  })

  test('nobody subscribed to are kept and counted apart', () => {
    const script = new Script()
    script.updated('a:1')
    script.updated(7)
    script.message('received', { jsonrpc: '2.0', method: 'notifications/resources/updated' })
    expect(script.state).toMatchObject({ stray: 1, lastStray: { uri: 'a:1' } })
    expect(updateOf(script.state, 'a:1')?.count).toBe(1)
  })
})

describe('reads', () => {
  test('a read that goes on after questions is one read (MRTR-06)', () => {
    const script = new Script()
    const first = script.send('resources/read', { uri: 'a:1' })
    script.ok(first.id, { resultType: 'input_required' })
    const second = script.send('resources/read', { uri: 'a:1' }, first.seq)
    script.ok(second.id, { contents: [] })
    script.send('resources/read', { uri: 'a:2' })
    const reads = foldAll(readsFold, script.trace).get(link)!
    expect([...reads]).toEqual([
      ['a:1', [[first.seq, second.seq]]],
      ['a:2', [[second.seq + 2]]],
    ])
    const outcome = outcomeOf(reads.get('a:1')![0]!, foldAll(exchanges, script.trace), script.trace)
    expect(outcome).toMatchObject({ seq: first.seq, exchange: { status: 'ok' }, result: { contents: [] }, took: 3 })
  })

  test.each([
    [-32002, '2025-11-25', 'sure'],
    [-32002, '2026-07-28', 'legacy'],
    [-32602, '2026-07-28', 'sure'],
    [-32602, '2025-03-26', 'maybe'],
    [-32603, '2026-07-28', undefined],
  ])('error %i in %s says of a missing resource: %s (BP-35, BP-36)', (code, revision, verdict) => {
    expect(notFound(code, revision)).toBe(verdict)
  })

  test('no contents at all are told from none that were found (SF-RES-03, SF-RES-05)', () => {
    expect(readFindings({}, '2024-11-05').map(({ code }) => code)).toEqual(['no-contents'])
    expect(readFindings({ contents: [] }, '2026-07-28').map(({ rule }) => rule)).toEqual(['SF-RES-05'])
    expect(readFindings({ contents: [] }, '2025-11-25')).toEqual([])
  })
})

test('no message makes a fold throw, and folding in two parts is folding all', () => {
  const uri = fc.constantFrom<Json>('a:1', 'a:1/b', '', 7, null)
  const id = fc.constantFrom<Json>(1, 2, '1', null)
  const params = fc.oneof(
    fc.record({ uri, _meta: fc.record({ 'io.modelcontextprotocol/subscriptionId': id }, { requiredKeys: [] }) }),
    fc.record({ notifications: fc.record({ resourceSubscriptions: fc.oneof(fc.array(uri), fc.constant(true)) }) }),
    fc.jsonValue(),
  )
  const method = fc.constantFrom(
    'resources/subscribe',
    'resources/unsubscribe',
    'resources/read',
    'subscriptions/listen',
    'notifications/resources/updated',
    'notifications/subscriptions/acknowledged',
  )
  const message = fc.oneof(
    fc.record({ jsonrpc: fc.constant('2.0'), id, method, params }, { requiredKeys: ['method'] }),
    fc.record({ id, result: fc.jsonValue() }),
    fc.record({ id, error: fc.jsonValue() }),
  )
  const step = fc.oneof(
    fc.tuple(fc.constantFrom('sent' as const, 'received' as const), message),
    fc.tuple(fc.constantFrom('closed' as const, 'renewing' as const), fc.constant(null)),
  )
  fc.assert(
    fc.property(fc.array(step), fc.nat(), (steps, cut) => {
      const script = new Script()
      for (const [kind, what] of steps) {
        if (kind === 'sent' || kind === 'received') script.message(kind, what as Json)
        else script.trace.append({ kind: 'session', phase: kind, why: 'x', link })
      }
      const frames: Frame[] = [...script.trace]
      const at = cut % (frames.length + 1)
      for (const fold of [updatesFold, readsFold] as const) {
        const parts = foldAll<unknown>(fold, frames.slice(at), foldAll<unknown>(fold, frames.slice(0, at)))
        expect(parts).toEqual(foldAll<unknown>(fold, frames))
      }
    }),
  )
})

describe('reading again when it changed', () => {
  const stage = () => {
    const script = new Script()
    const updates = new Projection(script.trace, updatesFold)
    const timers: { act: () => void; at: number }[] = []
    let pending: (() => void) | undefined
    const begun: number[] = []
    const stop = rereadOnUpdate({
      trace: script.trace,
      link,
      updates,
      uri: 'a:1',
      read: () => {
        begun.push(script.now)
        return new Promise<void>((resolve) => (pending = resolve))
      },
      wait: (act, ms) => timers.push({ act, at: script.now + ms }),
    })
    const pass = (ms: number) => {
      script.now += ms
      for (const timer of timers.splice(0)) {
        if (timer.at <= script.now) timer.act()
        else timers.push(timer)
      }
    }
    const answer = async () => {
      pending?.()
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    }
    return { script, begun, pass, answer, stop }
  }

  test('an update is one read; a flood of them while it runs is one more, a second later', async () => {
    const { script, begun, pass, answer } = stage()
    script.updated('a:1')
    pass(0)
    expect(begun).toHaveLength(1)
    for (let time = 0; time < 50; time++) script.updated('a:1')
    pass(10 * APART)
    expect(begun).toHaveLength(1)
    await answer()
    pass(0)
    expect(begun).toHaveLength(2)
    script.updated('a:1')
    await answer()
    pass(APART / 2)
    expect(begun).toHaveLength(2)
    pass(APART / 2)
    expect(begun).toHaveLength(3)
    expect(begun[2]! - begun[1]!).toBeGreaterThanOrEqual(APART)
  })

  test('updates of others, and those after its end, are no reads', () => {
    const { script, begun, pass, stop } = stage()
    script.updated('a:2')
    pass(2 * APART)
    script.updated('a:1')
    stop()
    pass(2 * APART)
    expect(begun).toEqual([])
  })
})
