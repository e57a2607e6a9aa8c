import fc from 'fast-check'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { eventually } from '../../../tests/patience.ts'
import { foldAll, LoopbackTransport, Projection, Session, StreamableHttpTransport, Trace } from '../../mcp/index.ts'
import type { Answers, Frame, FrameDraft, JsonObject, Peer, Transport } from '../../mcp/index.ts'
import { heldFor, requestsOfCalls, REQUESTS_KEPT, type ServerRequestLog } from './request-log.ts'
import type { ServerRequest } from '../server-request.ts'
import { serverRequestsFold } from './server-requests-fold.ts'
import { TaskFollower } from '../tasks/follow.ts'
import { tasksFold } from '../tasks/tasks-fold.ts'

const ANSWERS: Answers = {
  'sampling/createMessage': () => ({ role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'none' }),
  'elicitation/create': () => ({ action: 'accept', content: { name: 'Ann' } }),
  'roots/list': () => ({ roots: [{ uri: 'file:///here' }] }),
}
const CAPABILITIES = { elicitation: {}, roots: {}, sampling: {} }
const EXTENSIONS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

const sessions: Session[] = []
afterEach(async () => void (await Promise.all(sessions.splice(0).map((session) => session.close()))))

const connect = async (transport: Transport, answers = ANSWERS, capabilities: JsonObject = CAPABILITIES) => {
  const trace = new Trace()
  const clientInfo = { name: 'test', version: '1' }
  const session = new Session({ trace, link: 's1', transport, clientInfo, capabilities: () => capabilities, answers })
  sessions.push(session)
  await session.open()
  const book = new Projection(trace, serverRequestsFold)
  const questions = () => [...book.current.all.values()]
  return { trace, session, book, questions }
}
const at = (url: string) => new StreamableHttpTransport({ url })
const versed = (newest: '2025-11-25' | '2026-07-28') =>
  at(`${inject('versedUrl')}/${newest === '2026-07-28' ? 'v2' : `v1/${newest}`}/${crypto.randomUUID()}`)
const eras = (kind: string) => at(`${inject('erasUrl')}/${kind}/${crypto.randomUUID()}`)
const seqOf = (trace: Trace, method: string): number[] =>
  [...trace].flatMap((frame) =>
    frame.kind === 'message' && frame.direction === 'sent' && (frame.message as JsonObject).method === method
      ? [frame.seq]
      : [],
  )

