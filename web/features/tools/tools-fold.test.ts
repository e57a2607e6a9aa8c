import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldAll, Trace, type Frame, type Fold, type FrameDraft, type Json, type JsonObject } from '../../mcp/index.ts'
import { PAGES_MAX } from '../lists/listing-fold.ts'
import { callsFold } from './outcome.ts'
import { findingsOf } from './findings.ts'
import { toolsFold, type ToolList } from './tools-fold.ts'

const link = 'a'

/** A trace written by hand: requests and responses. */
class Script {
  readonly trace = new Trace({ now: () => this.now })
  now = 0
  #id = 0

  message(direction: 'sent' | 'received', message: Json, on = link): number {
    this.now += 1
    return this.trace.append({ kind: 'message', direction, type: 'request', message, size: 1, link: on }).seq
  }
  ask(cursor?: string, on = link): number {
    this.#id += 1
    this.message(
      'sent',
      { jsonrpc: '2.0', id: this.#id, method: 'tools/list', ...(cursor === undefined ? {} : { params: { cursor } }) },
      on,
    )
    return this.#id
  }
  answer(id: number, tools: Json, rest: JsonObject = {}, on = link): void {
    this.message('received', { jsonrpc: '2.0', id, result: { tools, ...rest } }, on)
  }
  changed(): void {
    this.message('received', { jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  }
  get list(): ToolList {
    return foldAll(toolsFold, this.trace).get(link)!
  }
  get names(): readonly (string | undefined)[] {
    return this.list.items.map(({ name }) => name)
  }
}

const tool = (name: Json): JsonObject => ({ name, inputSchema: { type: 'object' } })

describe('the list of tools is read from the Trace', () => {
  test('pages are joined in order, and an empty cursor is a cursor (SF-PAGE-03)', () => {
    const script = new Script()
    script.answer(script.ask(), [tool('a')], { nextCursor: '' })
    expect([script.list.state, script.list.nextCursor, script.names]).toEqual(['loading', '', ['a']])
    script.answer(script.ask(''), [tool('b')])
    expect([script.list.state, script.list.nextCursor, script.names]).toEqual(['ready', undefined, ['a', 'b']])
    expect(script.list.pages.map(({ count }) => count)).toEqual([1, 1])
  })

  test('while a refresh runs, and after it failed, what was there stays', () => {
    const script = new Script()
    script.answer(script.ask(), [tool('a'), tool('b')])
    script.answer(script.ask(), [tool('c')], { nextCursor: 'x' })
    expect([script.list.state, script.names]).toEqual(['loading', ['a', 'b']])
    const id = script.ask('x')
    script.message('received', { jsonrpc: '2.0', id, error: { code: -32603, message: 'no' } })
    expect(script.list).toMatchObject({ state: 'error', error: { kind: 'refused', code: -32603, message: 'no' } })
    expect(script.names).toEqual(['a', 'b'])
    script.answer(script.ask(), [tool('b'), tool('d')])
    expect([script.list.state, script.names, [...script.list.added], script.list.removed]).toEqual([
      'ready',
      ['b', 'd'],
      ['d'],
      ['a'],
    ])
  })

  test('list_changed makes a whole list stale, and one during a refresh leaves it stale afterwards', () => {
    const script = new Script()
    script.answer(script.ask(), [tool('a')])
    script.changed()
    expect(script.list.state).toBe('stale')
    const id = script.ask()
    expect(script.list.state).toBe('loading')
    script.changed()
    script.answer(id, [tool('a')])
    expect(script.list.state).toBe('stale')
    script.answer(script.ask(), [tool('a')])
    expect(script.list.state).toBe('ready')
  })

  test('a limit that was hit, and a connection that ended, are errors with their reason', () => {
    const script = new Script()
    script.ask()
    script.trace.append({
      kind: 'session',
      phase: 'gave-up',
      request: 0,
      why: 'timeout',
      explanation: 'too slow',
      link,
    })
    expect(script.list.error).toMatchObject({ kind: 'gave-up', why: 'timeout', explanation: 'too slow' })
    script.ask()
    script.trace.append({ kind: 'session', phase: 'closed', why: 'the process ended', link })
    expect(script.list.error).toMatchObject({ kind: 'gave-up', why: 'closed', explanation: 'the process ended' })
  })

  test.each<[string, JsonObject]>([
    ['no tools at all', { result: {} }],
    ['tools that are no array', { result: { tools: { a: 1 } } }],
    ['a result that is no object', { result: 'tools' }],
    ['an error that is no error', { error: 'no' }],
  ])('%s is an error of the list, not of the page', (_, rest) => {
    const script = new Script()
    const id = script.ask()
    script.message('received', { jsonrpc: '2.0', id, ...rest })
    expect(script.list).toMatchObject({ state: 'error', error: { kind: 'shape' }, items: [] })
  })

  test('nextCursor: null ends the list and is noted on its page', () => {
    const script = new Script()
    script.answer(script.ask(), [tool('a')], { nextCursor: null })
    expect(script.list).toMatchObject({ state: 'ready', pages: [{ badCursor: true }] })
  })

  test('a cursor that comes again ends the walk and says so', () => {
    const script = new Script()
    script.answer(script.ask(), [tool('a')], { nextCursor: 'x' })
    script.answer(script.ask('x'), [tool('b')], { nextCursor: 'x' })
    expect(script.list).toMatchObject({ state: 'ready', stopped: 'repeated-cursor', complete: true })
    expect(script.list.nextCursor).toBeUndefined()
  })

  test('a server with ever new cursors is stopped after 1,000 pages', () => {
    const script = new Script()
    let id = script.ask()
    for (let page = 1; page <= PAGES_MAX; page++) {
      script.answer(id, [tool(`t${page}`)], { nextCursor: `p${page}` })
      if (page < PAGES_MAX) id = script.ask(`p${page}`)
    }
    expect(script.list).toMatchObject({ state: 'ready', stopped: 'page-limit' })
    expect(script.list.items.length).toBe(PAGES_MAX)
  })

  test('a page of more than 100,000 tools is cut and said to be', () => {
    const script = new Script()
    script.answer(
      script.ask(),
      Array.from({ length: 100_001 }, (_, at) => tool(`t${at}`)),
    )
    expect([script.list.items.length, script.list.stopped]).toEqual([100_000, 'item-limit'])
  })

  test('answers to ids of another connection, second answers and strange ids change nothing', () => {
    const script = new Script()
    const id = script.ask()
    script.answer(id, [tool('wrong')], {}, 'b')
    script.answer(id, [tool('a')])
    script.answer(id, [tool('late')])
    script.answer(999, [tool('nobody')])
    expect(script.names).toEqual(['a'])
  })

  test('only the newest walk counts when two run at once', () => {
    const script = new Script()
    const first = script.ask()
    const second = script.ask()
    script.answer(first, [tool('old')], { nextCursor: 'x' })
    script.answer(second, [tool('new')])
    expect([script.list.state, script.names]).toEqual(['ready', ['new']])
  })

  test('what a person sends by hand in the raw panel is not mistaken for the list', () => {
    const script = new Script()
    script.answer(script.ask(), [tool('a')])
    script.trace.append({
      kind: 'message',
      direction: 'sent',
      type: 'request',
      message: { jsonrpc: '2.0', id: 77, method: 'tools/list' },
      size: 1,
      byHand: true,
      link,
    })
    script.answer(77, [tool('b')])
    expect(script.names).toEqual(['a'])
  })
})

describe('one bad item never spoils the list', () => {
  const odd: Json[] = [
    tool('good'),
    null,
    'text',
    [],
    {},
    { name: 5 },
    { name: '' },
    { name: 'bare' },
    tool('good'),
    tool('last'),
  ]

  test('every item is there, each with its own finding and its own key', () => {
    const script = new Script()
    script.answer(script.ask(), odd)
    const { items } = script.list
    expect(items.length).toBe(odd.length)
    expect(new Set(items.map(({ key }) => key)).size).toBe(odd.length)
    expect(items.map((item) => findingsOf(item).map(({ code }) => code))).toEqual([
      [],
      ['no-object'],
      ['no-object'],
      ['no-object'],
      ['no-name', 'no-input-schema'],
      ['no-name', 'no-input-schema'],
      ['no-name', 'no-input-schema'],
      ['no-input-schema'],
      ['repeated-name'],
      [],
    ])
  })

  test('any JSON in the place of a tool is kept, and keys never collide', () => {
    const strange = fc.oneof(
      fc.jsonValue(),
      fc.record({
        name: fc.constantFrom('a', 'a#2', '#1', "a#2'"),
        inputSchema: fc.jsonValue(),
        annotations: fc.jsonValue(),
      }),
    )
    fc.assert(
      fc.property(fc.array(strange, { maxLength: 12 }), (tools) => {
        const script = new Script()
        script.answer(script.ask(), tools as Json)
        const { items } = script.list
        expect(items.map(({ raw }) => raw)).toEqual(tools)
        expect(new Set(items.map(({ key }) => key)).size).toBe(tools.length)
        for (const item of items) findingsOf(item, '2025-11-25')
      }),
    )
  })
})

/** Traffic of a careless client and server, with few ids and cursors so that they collide. */
const id = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom('1', '2'))
const cursor = fc.constantFrom('', 'x', 'y')
const message: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ id, method: fc.constant('tools/list'), params: fc.option(fc.record({ cursor }), { nil: {} }) }),
  fc.record({ id, method: fc.constant('tools/call'), params: fc.record({ name: fc.constantFrom('a', 'b') }) }),
  fc.record({ method: fc.constant('notifications/tools/list_changed') }),
  fc.record({
    id,
    result: fc.record(
      { tools: fc.array(fc.oneof(fc.constantFrom(tool('a'), tool('b'), null)), { maxLength: 3 }), nextCursor: cursor },
      { requiredKeys: ['tools'] },
    ),
  }),
  fc.record({ id, error: fc.record({ code: fc.constant(-32603), message: fc.constant('no') }) }),
)
const draft: fc.Arbitrary<FrameDraft> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('message' as const),
      direction: fc.constantFrom('sent' as const, 'received' as const),
      type: fc.constant('request' as const),
      message: fc.oneof(
        { weight: 9, arbitrary: message },
        { weight: 1, arbitrary: fc.array(message, { maxLength: 2 }) },
      ),
      size: fc.constant(1),
      link: fc.constantFrom('a', 'b'),
    }),
  },
  fc.record({
    kind: fc.constant('session' as const),
    phase: fc.constant('gave-up' as const),
    request: fc.nat(20),
    why: fc.constant('timeout' as const),
    explanation: fc.constant('slow'),
    link: fc.constantFrom('a', 'b'),
  }),
  fc.record({
    kind: fc.constant('session' as const),
    phase: fc.constant('closed' as const),
    why: fc.constant('end'),
    link: fc.constantFrom('a', 'b'),
  }),
)
const traffic = fc.array(draft, { maxLength: 40 }).map((drafts): readonly Frame[] => {
  const trace = new Trace({ now: () => 0 })
  for (const one of drafts) trace.append(one)
  return [...trace]
})

