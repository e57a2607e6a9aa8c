import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { eventually } from '../../../tests/patience.ts'
import { Projection, Session, StreamableHttpTransport, Trace } from '../../mcp/index.ts'
import type { Answers, Json, JsonObject, Peer, Subscription } from '../../mcp/index.ts'
import { start as startEras, type ErasPeer } from '../../../tests/servers/eras/index.ts'
import { outcomeIn, type Task } from './task.ts'
import { tasksFold } from './tasks-fold.ts'
import { FLOOR, keepTasks, TaskFollower, USUAL, type TaskSession } from './follow.ts'
import { tasks } from './index.ts'

describe('with real servers', () => {
  let eras: ErasPeer
  const ends: (() => Promise<void>)[] = []
  beforeEach(async () => void (eras = await startEras()))
  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end()))
    await eras.close()
  })

  const connect = async (url: string, answers: Answers = {}, capabilities: JsonObject = {}) => {
    const trace = new Trace()
    const session = new Session({
      trace,
      link: 's1',
      transport: new StreamableHttpTransport({ url }),
      clientInfo: { name: 'test', version: '1' },
      capabilities: (revision) => ({ ...tasks.declares!(revision), ...capabilities }),
      answers,
    })
    const books = new Projection(trace, tasksFold)
    await session.open()
    const follower = new TaskFollower(session, books, answers)
    ends.push(async () => {
      await session.close()
      books.close()
    })
    const sent = (method: string) =>
      [...trace].flatMap((frame) =>
        frame.kind === 'message' && frame.direction === 'sent' && (frame.message as JsonObject).method === method
          ? [frame]
          : [],
      )
    const task = (): Task => [...books.current.get('s1')!.tasks.values()].at(-1)!
    const text = (): Json | undefined => {
      const content = outcomeIn(trace, task())?.result?.content as readonly JsonObject[] | undefined
      return content?.[0]?.text
    }
    return { trace, session, books, follower, sent, task, text }
  }

  test('TEXT-06: a task that goes on is followed again after a reload, and forgotten once it is over', async () => {
    const url = `${eras.url}/tasks/kept`
    const values = new Map<string, unknown>()
    const kept = {
      get: (name: string) => values.get(name),
      set: (name: string, value: Json) => void values.set(name, value),
    }
    const first = await connect(url)
    keepTasks(kept, 's1', first.books, first.follower)
    await first.session.request('tools/call', { name: 'endless', arguments: {} })
    const { id } = first.task()
    await eventually(() => expect(kept.get('tasks')).toEqual([id]))
    await first.session.close()

    const second = await connect(url)
    keepTasks(kept, 's1', second.books, second.follower)
    await eventually(() => expect(second.task()).toMatchObject({ id, state: 'working' }))
    await second.follower.cancel(id)
    await eventually(() => expect(kept.get('tasks')).toEqual([]))
  })

  test('TASK-04, TASK-08: the reference server’s research runs as a task, and its result is fetched once when it is over', async () => {
    const { session, sent, task, text } = await connect(inject('everythingUrl'))
    const params = { name: 'simulate-research-query', arguments: { topic: 'owls' }, task: { ttl: 60_000 } }
    await session.request('tools/call', params)
    expect(task()).toMatchObject({ form: 'core', state: 'working', interval: 1000, call: { tool: params.name } })
    await eventually(() => expect(text()).toMatch(/Research Report: owls/))
    expect(task()).toMatchObject({ state: 'completed', findings: [] })
    expect(sent('tasks/result')).toHaveLength(1)
    // The end of that exchange may still be on its way, but nothing more is asked.
    const looks = sent('tasks/get').length
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect([sent('tasks/get').length, sent('tasks/result').length]).toEqual([looks, 1])
  })

  test('TASK-05: at 2025-11-25 a task is polled as its changing interval says, no faster than the floor, until it is over', async () => {
    const { session, sent, task, text } = await connect(`${eras.url}/tasks-2025/slow`)
    await session.request('tools/call', { name: 'slow', task: { ttl: 9000 } })
    await eventually(() => expect(text()).toBe('slow is done'))
    const looks = sent('tasks/get')
    expect(looks).toHaveLength(3)
    for (const [at, look] of looks.entries()) if (at > 0) expect(look.at - looks[at - 1]!.at).toBeGreaterThan(FLOOR - 5)
    expect(task()).toMatchObject({ form: 'core', state: 'completed', ttl: 9000, findings: [] })
  })

  test('TASK-08, TASK-10: at 2025-11-25 a tool’s own failure fails the task, and tasks/result gives what the call would have', async () => {
    const { session, task, trace } = await connect(`${eras.url}/tasks-2025/ends`)
    await session.request('tools/call', { name: 'is-error', task: {} })
    await eventually(() => expect(outcomeIn(trace, task())?.result?.isError).toBe(true))
    expect(task()).toMatchObject({ state: 'failed', findings: [] })
    await session.request('tools/call', { name: 'fails', task: {} })
    await eventually(() => expect(outcomeIn(trace, task())?.error?.message).toBe('No database'))
    expect(task()).toMatchObject({ state: 'failed', findings: [] })
  })

  test('TASK-06: where a task asks, its result is waited for at once, and what is asked meanwhile is answered as ever', async () => {
    const asked: JsonObject[] = []
    const answers: Answers = {
      'elicitation/create': (params) => {
        asked.push(params)
        return { action: 'accept', content: { interpretation: 'snake' } }
      },
    }
    const { session, sent, task, text } = await connect(inject('everythingUrl'), answers, { elicitation: {} })
    const params = { name: 'simulate-research-query', arguments: { topic: 'python', ambiguous: true }, task: {} }
    await session.request('tools/call', params)
    await eventually(() => expect(text()).toMatch(/snake/))
    expect(asked).toHaveLength(1)
    expect(sent('tasks/result')).toHaveLength(1)
    expect(task().history.map(({ state }) => state)).toContain('input_required')
    expect(task()).toMatchObject({ state: 'completed', findings: [] })
  })

  test('TASK-11, TASK-12: a cancelled task is cancelled at once; a list brings the tasks of others, page by page', async () => {
    const { session, task, follower, books } = await connect(`${eras.url}/tasks-2025/list`)
    for (let at = 0; at < 3; at++) await session.request('tools/call', { name: 'endless', task: {} })
    await follower.cancel(task().id)
    expect(task()).toMatchObject({ state: 'cancelled', via: 'cancel', findings: [] })
    await follower.list()
    const book = books.current.get('s1')!
    expect(book.list).toMatchObject({ state: 'ready', count: 2, nextCursor: '2' })
    await follower.list(book.list?.nextCursor)
    expect(book.list).toMatchObject({ state: 'ready', count: 1 })
  })

  test('TEXT-02, TEXT-05: a task of the extension is polled as its changing interval says, no faster than the floor, and ends', async () => {
    const { session, sent, task, text } = await connect(`${eras.url}/tasks/slow`)
    const result = await session.request('tools/call', { name: 'slow', arguments: {} })
    expect(result.resultType).toBe('task')
    await eventually(() => expect(text()).toBe('slow is done'))
    const looks = sent('tasks/get')
    for (const [at, look] of looks.entries()) if (at > 0) expect(look.at - looks[at - 1]!.at).toBeGreaterThan(FLOOR - 5)
    expect(task()).toMatchObject({ form: 'extension', state: 'completed', looks: 4, findings: [] })
    expect(sent('tasks/result')).toHaveLength(0)
  })

  test('TEXT-10: a tool’s own failure completes the task; an error of the protocol fails it', async () => {
    const { session, task, trace } = await connect(`${eras.url}/tasks/ends`)
    await session.request('tools/call', { name: 'is-error', arguments: {} })
    await eventually(() => expect(task().state).toBe('completed'))
    expect(outcomeIn(trace, task())?.result?.isError).toBe(true)
    await session.request('tools/call', { name: 'fails', arguments: {} })
    await eventually(() => expect(task().state).toBe('failed'))
    expect(outcomeIn(trace, task())?.error).toEqual({ code: -32603, message: 'No database' })
  })

  test('TEXT-07, TEXT-08: two questions are two, whatever the number of polls; each is answered once by hand, in any order', async () => {
    const { session, sent, task, text, follower } = await connect(`${eras.url}/tasks/asks`)
    await session.request('tools/call', { name: 'asks-two', arguments: {} })
    await eventually(() => expect(task().looks).toBeGreaterThan(2))
    expect([...task().inputRequests.values()].map(({ key, state, method }) => [key, state, method])).toEqual([
      ['name', 'open', 'elicitation/create'],
      ['colour', 'open', 'elicitation/create'],
    ])
    await follower.answer(task().id, 'colour', { action: 'accept', content: { colour: 'blue' } })
    expect(task().inputRequests.get('colour')!.state).toBe('answered')
    expect(task().inputRequests.get('name')!.state).toBe('open')
    await follower.answer(task().id, 'name', { action: 'decline' })
    await eventually(() => expect(text()).toMatch(/blue/))
    expect(sent('tasks/update')).toHaveLength(2)
    expect([...task().inputRequests.values()].map(({ state }) => state)).toEqual(['answered', 'answered'])
  })

  test('TEXT-09: a handler that answers such questions elsewhere answers them here, once', async () => {
    const asked: string[] = []
    const answers: Answers = {
      'elicitation/create': (params, _, { key }) => {
        asked.push(`${key}: ${params.message as string}`)
        return { action: 'accept', content: { name: 'Ada' } }
      },
    }
    const { session, text } = await connect(`${eras.url}/tasks/handled`, answers)
    await session.request('tools/call', { name: 'asks', arguments: {} })
    await eventually(() => expect(text()).toMatch(/Ada/))
    expect(asked).toEqual(['name: Who are you?'])
  })

  test('TEXT-11: a cancellation is asked for with tasks/cancel alone, and the state is the server’s', async () => {
    const { session, sent, task, follower, text } = await connect(`${eras.url}/tasks/cancel`)
    await session.request('tools/call', { name: 'endless', arguments: {} })
    await eventually(() => expect(task().looks).toBeGreaterThan(0))
    await follower.cancel(task().id)
    expect(task()).toMatchObject({ cancel: { state: 'accepted' } })
    await eventually(() => expect(task().state).toBe('cancelled'))
    await session.request('tools/call', { name: 'stubborn', arguments: {} })
    await follower.cancel(task().id)
    await eventually(() => expect(text()).toBe('done all the same'))
    expect(sent('notifications/cancelled')).toEqual([])
  })

  test('TEXT-15: a task that the server forgot is no longer asked for', async () => {
    const { session, sent, task } = await connect(`${eras.url}/tasks/expires`)
    await session.request('tools/call', { name: 'expires', arguments: {} })
    await eventually(() => expect(task().gone).toBeDefined())
    const { length } = sent('tasks/get')
    await new Promise((resolve) => setTimeout(resolve, 3 * FLOOR))
    expect(sent('tasks/get')).toHaveLength(length)
  })

  test('TEXT-13: a server that pushes is listened to, and polled far less', async () => {
    const { session, sent, task, follower, text } = await connect(`${eras.url}/tasks/push`)
    await session.request('tools/call', { name: 'slow', arguments: {} })
    const named = () =>
      sent('subscriptions/listen').map(({ message }) => (message as { params: { notifications: JsonObject } }).params)
    await eventually(() => expect(named().at(-1)?.notifications).toEqual({ taskIds: [task().id] }))
    await eventually(() => expect(session.subscriptions.at(-1)?.state).toBe('granted'))
    await session.request('tools/call', { name: 'push', arguments: {} })
    await eventually(() => expect(follower.isPushed(task())).toBe(true))
    const { length } = sent('tasks/get')
    await new Promise((resolve) => setTimeout(resolve, 3 * FLOOR))
    for (let time = 0; time < 3; time++) await session.request('tools/call', { name: 'push', arguments: {} })
    await eventually(() => expect(task()).toMatchObject({ state: 'completed', via: 'push' }))
    expect(text()).toBe('slow is done')
    expect(sent('tasks/get').length - length).toBeLessThanOrEqual(1)
  })

  test.each([
    ['tasks-type-task', 'type-task'],
    ['tasks-unknown-status', 'unknown-state'],
    ['tasks-no-result', 'no-result'],
    ['tasks-no-questions', 'no-questions'],
    ['tasks-old-names', 'old-name'],
    ['tasks-odd-intervals', 'odd-interval'],
  ])('%s is told as %s, and nothing stops', async (kind, code) => {
    const { session, task } = await connect(`${eras.url}/${kind}/x`)
    await session.request('tools/call', { name: 't', arguments: {} })
    await eventually(() => expect(task().findings.map((finding) => finding.code)).toContain(code))
    expect(session.state).toBe('open')
  })

  test('a task that comes back to life stays what it was, and that is told', async () => {
    const { session, task, follower, text } = await connect(`${eras.url}/tasks-revived/x`)
    await session.request('tools/call', { name: 't', arguments: {} })
    await eventually(() => expect(task().state).toBe('completed'))
    await follower.look(task().id)
    expect(task().state).toBe('completed')
    expect(task().findings).toMatchObject([{ code: 'revived', rule: 'TEXT-10', found: '"completed → working"' }])
    expect(text()).toBe('done 1')
  })

  test('a lost connection pauses the looks; the next session carries on', async () => {
    const url = `${eras.url}/tasks/pause`
    const { trace, session, books, sent, task } = await connect(url)
    await session.request('tools/call', { name: 'endless', arguments: {} })
    await eventually(() => expect(task().looks).toBeGreaterThan(0))
    await session.close()
    const { length } = sent('tasks/get')
    await new Promise((resolve) => setTimeout(resolve, 3 * FLOOR))
    expect(sent('tasks/get')).toHaveLength(length)
    const again = new Session({
      trace,
      link: 's1',
      transport: new StreamableHttpTransport({ url }),
      clientInfo: { name: 'test', version: '1' },
      capabilities: (revision) => tasks.declares!(revision),
    })
    await again.open()
    const follower = new TaskFollower(again, books)
    ends.push(() => again.close())
    await eventually(() => expect(sent('tasks/get').length).toBeGreaterThan(length))
    follower.stop()
  })
})