describe('the questions of real servers', () => {
  test.each(['ask-model', 'ask-user', 'ask-roots'])(
    'BP-13, MRTR-02: %s asked by a request (2025-11-25) and by a result (2026-07-28) is the same question',
    async (name) => {
      const seen: ServerRequest[] = []
      for (const revision of ['2025-11-25', '2026-07-28'] as const) {
        const { trace, session, questions, book } = await connect(versed(revision))
        await session.request('tools/call', { name, arguments: {} })
        const [question, ...others] = questions()
        expect(others).toEqual([])
        const [call] = seqOf(trace, 'tools/call')
        expect(question).toMatchObject({ call, state: 'answered' })
        expect(requestsOfCalls(book.current, [call!])).toEqual([question])
        seen.push(question!)
      }
      const [asked, round] = seen.map(
        ({ seq: _, id: __, at: ___, call: ____, key: _____, route, answered, ...rest }) => ({
          route,
          same: { ...rest, answer: answered && 'result' in answered ? answered.result : undefined },
        }),
      )
      expect([asked!.route, round!.route]).toEqual(['request', 'round'])
      expect(round!.same).toEqual(asked!.same)
    },
  )

  test('MRTR-11: rounds of one call all belong to its first request', async () => {
    const { trace, session, questions } = await connect(eras('rounds'), {
      ...ANSWERS,
      'elicitation/create': ({ mode }): JsonObject =>
        mode === 'url' ? { action: 'decline' } : { action: 'accept', content: { name: 'x' } },
    })
    await session.request('tools/call', { name: 't' })
    const calls = seqOf(trace, 'tools/call')
    expect(questions().map(({ key, state, call }) => [key, state, call])).toEqual([
      ['name', 'answered', calls[0]],
      ['model', 'answered', calls[0]],
      ['roots', 'answered', calls[0]],
      ['visit', 'answered', calls[0]],
    ])
    expect(questions().map(({ answered }) => answered?.seq)).toEqual([calls[1], calls[2], calls[2], calls[3]])
  })

  test('CF-SAMP-13: questions of an abandoned call are withdrawn, and say why', async () => {
    const { session, questions } = await connect(eras('input-required-unknown'))
    await session.request('tools/call', { name: 't' }).catch(() => {})
    expect(questions().map(({ method, state, params }) => [method, state, params])).toEqual([
      ['com.example/ask', 'withdrawn', {}],
      ['', 'withdrawn', {}],
      ['', 'withdrawn', {}],
      ['', 'withdrawn', {}],
    ])
    for (const { explanation } of questions()) expect(explanation).toMatch(/got no response|has no method/)
  })

  test('MRTR-11: a call that is cancelled takes its questions along; the end of a session loses those of its server', async () => {
    const never: Answers = { 'elicitation/create': () => new Promise(() => {}) }
    const round = await connect(eras('rounds-one-form'), never)
    const call = round.session.call('tools/call', { name: 't' })
    await eventually(() => expect(round.questions()).toMatchObject([{ state: 'open' }]))
    call.cancel('enough')
    expect(round.questions()).toMatchObject([{ state: 'withdrawn', explanation: 'enough' }])

    const asked = await connect(versed('2025-11-25'), never)
    asked.session.call('tools/call', { name: 'ask-user', arguments: {} })
    await eventually(() => expect(asked.questions()).toMatchObject([{ state: 'open', route: 'request' }]))
    expect(asked.book.current.open.get('s1')?.size).toBe(1)
    await asked.session.close()
    expect(asked.questions()).toMatchObject([{ state: 'lost' }])
    expect(asked.book.current.open.get('s1')?.size).toBe(0)
  })

  test('TEXT-07: a task’s questions are those of the call that became it, however often they are asked', async () => {
    const { trace, session, questions } = await connect(eras('tasks'), ANSWERS, { ...CAPABILITIES, ...EXTENSIONS })
    const follower = new TaskFollower(session, new Projection(trace, tasksFold), ANSWERS)
    await session.request('tools/call', { name: 'asks', arguments: {} })
    await eventually(() => expect(questions()).toMatchObject([{ state: 'answered' }]))
    follower.stop()
    const [question] = questions()
    expect(question).toMatchObject({
      route: 'task',
      method: 'elicitation/create',
      call: seqOf(trace, 'tools/call')[0],
      answered: { seq: seqOf(trace, 'tasks/update')[0], result: { action: 'accept', content: { name: 'Ann' } } },
    })
    expect(question!.task).toMatch(/^task-asks/)
  })

  test('TASK-07: what the reference server asks within a task belongs to the call that became the task', async () => {
    const capabilities = { elicitation: {} }
    const { trace, session, questions } = await connect(at(inject('everythingUrl')), ANSWERS, capabilities)
    const follower = new TaskFollower(session, new Projection(trace, tasksFold), ANSWERS)
    const params = { name: 'simulate-research-query', arguments: { topic: 'python', ambiguous: true }, task: {} }
    await session.request('tools/call', params)
    await eventually(() => expect(questions()).toMatchObject([{ state: 'answered' }]))
    follower.stop()
    expect(questions()[0]).toMatchObject({ route: 'request', call: seqOf(trace, 'tools/call')[0] })
  })
})

/** Frames as a session writes them. */
const script = (drafts: readonly FrameDraft[]): Frame[] => {
  let now = 0
  const trace = new Trace({ now: () => now })
  for (const draft of drafts) {
    now += 10
    trace.append(draft)
  }
  return [...trace]
}
const said = (direction: 'sent' | 'received', message: unknown, more: object = {}): FrameDraft =>
  ({ kind: 'message', direction, type: 'request', message, size: 1, link: 'a', ...more }) as FrameDraft
const ask = (id: number | string, method = 'roots/list', params: JsonObject = {}, more: object = {}) =>
  said('received', { jsonrpc: '2.0', id, method, params }, more)
const call = (id: number, method = 'tools/call', more: object = {}) =>
  said('sent', { jsonrpc: '2.0', id, method, params: { name: 'x' } }, more)
const answer = (id: number | string, rest: JsonObject = { result: {} }) => said('sent', { jsonrpc: '2.0', id, ...rest })
const fold = (drafts: readonly FrameDraft[]): ServerRequestLog => foldAll(serverRequestsFold, script(drafts))
const all = (drafts: readonly FrameDraft[]) => [...fold(drafts).all.values()]
const opened = (era: Peer['era']): FrameDraft => ({
  kind: 'session',
  phase: 'open',
  transport: 'test',
  link: 'a',
  peer: { era, revision: era === 'stateless' ? '2026-07-28' : '2025-11-25', info: {}, capabilities: {}, evidence: [] },
})

