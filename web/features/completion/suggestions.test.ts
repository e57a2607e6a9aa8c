import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { eventually } from '../../../tests/patience.ts'
import {
  exchanges,
  isObject,
  LoopbackTransport,
  Projection,
  Session,
  StreamableHttpTransport,
  Trace,
  type Json,
  type JsonObject,
  type MessageFrame,
  type Revision,
} from '../../mcp/index.ts'
import {
  Completer,
  CompletionCache,
  completionOf,
  DEBOUNCE,
  VALUES_KEPT,
  VALUES_MOST,
  type CompletionRequest,
  type CompletionState,
} from './suggestions.ts'

const review = (argument: string, value: string, context: Record<string, string> = {}): CompletionRequest => ({
  reference: { type: 'ref/prompt', name: 'review' },
  argument,
  value,
  context,
})

/** Waits for a state that is neither idle nor pending. */
const settled = (completer: Completer): Promise<CompletionState> =>
  new Promise((resolve) => {
    const look = () => {
      if (completer.current.kind === 'asking' || completer.current.kind === 'idle') return
      stop()
      resolve(completer.current)
    }
    const stop = completer.subscribe(look)
    look()
  })

const messages = (trace: Trace, method: string): JsonObject[] =>
  [...trace]
    .filter((frame): frame is MessageFrame => frame.kind === 'message' && frame.direction === 'sent')
    .flatMap(({ message }) => (isObject(message) && message.method === method ? [message] : []))

/** An in-memory handshake server that responds to `completion/complete` when and how the test says. */
const inMemory = async (options: { revision?: Revision; capabilities?: JsonObject } = {}) => {
  const { revision = '2025-11-25', capabilities = { completions: {} } } = options
  const asked: { params: JsonObject; reply: (answer: JsonObject) => void }[] = []
  /** If set, sent immediately. */
  const ready: { answer?: JsonObject } = {}
  const trace = new Trace()
  const transport = new LoopbackTransport({
    connect: (send) => ({
      receive: (text) => {
        const { id, method, params } = JSON.parse(text) as { id?: number; method: string; params: JsonObject }
        const reply = (answer: JsonObject) => send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
        const serverInfo = { name: 'completes', version: '1' }
        if (method === 'initialize') reply({ result: { protocolVersion: revision, capabilities, serverInfo } })
        else if (method === 'completion/complete') {
          asked.push({ params, reply })
          if (ready.answer) reply(ready.answer)
        }
      },
      close: () => {},
    }),
  })
  const session = new Session({
    trace,
    link: 'a',
    transport,
    clientInfo: { name: 'test', version: '1' },
    pinned: revision,
  })
  await session.open()
  return { trace, session, asked, ready, book: new CompletionCache(session) }
}

const connected = async (url: string) => {
  const trace = new Trace()
  const transport = new StreamableHttpTransport({ url })
  const session = new Session({ trace, link: 'a', transport, clientInfo: { name: 'test', version: '1' } })
  await session.open()
  return { trace, session, completer: new Completer(new CompletionCache(session)) }
}

describe('of real servers', () => {
  test.each([
    ['2025-11-25', 'v1'],
    ['2026-07-28', 'v2'],
  ])(
    '%s: values depend on what was entered beside them, and hasMore and total are told (SF-COMP-02, SF-COMP-03)',
    async (revision, way) => {
      const { session, completer, trace } = await connected(`${inject('richUrl')}/${way}/${crypto.randomUUID()}`)
      expect(session.peer?.revision).toBe(revision)

      completer.ask(review('language', ''), 0)
      expect(await settled(completer)).toMatchObject({
        kind: 'ready',
        cached: false,
        completion: { values: ['c', 'clojure', 'cobol'], total: 6, more: true, notes: [] },
      })
      completer.ask(review('style', '', { language: 'rust', style: 'never sent' }), 0)
      expect(await settled(completer)).toMatchObject({
        kind: 'ready',
        completion: { values: ['safe', 'fast'], more: false },
      })
      expect(messages(trace, 'completion/complete').at(-1)?.params).toMatchObject({
        ref: { type: 'ref/prompt', name: 'review' },
        argument: { name: 'style', value: '' },
        context: { arguments: { language: 'rust' } },
      })
      await session.close()
    },
  )

  test('a variable of a template of the reference server is completed, and a prompt that it does not have is its error', async () => {
    const { session, completer } = await connected(inject('everythingUrl'))
    const uri = 'demo://resource/dynamic/text/{resourceId}'
    completer.ask({ reference: { type: 'ref/resource', uri }, argument: 'resourceId', value: '7', context: {} }, 0)
    expect(await settled(completer)).toMatchObject({ kind: 'ready', completion: { values: ['7'] } })
    completer.ask({ ...review('x', ''), reference: { type: 'ref/prompt', name: 'no such prompt' } }, 0)
    expect(await settled(completer)).toMatchObject({ kind: 'failed', code: -32602, seq: expect.any(Number) as number })
    await session.close()
  })
})

