import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { eventually } from '../../../tests/patience.ts'
import { start as startEras, type ErasPeer } from '../../../tests/servers/eras/index.ts'
import { Projection, ProtocolError, Session, StreamableHttpTransport, Trace } from '../../mcp/index.ts'
import type { JsonObject, MessageFrame, Peer } from '../../mcp/index.ts'
import type { ServerView, Answering, ServerRequestModule } from '../feature.ts'
import type { ServerRequest } from '../server-request.ts'
import { PendingRequests } from './pending-requests.ts'
import { serverRequestsFold } from './server-requests-fold.ts'
import { TaskFollower, type TaskSession } from '../tasks/follow.ts'
import { tasksFold } from '../tasks/tasks-fold.ts'

const NAMED = { action: 'accept', content: { name: 'Ann' } }

let eras: ErasPeer
const ends: (() => unknown)[] = []
beforeEach(async () => void (eras = await startEras()))
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
  await eras.close()
})

const answeringBy = (auto?: Answering['auto']): Answering => ({
  view: () => new Promise<ServerRequestModule>(() => {}),
  gist: () => 'asks',
  ...(auto ? { auto } : {}),
})

/** A server and its pending requests. */
const connect = async (url: string, auto?: Answering['auto']) => {
  const trace = new Trace()
  const book = new Projection(trace, serverRequestsFold)
  const pending: PendingRequests = new PendingRequests({
    trace,
    log: book,
    answering: { 'elicitation/create': answeringBy(auto), 'sampling/createMessage': answeringBy() },
    servers: () => [server],
  })
  // No other member of the server is used.
  const server = { link: 's1', name: 'one', pendingRequests: pending } as unknown as ServerView
  const answers = pending.answersFor(server)
  const session = new Session({
    trace,
    link: 's1',
    transport: new StreamableHttpTransport({ url }),
    clientInfo: { name: 'test', version: '1' },
    capabilities: () => ({ elicitation: {}, sampling: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } }),
    answers,
  })
  await session.open()
  ends.push(() => session.close())
  const questions = () => [...book.current.all.values()]
  const waiting = () => [...pending.current.values()]
  /** The only pending request; the fold and the pending requests use the same id. */
  const asked = async (): Promise<ServerRequest> => {
    await eventually(() => expect(waiting()).toHaveLength(1))
    const [question] = questions().filter(({ state }) => state === 'open')
    expect(waiting()[0]!.id).toBe(question!.id)
    return question!
  }
  const sent = () =>
    [...trace].filter((frame): frame is MessageFrame => frame.kind === 'message' && frame.direction === 'sent')
  const responses = () => sent().flatMap(({ message }) => ('method' in (message as JsonObject) ? [] : [message]))
  return { trace, session, pending, answers, asked, waiting, questions, responses, sent }
}
type Place = Awaited<ReturnType<typeof connect>>

const text = (result: JsonObject) => (result.content as unknown as { text: string }[])[0]!.text
const asRequest = () => `${inject('versedUrl')}/v1/2025-11-25/${crypto.randomUUID()}`
const asRound = () => `${inject('versedUrl')}/v2/${crypto.randomUUID()}`
const askUser = ({ session }: Place) => session.call('tools/call', { name: 'ask-user', arguments: {} })

