/**
 * Tasks of both kinds behave as described, observed with fetch and spawn only: our own servers, and the reference
 * server.
 */
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { start, type ErasPeer } from './eras/index.ts'
import { ask, follow, initialize, initialized, modern, run, type Raw } from './raw.ts'

let peer: ErasPeer
beforeAll(async () => void (peer = await start()))
afterAll(() => peer.close())

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const at = (kind: string, key = 'raw') => `${peer.url}/${kind}/${key}`

let id = 1
/** One request of 2026-07-28, with the extension. */
const say = async (method: string, params: object = {}, kind = 'tasks') => {
  const { last } = await ask(at(kind), modern(id++, method, { ...params }, TASKS))
  return (last?.result ?? last?.error) as { readonly [key: string]: any } // eslint-disable-line @typescript-eslint/no-explicit-any -- a peer's
}
const begin = async (name: string) => (await say('tools/call', { name }))['taskId'] as string
const poll = async (taskId: string, times: number) => {
  const states = []
  for (let n = 0; n < times; n++) states.push(await say('tasks/get', { taskId }))
  return states
}

describe('the tasks extension, by hand', () => {
  test('a task works with changing intervals, and completes', async () => {
    const created = await say('tools/call', { name: 'slow' })
    expect(created).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 60_000, pollIntervalMs: 5 })
    const states = await poll(created['taskId'] as string, 4)
    expect(states.map(({ resultType, status, pollIntervalMs }) => [resultType, status, pollIntervalMs])).toEqual([
      ['complete', 'working', 10],
      ['complete', 'working', 40],
      ['complete', 'working', 5],
      ['complete', 'completed', undefined],
    ])
    expect(states.at(-1)).toMatchObject({ result: { content: [{ text: 'slow is done' }] } })
  })

  test('isError completes, an error fails, and others are no tasks at all', async () => {
    expect((await poll(await begin('is-error'), 2))[1]).toMatchObject({
      status: 'completed',
      result: { isError: true },
    })
    expect((await poll(await begin('fails'), 2))[1]).toMatchObject({ status: 'failed', error: { code: -32603 } })
    expect(await say('tools/call', { name: 't' })).toMatchObject({ resultType: 'complete' })
  })

  test('questions are answered by tasks/update, one at a time where there are two', async () => {
    const taskId = await begin('asks-two')
    const keys = async () => Object.keys(((await poll(taskId, 1))[0]!['inputRequests'] ?? {}) as object)
    expect(await keys()).toEqual(['name', 'colour'])
    const update = (key: string) => say('tasks/update', { taskId, inputResponses: { [key]: { action: 'accept' } } })
    expect(await update('name')).toMatchObject({ resultType: 'complete' })
    expect(await keys()).toEqual(['colour'])
    await update('colour')
    expect((await poll(taskId, 1))[0]).toMatchObject({ status: 'completed' })
    expect(await say('tools/call', { name: 'asks-first' })).toMatchObject({ resultType: 'input_required' })
    const inputResponses = { name: { action: 'accept' } }
    expect(await say('tools/call', { name: 'asks-first', inputResponses })).toMatchObject({ resultType: 'task' })
  })

  test('after a cancellation, some tasks are cancelled, some complete anyway, some are gone', async () => {
    const endless = await begin('endless')
    await say('tasks/cancel', { taskId: endless })
    expect((await poll(endless, 1))[0]).toMatchObject({ status: 'cancelled' })
    const stubborn = await begin('stubborn')
    await say('tasks/cancel', { taskId: stubborn })
    expect((await poll(stubborn, 5)).map(({ status }) => status as string)).toEqual([
      ...Array.from({ length: 4 }, () => 'working'),
      'completed',
    ])
    const expiring = await begin('expires')
    await expect.poll(async () => (await poll(expiring, 1))[0]!['code'] as unknown).toBe(-32602)
  })

  test('requests are rejected without the tasks capability or with another Mcp-Name', async () => {
    const url = at('tasks', 'bare')
    for (const message of [
      modern(1, 'tools/call', { name: 'slow' }),
      modern(2, 'tasks/get', { taskId: 'x' }),
      modern(3, 'tasks/cancel', { taskId: 'x' }),
    ]) {
      const { status, last } = await ask(url, message)
      expect([status, last?.error]).toMatchObject([400, { code: -32021, data: { requiredCapabilities: TASKS } }])
    }
    const taskId = await begin('slow')
    const { last } = await ask(at('tasks'), modern(1, 'tasks/get', { taskId }, TASKS), { 'Mcp-Name': 'another' })
    expect(last?.error?.code).toBe(-32020)
  })

  test('a subscriber to a task receives its complete state', async () => {
    const taskId = await begin('slow')
    const stream = await follow(
      at('tasks'),
      modern('l', 'subscriptions/listen', { notifications: { taskIds: [taskId] } }, TASKS),
    )
    await stream.next()
    await say('tools/call', { name: 'push' })
    expect(await stream.next()).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, status: 'working', _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } },
    })
    stream.stop()
  })

  test.each<[string, object]>([
    ['tasks-type-task', { resultType: 'task', status: 'completed' }],
    ['tasks-unknown-status', { status: 'paused' }],
    ['tasks-no-result', { status: 'completed' }],
    ['tasks-no-questions', { status: 'input_required' }],
    ['tasks-old-names', { status: 'completed' }],
    ['tasks-odd-intervals', { pollIntervalMs: 'soon' }],
    ['tasks-revived', { status: 'completed' }],
  ])('%s: tasks/get gives %j', async (kind, state) => {
    expect(await say('tools/call', { name: 't' }, kind)).toMatchObject({ resultType: 'task', taskId: 'odd' })
    expect(await say('tasks/get', { taskId: 'odd' }, kind)).toMatchObject(state)
  })

  test('over stdio it is the same', async () => {
    const server = run('era-stdio.mjs', 'tasks')
    server.send(modern(1, 'tools/call', { name: 'is-error' }, TASKS))
    const { taskId } = (await server.until((message) => message.id === 1)).result as { taskId: string }
    for (const n of [2, 3]) server.send(modern(n, 'tasks/get', { taskId }, TASKS))
    expect((await server.until((message) => message.id === 3)).result).toMatchObject({ status: 'completed' })
    expect(await server.end()).toBe(0)
  })
})