describe('a request of the server', () => {
  test('without a stream of its own belongs to the only call that can have caused it, or to none', () => {
    expect(all([call(1), call(2, 'ping'), ask('q')])).toMatchObject([{ call: 0 }])
    expect(all([call(1), call(2), ask('q')])[0]).not.toHaveProperty('call')
    expect(all([call(1, 'tools/list'), ask('q')])[0]).not.toHaveProperty('call')
    expect(all([call(1), said('received', { id: 1, result: {} }), ask('q')])[0]).not.toHaveProperty('call')
  })

  test('without a stream of its own is offered by all calls that may have caused it, until only one of them is left', () => {
    const two = [call(1), call(2, 'ping'), call(3, 'prompts/get'), ask('q')]
    const open = fold(two)
    expect([...open.all.values()]).toMatchObject([{ candidates: [0, 2] }])
    expect([...open.all.values()][0]).not.toHaveProperty('call')
    const question = open.all.get('3')!
    for (const seq of [0, 2]) expect(requestsOfCalls(open, [seq])).toEqual([question])
    expect(requestsOfCalls(open, [0, 2])).toEqual([question])
    // Both wait for the user, and neither timer runs.
    expect(heldFor(requestsOfCalls(open, [2]), 100)).toBe(60)

    const ended = fold([...two, said('received', { id: 1, result: {} })])
    expect(ended.all.get('3')).toMatchObject({ call: 2, state: 'open' })
    expect(ended.all.get('3')).not.toHaveProperty('candidates')
    expect(requestsOfCalls(ended, [0])).toEqual([])
    expect(requestsOfCalls(ended, [2])).toEqual([ended.all.get('3')])
    const gaveUp: FrameDraft = {
      kind: 'session',
      phase: 'gave-up',
      request: 2,
      why: 'timeout',
      explanation: 'x',
      link: 'a',
    }
    expect(fold([...two, gaveUp]).all.get('3')).toMatchObject({ call: 0, state: 'open' })
    // The answered request stays with all of them, because it can't be attributed to one.
    const answered = fold([...two, answer('q'), said('received', { id: 1, result: {} })])
    expect(answered.all.get('3')).toMatchObject({ candidates: [0, 2], state: 'answered' })
  })

  test('on the stream of one of several calls belongs to that call, when the stream was cut and carried on too', () => {
    const http = (origin?: number): FrameDraft =>
      ({ kind: 'http', phase: 'request', method: 'POST', url: 'x', headers: [], size: 0, purpose: 'message', link: 'a', ...(origin === undefined ? {} : { origin }) }) // prettier-ignore
    const frames = [http(), call(1, 'tools/call', { carrier: 0 }), http(), call(2, 'tools/call', { carrier: 2 })]
    expect(all([...frames, ask('q', 'roots/list', {}, { carrier: 0 })])).toMatchObject([{ call: 1 }])
    expect(all([...frames, http(2), ask('q', 'roots/list', {}, { carrier: 4 })])).toMatchObject([{ call: 3 }])
  })

  test('UT-CANC-07, CF-SAMP-12: is taken back, refused or answered, and an answer that comes later changes nothing', () => {
    const cancelled = said('received', {
      method: 'notifications/cancelled',
      params: { requestId: 'q', reason: 'never mind' },
    })
    expect(all([ask('q'), cancelled, answer('q')])).toMatchObject([{ state: 'withdrawn', explanation: 'never mind' }])
    const refused = answer('q', { error: { code: -1, message: 'No' } })
    expect(all([ask('q'), refused])).toMatchObject([{ state: 'refused', answered: { error: { code: -1 } } }])
    expect(all([ask('q'), answer('q', { result: { a: 1 } }), answer('q')])).toMatchObject([
      { state: 'answered', answered: { seq: 1, result: { a: 1 } } },
    ])
  })

  test('with an id that is in use twice at once is a question of its own, and ping is none', () => {
    const batch = said('received', [
      { id: 'q', method: 'roots/list' },
      { id: 'q', method: 'roots/list' },
      { id: 'p', method: 'ping' },
    ])
    expect(all([batch, answer('q', { result: { n: 1 } })])).toMatchObject([
      { id: '0', state: 'answered' },
      { id: '0-1', state: 'open' },
    ])
  })

  test('BP-12: in the stateless era gets no answer, and is never open', () => {
    expect(all([opened('stateless'), ask('q')])).toMatchObject([{ state: 'lost' }])
  })

  test('the time in which its call stood still is counted once, however many were open', () => {
    const questions = all([ask(1), ask(2), answer(1), answer(2), ask(3)])
    expect(heldFor(questions, 100)).toBe(30 + 50)
    expect(heldFor(questions.slice(0, 2), 100)).toBe(30)
  })
})