const plain = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (part instanceof Map || part instanceof Set ? [...part] : part))

describe.each<[string, Fold<unknown>]>([
  ['tools/list', toolsFold],
  ['tools/call', callsFold],
])('the fold of %s', (_, fold) => {
  test('fold(prefix) + fold(rest) = fold(all), for any cut and any other fold running between', () => {
    fc.assert(
      fc.property(traffic, fc.nat(40), traffic, (frames, cut, others) => {
        const state = foldAll(fold, frames.slice(0, cut))
        foldAll(fold, others)
        foldAll(fold, frames.slice(cut), state)
        expect(plain(state)).toBe(plain(foldAll(fold, frames)))
      }),
    )
  })

  test('it says "nothing changed" only when nothing changed', () => {
    fc.assert(
      fc.property(traffic, (frames) => {
        const state = fold.initial()
        for (const frame of frames) {
          const before = plain(state)
          if (fold.step(state, frame) === false) expect(plain(state)).toBe(before)
        }
      }),
    )
  })
})

test('the last calls of each tool are remembered, apart for each connection, and only so many', () => {
  const script = new Script()
  const call = (name: string, on: string) =>
    script.message('sent', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }, on)
  const other = call('x', 'b')
  const seqs = Array.from({ length: 25 }, () => call('x', 'a'))
  const calls = foldAll(callsFold, script.trace)
  expect(calls.get('a')!.get('x')).toEqual(seqs.slice(-20).map((seq) => [seq]))
  expect(calls.get('b')!.get('x')).toEqual([[other]])
})

test('MRTR-06: the rounds of a call are one call, whatever was called between them', () => {
  const trace = new Trace({ now: () => 0 })
  const call = (follows?: number) =>
    trace.append({
      kind: 'message',
      direction: 'sent',
      type: 'request',
      message: { jsonrpc: '2.0', id: trace.length, method: 'tools/call', params: { name: 'x' } },
      size: 1,
      link: 'a',
      ...(follows === undefined ? {} : { follows }),
    }).seq
  const [first, other] = [call(), call()]
  const second = call(first)
  const third = call(second)
  expect(foldAll(callsFold, trace).get('a')!.get('x')).toEqual([[first, second, third], [other]])
})