describe('the tasks of 2025-11-25, by hand', () => {
  const talk = async (message: Raw, kind = 'tasks-2025') => await ask(at(kind), { id: id++, ...message })
  const create = async (name: string, task: object = {}) => {
    const { messages } = await talk({ method: 'tools/call', params: { name, task } })
    expect(messages[0]).toMatchObject({ method: 'notifications/tasks/status', params: { status: 'working' } })
    return messages[1]!.result!['task'] as { taskId: string; ttl: number | null }
  }
  const of = async (method: string, taskId: string) => (await talk({ method, params: { taskId } })).last!

  test('a task is polled, and its result is what the call would have given', async () => {
    const { taskId, ttl } = await create('slow', { ttl: 9000 })
    expect(ttl).toBe(9000)
    const states = [await of('tasks/get', taskId), await of('tasks/get', taskId), await of('tasks/get', taskId)]
    expect(states.map(({ result }) => [result!['status'], result!['pollInterval']])).toEqual([
      ['working', 20],
      ['working', 10],
      ['completed', 5],
    ])
    expect((await of('tasks/result', taskId)).result).toMatchObject({
      content: [{ text: 'slow is done' }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    })
    expect((await of('tasks/cancel', taskId)).error?.code).toBe(-32602)
  })

  test('isError and errors both fail; a cancelled task has no result; an old one is gone', async () => {
    for (const name of ['is-error', 'fails']) {
      const { taskId } = await create(name)
      expect((await of('tasks/get', taskId)).result).toMatchObject({ status: 'failed' })
      expect(await of('tasks/result', taskId)).toHaveProperty(name === 'fails' ? 'error' : 'result.isError')
    }
    const { taskId } = await create('endless')
    expect((await of('tasks/cancel', taskId)).result).toMatchObject({ status: 'cancelled' })
    expect(await of('tasks/result', taskId)).toHaveProperty('error')
    const expiring = await create('expires')
    await expect.poll(async () => (await of('tasks/get', expiring.taskId)).error?.code).toBe(-32602)
  })

  test('the question comes while tasks/result waits', async () => {
    const { taskId } = await create('asks')
    expect((await of('tasks/get', taskId)).result).toMatchObject({ status: 'input_required' })
    const stream = await follow(at('tasks-2025'), { id: id++, method: 'tasks/result', params: { taskId } })
    const question = await stream.next()
    expect(question).toMatchObject({
      method: 'elicitation/create',
      params: { _meta: { 'io.modelcontextprotocol/related-task': { taskId } } },
    })
    await ask(at('tasks-2025'), { id: question!.id, result: { action: 'accept', content: { name: 'Ada' } } })
    expect((await stream.next())?.result).toMatchObject({ content: [{ text: 'thank you' }] })
    stream.stop()
  })

  test('tools say whether they may be tasks, and mean it; the list has pages', async () => {
    const plain = (name: string, task?: object) =>
      talk({ method: 'tools/call', params: { name, ...(task && { task }) } })
    expect((await plain('only-task')).last?.error?.code).toBe(-32601)
    expect((await plain('never-task', {})).last?.error?.code).toBe(-32601)
    expect((await plain('slow')).last).toHaveProperty('result.content')
    const first = (await talk({ method: 'tasks/list', params: {} })).last!.result!
    expect([(first['tasks'] as unknown[]).length, first['nextCursor']]).toEqual([2, '2'])
    const declared = async (kind: string) => (await talk(initialize(), kind)).last!.result!['capabilities'] as object
    expect(await declared('tasks-2025')).toHaveProperty('tasks.cancel')
    expect(await declared('tasks-2025-bare')).not.toHaveProperty('tasks.cancel')
    expect(await declared('tasks-2025-undeclared')).not.toHaveProperty('tasks')
  })
})

describe('the reference server', () => {
  test('simulate-research-query is a task of 2025-11-25 over stdio', async () => {
    const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')
    const server = run(entry, 'stdio')
    try {
      server.send(initialize(), initialized)
      const { result } = await server.until((message) => message.id === 0)
      expect(result?.['capabilities']).toHaveProperty('tasks.requests.tools.call')
      const params = { name: 'simulate-research-query', arguments: { topic: 'peers' }, task: { ttl: 60_000 } }
      server.send({ id: 1, method: 'tools/call', params })
      // It grants more than requested.
      const task = (await server.until((message) => message.id === 1)).result?.['task'] as { taskId: string }
      expect(task).toMatchObject({ status: 'working', ttl: 300_000 })
      server.send({ id: 2, method: 'tasks/get', params: { taskId: task.taskId } })
      expect((await server.until((message) => message.id === 2)).result).toMatchObject({ taskId: task.taskId })
      server.send({ id: 3, method: 'tasks/cancel', params: { taskId: task.taskId } })
      expect((await server.until((message) => message.id === 3)).result).toMatchObject({ status: 'cancelled' })
    } finally {
      await server.kill()
    }
  })
})