describe('whatever a server does', () => {
  test('what the trace let go is let go here, but for what is still asked', () => {
    const released: FrameDraft = { kind: 'session', phase: 'released', link: 'a', until: 9, size: 1 }
    const frames = [ask('a', 'x', { big: 1 }), ask('b', 'x', { big: 1 }), answer('a', { result: { big: 1 } }), released]
    expect(all(frames)).toMatchObject([
      { params: {}, released: true, answered: { result: {} } },
      { params: { big: 1 } },
    ])
  })

  test('the oldest go when there are too many', () => {
    const state = fold(Array.from({ length: REQUESTS_KEPT + 5 }, (_, id) => ask(id)))
    expect(state.all.size).toBe(REQUESTS_KEPT)
    expect(state.open.get('a')!.size).toBe(REQUESTS_KEPT)
    expect(state.all.has('4')).toBe(false)
  })

  test('what may belong to many calls is listed with a hundred of them, and leaves no trace once it went', () => {
    const calls = Array.from({ length: 150 }, (_, id) => call(id))
    const state = fold([...calls, ...Array.from({ length: REQUESTS_KEPT + 1 }, (_, id) => ask(`q${id}`))])
    expect(state.byCall.size).toBe(100)
    expect(state.byCall.get(0)?.size).toBe(REQUESTS_KEPT)
    expect(state.byCall.get(0)?.has('150')).toBe(false)
  })

  const anything = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>('t', 1, 2, 'q'))
  const shape = fc.record(
    {
      id: fc.oneof(fc.constantFrom<unknown>(1, 2, 'q'), fc.jsonValue({ maxDepth: 1 })),
      method: fc.constantFrom<unknown>(
        'tools/call',
        'tasks/get',
        'tasks/update',
        'roots/list',
        'notifications/cancelled',
        'notifications/tasks',
        7,
      ),
      params: fc.oneof(
        fc.record(
          {
            taskId: anything,
            requestId: anything,
            status: fc.constantFrom<unknown>('input_required', 'working', 3),
            inputRequests: fc.oneof(
              anything,
              fc.dictionary(fc.string(), fc.oneof(anything, fc.record({ method: fc.constant('roots/list') }))),
            ),
            inputResponses: fc.oneof(anything, fc.dictionary(fc.string(), anything)),
            _meta: anything,
          },
          { requiredKeys: [] },
        ),
        anything,
      ),
      result: fc.record(
        {
          resultType: fc.constantFrom<unknown>('input_required', 'task', null),
          taskId: anything,
          status: fc.constantFrom<unknown>('input_required', 'completed'),
          inputRequests: fc.oneof(
            anything,
            fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'x'.repeat(100)), anything),
          ),
        },
        { requiredKeys: [] },
      ),
      error: anything,
    },
    { requiredKeys: [] },
  )
  const frame = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(fc.constantFrom('sent' as const, 'received' as const), fc.oneof(shape, fc.array(shape), anything), fc.option(fc.nat(20), { nil: undefined }), fc.option(fc.nat(20), { nil: undefined })).map(([direction, message, follows, carrier]) => said(direction, message, { ...(follows === undefined ? {} : { follows }), ...(carrier === undefined ? {} : { carrier }) })) }, // prettier-ignore
    fc.constantFrom<FrameDraft>(
      opened('handshake'),
      opened('stateless'),
      { kind: 'session', phase: 'closed', why: 'x', link: 'a' },
      { kind: 'session', phase: 'gave-up', request: 1, why: 'timeout', explanation: 'x', link: 'a' },
      { kind: 'session', phase: 'released', until: 3, size: 1, link: 'a' },
    ),
  )

  test('nothing throws, a prefix and the rest give the same as all, and what is open is named as open', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 25 }), fc.nat(25), (drafts, cut) => {
        const frames = script(drafts)
        const whole = foldAll(serverRequestsFold, frames)
        const prefix = foldAll(serverRequestsFold, frames.slice(0, cut))
        expect(foldAll(serverRequestsFold, frames.slice(cut), prefix)).toEqual(whole)
        const open = [...whole.all.values()].filter(({ state }) => state === 'open').map(({ id }) => id)
        expect([...whole.open.values()].flatMap((ids) => [...ids]).sort()).toEqual(open.sort())
        for (const question of whole.all.values()) {
          expect(question.answered !== undefined).toBe(question.state === 'answered' || question.state === 'refused')
          expect(question.id.length).toBeLessThan(600)
        }
      }),
      { numRuns: 500 },
    )
  })
})

test('over a connection without streams the official questions find their call too', async () => {
  let say!: (message: JsonObject) => void
  const transport = new LoopbackTransport({
    connect: (reply) => {
      say = (message) => reply(JSON.stringify({ jsonrpc: '2.0', ...message }))
      return {
        receive: (text) => {
          const { id, method } = JSON.parse(text) as { id: number; method: string }
          const serverInfo = { name: 'x', version: '1' }
          if (method === 'initialize')
            say({ id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } })
          if (method === 'tools/call') say({ id: 'q', method: 'roots/list' })
        },
        close: () => {},
      }
    },
  })
  const { trace, session, questions } = await connect(transport)
  session.call('tools/call', { name: 'x' })
  await eventually(() =>
    expect(questions()).toMatchObject([{ call: seqOf(trace, 'tools/call')[0], state: 'answered' }]),
  )
})