describe.each([
  ['a request (2025-11-25)', asRequest],
  ['a result (2026-07-28)', asRound],
])('a question that came by %s', (_, url) => {
  test('waits for its user, is answered once, and is over for whoever answers again or later', async () => {
    const place = await connect(url())
    const told = vi.fn()
    place.pending.subscribe(told)
    const call = askUser(place)
    const { id } = await place.asked()
    expect(place.waiting()).toMatchObject([{ link: 's1', by: 'user' }])
    expect(place.pending.answer(id, NAMED)).toBe(true)
    expect(place.pending.answer(id, { action: 'cancel' })).toBe(false)
    expect(place.pending.refuse(id, { code: -1, message: 'late' })).toBe(false)
    expect(text(await call.result)).toContain('Ann')
    expect(place.questions()).toMatchObject([{ id, state: 'answered', answered: { result: NAMED } }])
    expect(place.waiting()).toEqual([])
    expect(told).toHaveBeenCalledTimes(2)
  })

  test('is answered as its user allowed beforehand, without waiting for them', async () => {
    const auto = vi.fn(() => Promise.resolve(NAMED))
    const place = await connect(url(), auto)
    expect(text(await askUser(place).result)).toContain('Ann')
    expect(auto).toHaveBeenCalledOnce()
    expect(auto.mock.calls[0]).toMatchObject([{ method: 'elicitation/create', state: 'open' }, { name: 'one' }, {}])
  })

  test('is left to its user where no rule answers, or the rule fails; and says why', async () => {
    for (const [auto, problem] of [
      [() => undefined, undefined],
      [() => Promise.resolve(undefined), undefined],
      [() => Promise.reject(new Error('The model is away')), 'The model is away'],
    ] as const) {
      const place = await connect(url(), auto)
      const call = askUser(place)
      const { id } = await place.asked()
      await eventually(() =>
        expect(place.waiting()).toEqual([{ id, link: 's1', by: 'user', ...(problem ? { problem } : {}) }]),
      )
      place.pending.answer(id, NAMED)
      expect(text(await call.result)).toContain('Ann')
    }
  })

  test('may be answered by its user while a rule is still at it, which is told to stop', async () => {
    let signal: AbortSignal | undefined
    const place = await connect(url(), (_question, _server, given) => ((signal = given), new Promise(() => {})))
    const call = askUser(place)
    const { id } = await place.asked()
    expect(place.waiting()).toMatchObject([{ by: 'rule' }])
    place.pending.answer(id, NAMED)
    await call.result
    expect(signal?.aborted).toBe(true)
  })

  test('is nobody’s any more when the session ends, and no answer goes out after that', async () => {
    const place = await connect(url())
    askUser(place)
    const { id } = await place.asked()
    await place.session.close()
    expect(place.waiting()).toEqual([])
    expect(place.pending.answer(id, NAMED)).toBe(false)
    expect(place.responses()).toEqual([])
  })

  test('is waited for as long as its user takes, though the call has a limit', async () => {
    const place = await connect(url())
    const call = place.session.call('tools/call', { name: 'ask-user', arguments: {} }, { idle: 3000, total: 3000 })
    const { id } = await place.asked()
    await new Promise((resolve) => setTimeout(resolve, 3500))
    place.pending.answer(id, NAMED)
    expect(text(await call.result)).toContain('Ann')
  })
})

