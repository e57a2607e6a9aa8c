/** Sampling and elicitation requests that a server sends as tasks (2025-11-25). */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../tests/patience.ts'
import { LoopbackTransport, META, ProtocolError, Session, Trace } from './index.ts'
import type { Answers, Json, JsonObject, Revision } from './index.ts'
import { isValid } from './schema/schema.ts'
import { ServerRequests } from './server-requests.ts'

const TASKS = {
  list: {},
  cancel: {},
  requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
}
const PARIS = { role: 'assistant', model: 'none', content: { type: 'text', text: 'Paris' } }
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

interface Said {
  readonly id?: string
  readonly method?: string
  readonly params?: JsonObject
  readonly result?: JsonObject
  readonly error?: JsonObject
}

/** A client without a transport: what it is sent, and what it says. */
const client = (answers: Answers, declared: () => Json | undefined = () => TASKS) => {
  const said: Said[] = []
  const waiting = new Map<string | undefined, (response: Said) => void>()
  const send = async (message: Said) => {
    said.push(message)
    waiting.get(message.id)?.(message)
  }
  const requests = new ServerRequests(answers, send, declared)
  let seq = 0
  /** @returns the response */
  const ask = async (method: string, params: JsonObject = {}, settled?: () => void): Promise<Said> => {
    const id = `q${++seq}`
    const response = new Promise<Said>((resolve) => waiting.set(id, resolve))
    requests.receive({ jsonrpc: '2.0', id, method, params }, seq, settled)
    return await response
  }
  const taskOf = async (params: JsonObject = { task: {} }, settled?: () => void): Promise<JsonObject> =>
    (await ask('sampling/createMessage', params, settled)).result!.task as JsonObject
  const told = () => said.filter(({ method }) => method === 'notifications/tasks/status').map(({ params }) => params!)
  return { requests, said, ask, taskOf, told }
}

/** A handler that waits for the test. */
const held = () => {
  let answer!: (result: JsonObject) => void
  let refuse!: (error: Error) => void
  const result = new Promise<JsonObject>((resolve, reject) => ([answer, refuse] = [resolve, reject]))
  const signals: AbortSignal[] = []
  return {
    answer,
    refuse,
    signals,
    answers: { 'sampling/createMessage': (_, signal) => (signals.push(signal), result) } satisfies Answers,
  }
}

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())