describe('by the clock alone', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const peer: Peer = { era: 'handshake', revision: '2025-11-25', info: {}, capabilities: { tasks: {} }, evidence: [] }

  /** A session that responds on demand; `answer` returns the result of `tasks/get`. */
  const fake = (answer: (id: string) => JsonObject | undefined) => {
    const trace = new Trace({ now: () => Date.now() })
    const books = new Projection(trace, tasksFold)
    const gets: { id: string; at: number }[] = []
    let id = 0
    let open = 0
    let most = 0
    const message = (direction: 'sent' | 'received', content: JsonObject) =>
      trace.append({ kind: 'message', direction, type: 'request', message: content, size: 1, link: 's1' }).seq
    const exchange = (method: string, params: JsonObject, result: JsonObject) => {
      message('sent', { jsonrpc: '2.0', id: ++id, method, params })
      message('received', { jsonrpc: '2.0', id, result })
    }
    trace.append({ kind: 'session', phase: 'open', peer, transport: 'test', link: 's1' })
    const asker: TaskSession = {
      trace,
      link: 's1',
      peer,
      listen: (): Subscription => {
        throw new Error('no subscriptions')
      },
      call: (method, params = {}) => {
        const mine = ++id
        const seq = message('sent', { jsonrpc: '2.0', id: mine, method, params })
        const task = params.taskId as string
        if (method === 'tasks/get') gets.push({ id: task, at: trace.elapsed })
        most = Math.max(most, ++open)
        const result = new Promise<JsonObject>((resolve, reject) => {
          setTimeout(() => {
            open--
            const said = answer(task)
            if (!said) return reject(new Error('no'))
            message('received', { jsonrpc: '2.0', id: mine, result: said })
            resolve(said)
          }, 10)
        })
        return { seq, result }
      },
    }
    const create = (taskId: string, rest: JsonObject = {}) =>
      exchange(
        'tools/call',
        { name: 'x', task: {} },
        { task: { taskId, status: 'working', createdAt: '', ttl: null, ...rest } },
      )
    return { trace, books, asker, gets, create, most: () => most }
  }
  const working = (taskId: string, rest: JsonObject = {}): JsonObject => ({ taskId, status: 'working', ...rest })

  test('without an interval it is asked once a second; a hundred tasks are asked a few at a time', async () => {
    const { books, asker, gets, create, most } = fake((id) => working(id))
    const follower = new TaskFollower(asker, books)
    create('one')
    await vi.advanceTimersByTimeAsync(5 * USUAL)
    expect(gets.length).toBeGreaterThanOrEqual(4)
    expect(gets.length).toBeLessThanOrEqual(5)
    for (let at = 0; at < 100; at++) create(`t${at}`)
    gets.length = 0
    await vi.advanceTimersByTimeAsync(10_000)
    expect(most()).toBeLessThanOrEqual(4)
    expect(gets.length).toBeLessThanOrEqual(400)
    expect(new Set(gets.map(({ id }) => id)).size).toBe(101)
    follower.stop()
    gets.length = 0
    await vi.advanceTimersByTimeAsync(10_000)
    expect(gets).toEqual([])
  })

  test('a new interval counts at once, and one beyond all timers asks for nothing more', async () => {
    let interval = 5000
    const { books, asker, gets, create } = fake((id) => working(id, { pollInterval: interval }))
    const follower = new TaskFollower(asker, books)
    create('one', { pollInterval: 300 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(gets).toHaveLength(1)
    interval = 1e12
    await vi.advanceTimersByTimeAsync(5000)
    expect(gets).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(100_000_000)
    expect(gets).toHaveLength(2)
    follower.stop()
  })

  test('looks that fail become rarer and end; the user can have them begin again', async () => {
    const { books, asker, gets, create } = fake(() => undefined)
    const follower = new TaskFollower(asker, books)
    create('one')
    await vi.advanceTimersByTimeAsync(600_000)
    expect(gets).toHaveLength(5)
    const task = books.current.get('s1')!.tasks.get('one')!
    expect(follower.restsFor(task)).toBe('failures')
    follower.follow('one', true)
    await vi.advanceTimersByTimeAsync(2 * USUAL)
    expect(gets.length).toBeGreaterThan(5)
    follower.stop()
  })

  test('tasks of others, known from a list, are looked at only when the user wants it', async () => {
    const { trace, books, asker, gets } = fake((id) => working(id))
    const follower = new TaskFollower(asker, books)
    const listed = { tasks: [working('theirs')] }
    const send = (direction: 'sent' | 'received', message: JsonObject) =>
      trace.append({ kind: 'message', direction, type: 'request', message, size: 1, link: 's1' })
    send('sent', { jsonrpc: '2.0', id: 'l', method: 'tasks/list' })
    send('received', { jsonrpc: '2.0', id: 'l', result: listed })
    await vi.advanceTimersByTimeAsync(5000)
    expect(gets).toEqual([])
    follower.follow('theirs', true)
    await vi.advanceTimersByTimeAsync(5000)
    expect(gets.length).toBeGreaterThan(2)
    follower.follow('theirs', false)
    gets.length = 0
    await vi.advanceTimersByTimeAsync(5000)
    expect(gets).toEqual([])
    follower.stop()
  })
})