describe('to refuse', () => {
  test('CF-SAMP-12: a request is to send an error', async () => {
    const place = await connect(asRequest())
    const call = place.session.call('tools/call', { name: 'ask-model', arguments: {} })
    const { id } = await place.asked()
    place.pending.refuse(id, { code: -1, message: 'User rejected', data: { why: 'no' } })
    await call.result.catch(() => {})
    expect(place.responses()).toMatchObject([{ error: { code: -1, message: 'User rejected', data: { why: 'no' } } }])
    expect(place.questions()).toMatchObject([{ state: 'refused' }])
  })

  test('CF-SAMP-13, MRTR-10: a question of a round is to abandon the call: nothing is sent, its other questions are void', async () => {
    const place = await connect(`${eras.url}/input-required-undeclared/x`)
    const call = place.session.call('tools/call', { name: 't' })
    await eventually(() => expect(place.waiting()).toHaveLength(2))
    const before = place.sent().length
    place.pending.refuse(place.waiting()[0]!.id, { code: -1, message: 'Not this' })
    await expect(call.result).rejects.toMatchObject({ code: 'unanswered' })
    await eventually(() => expect(place.waiting()).toEqual([]))
    expect(place.sent()).toHaveLength(before)
    expect(place.questions().map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn'])
  })

  test('a rule may do it, too', async () => {
    const place = await connect(asRequest(), () => Promise.reject(new ProtocolError(-32602, 'No such mode')))
    await askUser(place).result.catch(() => {})
    expect(place.responses()).toMatchObject([{ error: { code: -32602, message: 'No such mode' } }])
  })
})

test('BP-13: what nothing answers is refused with -32601, and waits for nobody', async () => {
  const place = await connect(asRequest())
  await place.session.call('tools/call', { name: 'ask-roots', arguments: {} }).result.catch(() => {})
  expect(place.responses()).toMatchObject([{ error: { code: -32601 } }])
  expect(place.questions()).toMatchObject([{ method: 'roots/list', state: 'refused' }])
  expect(place.pending.answering('constructor')).toBeUndefined()
})

test('TEXT-07: a question within a task waits in the same place, under the same name, and is answered there', async () => {
  const place = await connect(`${eras.url}/tasks/desk`)
  const books = new Projection(place.trace, tasksFold)
  const follower = new TaskFollower(place.session, books, place.answers)
  ends.push(() => follower.stop())
  await place.session.request('tools/call', { name: 'asks', arguments: {} })
  const { id, route } = await place.asked()
  expect(route).toBe('task')
  place.pending.answer(id, NAMED)
  expect(place.pending.answer(id, NAMED)).toBe(false)
  const task = () => [...books.current.get('s1')!.tasks.values()][0]!
  await eventually(() => expect(task().state).toBe('completed'))
  expect(place.sent().filter(({ message }) => (message as JsonObject).method === 'tasks/update')).toHaveLength(1)
})

test('TEXT-07: what the server does not take is asked again, of its user and not of a rule', async () => {
  const trace = new Trace()
  const questions = new Projection(trace, serverRequestsFold)
  const books = new Projection(trace, tasksFold)
  const auto = vi.fn(() => NAMED)
  const answering = { 'elicitation/create': answeringBy(auto) }
  const pending = new PendingRequests({ trace, log: questions, answering, servers: () => [] })
  const write = (direction: 'sent' | 'received', message: JsonObject) =>
    trace.append({ kind: 'message', direction, type: 'request', message, size: 1, link: 's1' })
  const peer: Peer = { era: 'stateless', revision: '2026-07-28', info: {}, capabilities: {}, evidence: [] }
  const task = {
    taskId: 't',
    status: 'input_required',
    createdAt: '',
    lastUpdatedAt: '',
    ttlMs: null,
    pollIntervalMs: 5,
  }
  const inputRequests = { name: { method: 'elicitation/create', params: { message: 'Who?' } } }
  let id = 0
  let updates = 0
  /** A server that accepts the second response. */
  const asker: TaskSession = {
    trace,
    link: 's1',
    peer,
    call: (method, params) => {
      const { seq } = write('sent', { id: ++id, method, params: params ?? {} })
      const refused = method === 'tasks/update' && ++updates === 1
      const error = { code: -32602, message: 'Not that' }
      write(
        'received',
        refused ? { id, error } : { id, result: method === 'tasks/get' ? { ...task, inputRequests } : {} },
      )
      return { seq, result: refused ? Promise.reject(new ProtocolError(-32602, 'Not that')) : Promise.resolve({}) }
    },
    listen: () => {
      throw new Error('Nothing is told')
    },
  }
  trace.append({ kind: 'session', phase: 'open', peer, transport: 'test', link: 's1' })
  const follower = new TaskFollower(asker, books, pending.answersFor({ link: 's1' } as unknown as ServerView))
  ends.push(() => follower.stop())
  follower.follow('t', true)
  await follower.look('t')
  await eventually(() => expect([...pending.current.values()]).toMatchObject([{ by: 'user' }]))
  expect(auto).toHaveBeenCalledOnce()
  const [question] = questions.current.all.values()
  expect(question).toMatchObject({ state: 'open', notTaken: { message: 'Not that' } })
  pending.answer(question!.id, { action: 'decline' })
  await eventually(() => expect(questions.current.all.get(question!.id)).toMatchObject({ state: 'answered' }))
  expect(updates).toBe(2)
})