describe('a request that a server sends as a task', () => {
  test('TASK-13, TASK-04, TASK-09: gets a working task at once, with an id, times and the granted time to live', async () => {
    const { answers } = held()
    const { ask, said } = client(answers)
    const response = await ask('sampling/createMessage', { task: { ttl: 60_000 } })
    const task = response.result!.task as JsonObject
    expect(task).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: 1000 })
    expect(task.taskId).toMatch(/^[0-9a-f-]{36}$/)
    expect([task.createdAt, task.lastUpdatedAt]).toEqual([expect.stringMatching(TIME), task.createdAt])
    const context = { revision: '2025-11-25', direction: 'sent', params: { task: {} } } as const
    const message = { jsonrpc: '2.0', ...response } as JsonObject
    expect(isValid(message, { ...context, method: 'sampling/createMessage' })).toBe(true)
    expect(said).toHaveLength(1)
  })

  test('TASK-13, TASK-08: tasks/result waits for the response, and returns it with the name of the task', async () => {
    const { answers, answer } = held()
    const { ask, taskOf, said, told } = client(answers)
    const { taskId } = await taskOf()
    const result = ask('tasks/result', { taskId: taskId! })
    await vi.advanceTimersByTimeAsync(100)
    expect(said).toHaveLength(1)
    expect((await ask('tasks/get', { taskId: taskId! })).result).toMatchObject({ taskId, status: 'working' })
    answer({ ...PARIS, _meta: { 'example.com/own': 1 } })
    const related = { [META.relatedTask]: { taskId } }
    expect((await result).result).toEqual({ ...PARIS, _meta: { 'example.com/own': 1, ...related } })
    // TASK-07: the other methods name the task themselves.
    const { result: task } = await ask('tasks/get', { taskId: taskId! })
    expect(task).toMatchObject({ status: 'completed' })
    expect(task).not.toHaveProperty('_meta')
    expect((await ask('tasks/result', { taskId: taskId! })).result).toMatchObject(PARIS)
    expect(told()).toEqual([task])
  })

  test('TASK-08: a handler’s error fails the task, and tasks/result returns the same error', async () => {
    const { answers, refuse } = held()
    const { ask, taskOf, told } = client(answers)
    const { taskId } = await taskOf()
    refuse(new ProtocolError(-1, 'User rejected', { why: 'no' }))
    await eventually(() => expect(told()).toHaveLength(1))
    const failed = { taskId, status: 'failed', statusMessage: 'User rejected' }
    expect(told()).toMatchObject([failed])
    expect((await ask('tasks/get', { taskId: taskId! })).result).toMatchObject(failed)
    const { error } = await ask('tasks/result', { taskId: taskId! })
    expect(error).toEqual({ code: -1, message: 'User rejected', data: { why: 'no' } })
  })

  test('gets the notification of the end of a task after the task itself, even if a rule responds at once', async () => {
    const { taskOf, said } = client({ 'sampling/createMessage': () => PARIS })
    await taskOf()
    await eventually(() => expect(said).toHaveLength(2))
    expect(said.map(({ method, result }) => method ?? Object.keys(result!)[0])).toEqual([
      'task',
      'notifications/tasks/status',
    ])
  })

  test('UT-TIME-01: holds the call behind it until the task has ended, not until it has begun', async () => {
    const { answers, answer } = held()
    const settled = vi.fn()
    const { taskOf } = client(answers)
    await taskOf({ task: {} }, settled)
    await vi.advanceTimersByTimeAsync(100)
    expect(settled).not.toHaveBeenCalled()
    answer(PARIS)
    await eventually(() => expect(settled).toHaveBeenCalledOnce())
  })
})

describe('tasks/cancel', () => {
  test('TASK-11: ends the task and its handler; a late response changes nothing', async () => {
    const { answers, answer, signals } = held()
    const settled = vi.fn()
    const { ask, taskOf, told } = client(answers)
    const { taskId } = await taskOf({ task: {} }, settled)
    const waiting = ask('tasks/result', { taskId: taskId! })
    const { result: cancelled } = await ask('tasks/cancel', { taskId: taskId! })
    expect(cancelled).toMatchObject({ taskId, status: 'cancelled' })
    expect(signals[0]!.aborted).toBe(true)
    expect((await waiting).error).toMatchObject({ code: -32602 })
    await eventually(() => expect(settled).toHaveBeenCalledOnce())
    answer(PARIS)
    await vi.advanceTimersByTimeAsync(100)
    expect((await ask('tasks/get', { taskId: taskId! })).result).toEqual(cancelled)
    expect(told()).toEqual([cancelled])
  })

  test('TASK-11: of a task that has ended, or that does not exist, is refused with -32602', async () => {
    const { ask, taskOf, told } = client({ 'sampling/createMessage': () => PARIS })
    const { taskId } = await taskOf()
    await eventually(() => expect(told()).toHaveLength(1))
    for (const id of [taskId!, 'unknown', 7])
      expect((await ask('tasks/cancel', { taskId: id })).error).toMatchObject({ code: -32602 })
    expect((await ask('tasks/get', { taskId: taskId! })).result).toMatchObject({ status: 'completed' })
  })

  test('UT-CANC-06: notifications/cancelled for a pending tasks/result ends the wait, but not the task', async () => {
    const { answers, answer } = held()
    const { ask, taskOf, requests, said } = client(answers)
    const { taskId } = await taskOf()
    requests.receive({ jsonrpc: '2.0', id: 'waits', method: 'tasks/result', params: { taskId: taskId! } }, 9)
    requests.cancel('waits')
    answer(PARIS)
    expect((await ask('tasks/result', { taskId: taskId! })).result).toMatchObject(PARIS)
    expect(said.filter(({ id }) => id === 'waits')).toEqual([])
  })
})