describe('while somebody types', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('only the last of quick inputs is asked for, a moment after it (SF-COMP-05)', async () => {
    const { asked, book } = await inMemory()
    const completer = new Completer(book)
    for (const value of ['p', 'py', 'pyt']) {
      completer.ask(review('language', value))
      vi.advanceTimersByTime(DEBOUNCE - 1)
    }
    expect(asked).toEqual([])
    vi.advanceTimersByTime(1)
    expect(asked.map(({ params }) => (params.argument as JsonObject).value)).toEqual(['pyt'])
  })

  test('a newer input cancels the request before it, whose late answer changes nothing', async () => {
    const { asked, book, trace } = await inMemory()
    const completer = new Completer(book)
    completer.ask(review('language', 'p'), 0)
    vi.advanceTimersByTime(0)
    completer.ask(review('language', 'py'), 0)
    vi.advanceTimersByTime(0)
    const [first, second] = messages(trace, 'completion/complete')
    expect(messages(trace, 'notifications/cancelled').map(({ params }) => (params as JsonObject).requestId)).toEqual([
      first!.id,
    ])
    vi.useRealTimers()
    asked[0]!.reply({ result: { completion: { values: ['late'] } } })
    asked[1]!.reply({ result: { completion: { values: ['python'] } } })
    expect(await settled(completer)).toMatchObject({ kind: 'ready', completion: { values: ['python'] } })
    expect(first!.id).not.toBe(second!.id)
  })

  test('leaving the field takes the request back', async () => {
    const { book, trace } = await inMemory()
    const completer = new Completer(book)
    completer.ask(review('language', 'p'), 0)
    vi.advanceTimersByTime(0)
    completer.stop()
    expect(completer.current).toEqual({ kind: 'idle' })
    const { all } = new Projection(trace, exchanges).current
    expect(all.at(-1)).toMatchObject({ method: 'completion/complete', status: 'cancelled' })
  })

  test('leaving before the moment is over sends nothing', async () => {
    const { asked, book } = await inMemory()
    const completer = new Completer(book)
    completer.ask(review('language', 'p'))
    completer.stop()
    vi.advanceTimersByTime(10 * DEBOUNCE)
    expect(asked).toEqual([])
  })
})

describe('what was answered', () => {
  /** Requests a completion, responds, and returns whether the server was asked at all. */
  const round = async (
    { asked, ready, book }: Awaited<ReturnType<typeof inMemory>>,
    request: CompletionRequest,
    answer: JsonObject = { result: { completion: { values: [request.value] } } },
  ) => {
    const completer = new Completer(book)
    const before = asked.length
    ready.answer = answer
    completer.ask(request, 0)
    const state = await settled(completer)
    return { asked: asked.length > before, state }
  }

  test('is kept for the session by reference, argument, value and context, whatever the order of the context', async () => {
    const peer = await inMemory()
    const context = { a: '1', b: '2' }
    expect((await round(peer, review('x', 'v', context))).asked).toBe(true)
    const again = await round(peer, review('x', 'v', { b: '2', a: '1' }))
    expect(again).toMatchObject({ asked: false, state: { kind: 'ready', cached: true, completion: { values: ['v'] } } })
    for (const other of [
      review('y', 'v', context),
      review('x', 'w', context),
      review('x', 'v', { ...context, b: '3' }),
      { ...review('x', 'v', context), reference: { type: 'ref/resource', uri: 'review' } as const },
    ])
      expect((await round(peer, other)).asked).toBe(true)
  })

  test('is let go of when there is too much of it, the longest unused first', async () => {
    const peer = await inMemory()
    for (let at = 0; at < 301; at++) {
      await round(peer, review('x', String(at)))
      if (at % 100 === 0) await round(peer, review('x', '0'))
    }
    expect((await round(peer, review('x', '0'))).asked).toBe(false)
    expect((await round(peer, review('x', '1'))).asked).toBe(true)
    const huge = { result: { completion: { values: ['h'.repeat(1_900_000)] } } }
    await round(peer, review('x', 'huge'), huge)
    await round(peer, review('x', 'huge too'), huge)
    expect((await round(peer, review('x', 'huge too'), huge)).asked).toBe(false)
    expect((await round(peer, review('x', 'huge'), huge)).asked).toBe(true)
  })

  test('with an error is not kept: the same may succeed the next time', async () => {
    const peer = await inMemory()
    const error = { code: -32603, message: 'The database sleeps' }
    expect((await round(peer, review('x', ''), { error })).state).toMatchObject({
      kind: 'failed',
      code: -32603,
      message: 'The database sleeps',
    })
    expect((await round(peer, review('x', ''))).state).toMatchObject({ kind: 'ready' })
  })

  test('context is not sent in revisions that do not know it (SF-COMP-03)', async () => {
    const peer = await inMemory({ revision: '2025-03-26' })
    await round(peer, review('x', '', { a: '1' }))
    expect(peer.asked[0]!.params).toEqual({
      ref: { type: 'ref/prompt', name: 'review' },
      argument: { name: 'x', value: '' },
    })
  })
})