describe('tasks/list', () => {
  test('TASK-12: has all tasks in order, page by page, though some expire meanwhile', async () => {
    const { answers } = held()
    const { ask, taskOf } = client(answers)
    const ids: Json[] = []
    for (let n = 0; n < 120; n++) ids.push((await taskOf({ task: { ttl: n === 49 ? 10_000 : 600_000 } })).taskId!)
    const listed: Json[] = []
    let cursor: Json | undefined
    do {
      // The last task of the first page has expired when the second page is requested.
      if (cursor !== undefined) await vi.advanceTimersByTimeAsync(10_000)
      const { result } = await ask('tasks/list', cursor === undefined ? {} : { cursor })
      listed.push(...(result!.tasks as { taskId: string }[]).map(({ taskId }) => taskId))
      cursor = result!.nextCursor
    } while (cursor !== undefined)
    expect(listed).toEqual(ids)
  })

  test('TASK-12: refuses a cursor that it did not issue', async () => {
    const { ask } = client({})
    for (const cursor of ['x', '', '-1', '1e3', 7, null, '9'.repeat(40)])
      expect((await ask('tasks/list', { cursor })).error).toMatchObject({ code: -32602 })
  })
})

describe('the time to live', () => {
  test.each([
    [1000, 1000],
    [1500.7, 1500],
    [1e12, 86_400_000],
    [undefined, 3_600_000],
    [null, 3_600_000],
    [0, 3_600_000],
    [-5, 3_600_000],
    ['60000', 3_600_000],
  ])('TASK-15: %j becomes %j ms', async (ttl, granted) => {
    const { taskOf, requests } = client(held().answers)
    expect(await taskOf({ task: ttl === undefined ? {} : { ttl } })).toMatchObject({ ttl: granted })
    requests.close()
  })

  test('TASK-15: after it, an unfinished task is cancelled and its user need not respond; both kinds are unknown', async () => {
    const { answers, signals } = held()
    const unfinished = client(answers)
    const finished = client({ 'sampling/createMessage': () => PARIS })
    for (const { taskOf, ask, told } of [unfinished, finished]) {
      const { taskId } = await taskOf({ task: { ttl: 5000 } })
      await vi.advanceTimersByTimeAsync(5001)
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
        expect((await ask(method, { taskId: taskId! })).error).toMatchObject({ code: -32602 })
      expect((await ask('tasks/list')).result).toEqual({ tasks: [] })
      expect(told()).toHaveLength(1)
    }
    expect(unfinished.told()).toMatchObject([{ status: 'cancelled' }])
    expect(signals[0]!.aborted).toBe(true)
  })
})

describe('a hostile server', () => {
  test('gets no more than 1000 tasks at once, of which those that have ended make room', async () => {
    const { answers, answer } = held()
    const { ask, taskOf, told, requests } = client(answers)
    const { taskId: first } = await taskOf()
    for (let n = 1; n < 1000; n++) await taskOf()
    expect((await ask('sampling/createMessage', { task: {} })).error).toMatchObject({ code: -32603 })
    answer(PARIS)
    await eventually(() => expect(told()).toHaveLength(1000))
    await taskOf()
    expect((await ask('tasks/get', { taskId: first! })).error).toMatchObject({ code: -32602 })
    requests.close()
  })

  test('BP-13: gets one response to each odd request, and no task from it', async () => {
    const { ask } = client({ 'sampling/createMessage': () => PARIS, 'roots/list': () => ({ roots: [] }) })
    for (const task of [true, null, 'x', 7, []])
      expect((await ask('sampling/createMessage', { task })).result).toEqual(PARIS)
    expect((await ask('roots/list', { task: {} })).result).toEqual({ roots: [] })
    for (const taskId of [undefined, null, 7, {}, '__proto__', 'constructor'])
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
        expect((await ask(method, taskId === undefined ? {} : { taskId })).error).toMatchObject({ code: -32602 })
    expect((await ask('tasks/update', { taskId: 'x' })).error).toMatchObject({ code: -32601 })
  })

  test('gets nothing more once the session is over, and what it asked for is withdrawn', async () => {
    const { answers, answer, signals } = held()
    const settled = vi.fn()
    const { taskOf, requests, said } = client(answers)
    await taskOf({ task: {} }, settled)
    requests.close()
    expect(signals[0]!.aborted).toBe(true)
    answer(PARIS)
    await vi.advanceTimersByTimeAsync(86_400_000)
    expect(said).toHaveLength(1)
    expect(settled).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the capability', () => {
  test('TASK-14: without it, the member "task" is ignored, and the methods of tasks are unknown', async () => {
    const without: readonly (Json | undefined)[] = [
      undefined,
      null,
      {},
      { requests: {} },
      { requests: { elicitation: { create: {} } } },
    ]
    for (const declared of without) {
      const { ask } = client({ 'sampling/createMessage': () => PARIS }, () => declared)
      expect((await ask('sampling/createMessage', { task: { ttl: 1000 } })).result).toEqual(PARIS)
    }
    const { ask } = client({}, () => undefined)
    for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'])
      expect((await ask(method, { taskId: 'x' })).error).toMatchObject({ code: -32601 })
  })

  test('TASK-01: tasks.list and tasks.cancel are served only where they are declared', async () => {
    const { ask, taskOf } = client(held().answers, () => ({ requests: TASKS.requests }))
    const { taskId } = await taskOf()
    expect((await ask('tasks/get', { taskId: taskId! })).result).toMatchObject({ status: 'working' })
    expect((await ask('tasks/list')).error).toMatchObject({ code: -32601 })
    expect((await ask('tasks/cancel', { taskId: taskId! })).error).toMatchObject({ code: -32601 })
  })

  /** A server that sends sampling as a task while a tool runs, and returns the response to it. */
  const connected = async (revision: Revision, capabilities: JsonObject) => {
    const transport = new LoopbackTransport({
      connect: (reply) => {
        const say = (message: JsonObject) => reply(JSON.stringify({ jsonrpc: '2.0', ...message }))
        let call = 0
        return {
          receive: (text) => {
            const { id, method, result } = JSON.parse(text) as { id: number; method?: string; result?: JsonObject }
            if (method === 'initialize')
              return say({ id, result: { protocolVersion: revision, capabilities: {}, serverInfo: {} } })
            if (method === 'tools/call') {
              call = id
              say({ id: 'q', method: 'sampling/createMessage', params: { task: {} } })
            } else if (method === undefined && result) say({ id: call, result })
          },
          close: () => {},
        }
      },
    })
    const session = new Session({
      trace: new Trace(),
      link: 's1',
      transport,
      clientInfo: { name: 'test', version: '0' },
      remembered: 'handshake',
      capabilities: () => capabilities,
      answers: { 'sampling/createMessage': () => PARIS },
    })
    await session.open()
    const result = await session.request('tools/call', { name: 't' })
    await session.close()
    return result
  }

  test('TASK-13, TASK-14: counts as it was declared to this server, at 2025-11-25 only', async () => {
    expect(await connected('2025-11-25', { sampling: {}, tasks: TASKS })).toHaveProperty('task')
    expect(await connected('2025-11-25', { sampling: {} })).toEqual(PARIS)
    expect(await connected('2025-06-18', { sampling: {}, tasks: TASKS })).toEqual(PARIS)
  })
})