describe('whether to ask at all (SF-COMP-01)', () => {
  test('a server that does not declare completions is not asked', async () => {
    const { book, asked } = await inMemory({ capabilities: { prompts: {} } })
    const completer = new Completer(book)
    completer.ask(review('x', ''), 0)
    expect([completer.current, asked]).toEqual([{ kind: 'off', why: 'undeclared' }, []])
  })

  test('2024-11-05 has no such capability: it is tried, and not again after -32601', async () => {
    const { book, asked } = await inMemory({ revision: '2024-11-05', capabilities: {} })
    const completer = new Completer(book)
    completer.ask(review('x', ''), 0)
    await eventually(() => expect(asked.length).toBe(1))
    asked[0]!.reply({ error: { code: -32601, message: 'Method not found' } })
    expect(await settled(completer)).toMatchObject({ kind: 'off', why: 'refused', seq: expect.any(Number) as number })
    completer.ask(review('x', 'other'), 0)
    new Completer(book).ask(review('y', ''), 0)
    expect([completer.current.kind, asked.length]).toEqual(['off', 1])
  })

  test('without a session that is open it says so instead of throwing', async () => {
    const { book, session } = await inMemory()
    const completer = new Completer(book)
    await session.close()
    completer.ask(review('x', ''), 0)
    expect(await settled(completer)).toMatchObject({ kind: 'failed' })
  })
})

describe('an answer of any shape', () => {
  const anything = fc.jsonValue() as fc.Arbitrary<Json>

  test('is read without a throw: all its strings in their order, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), anything)), anything, anything, (values, total, hasMore) => {
        const read = completionOf({ completion: { values, total, hasMore } })
        expect(read.values).toEqual(values.filter((value) => typeof value === 'string'))
        const odd = values.length - read.values.length
        expect(read.notes.find(({ code }) => code === 'no-string')?.count ?? 0).toBe(odd)
      }),
    )
    fc.assert(fc.property(anything, (completion) => void completionOf({ completion })))
  })

  test(`has at most ${VALUES_MOST} values; more are noted, and shown as far as ${VALUES_KEPT} (SF-COMP-04)`, () => {
    const many = (count: number) => completionOf({ completion: { values: Array.from({ length: count }, String) } })
    expect(many(VALUES_MOST)).toMatchObject({ more: false, notes: [] })
    expect(many(VALUES_MOST + 1).notes).toEqual([{ code: 'too-many', rule: 'SF-COMP-04', count: 101 }])
    expect(many(VALUES_KEPT + 5).values).toHaveLength(VALUES_KEPT)
    expect(many(VALUES_KEPT + 5).notes).toContainEqual({ code: 'not-kept', count: 5 })
  })

  test('tells of more where hasMore or total does, and of numbers that cannot be', () => {
    const read = (rest: JsonObject) => completionOf({ completion: { values: ['a', 'b'], ...rest } })
    expect([read({}).more, read({ hasMore: true }).more, read({ total: 3 }).more, read({ total: 2 }).more]).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(read({ total: 1 }).notes).toMatchObject([{ code: 'total-too-small', rule: 'SF-COMP-04' }])
    expect(read({ total: -1 }).notes).toMatchObject([{ code: 'bad-total' }])
    expect(read({ hasMore: 'yes' }).notes).toMatchObject([{ code: 'bad-has-more' }])
    expect(completionOf({}).notes).toMatchObject([{ code: 'no-values' }])
  })
})
