import { describe, expect, test } from 'vitest'
import type { Exchange, Frame, JsonObject, Peer } from '../../mcp/index.ts'
import { plainOutcomeOf } from '../calls/call-outcome.ts'
import type { Task } from '../tasks/task.ts'
import { requiresInput, outcomeOfTask, inputRequestsIn, viewsOf } from './outcome.ts'
import { taskGate, taskParams, ttlOf } from './run-gate.ts'
import { TOOLS } from './tools-fold.ts'

const item = (taskSupport?: string) =>
  TOOLS.itemOf({ name: 'x', ...(taskSupport ? { execution: { taskSupport } } : {}) }, 0, 0, {
    keys: new Set(),
    names: new Set(),
  })
const peer = (revision: Peer['revision'], capabilities: JsonObject = {}): Peer => ({
  era: revision === '2026-07-28' ? 'stateless' : 'handshake',
  revision,
  info: {},
  capabilities,
  evidence: [],
})
const able = { tasks: { requests: { tools: { call: {} } } } }

describe('TASK-02, TASK-03: whether a call may ask to run as a task', () => {
  test.each([
    ['2025-11-25', able, 'required', 'must'],
    ['2025-11-25', able, 'optional', 'may'],
    ['2025-11-25', able, 'forbidden', 'forbidden'],
    ['2025-11-25', able, undefined, 'forbidden'],
    ['2025-11-25', {}, 'required', 'no-capability'],
    ['2025-11-25', { tasks: { requests: {} } }, 'optional', 'no-capability'],
    ['2025-11-25', {}, undefined, undefined],
    ['2025-06-18', able, 'required', undefined],
    ['2026-07-28', { extensions: { 'io.modelcontextprotocol/tasks': {} } }, 'required', 'server-decides'],
    ['2026-07-28', able, 'required', undefined],
  ] as const)('at %s with %j a tool that says %s: %s', (revision, capabilities, support, gate) => {
    expect(taskGate(item(support), peer(revision, capabilities))).toBe(gate)
  })

  test('the wish is sent only where it may be; what must run so does, unless the user says no', () => {
    const at = peer('2025-11-25', able)
    const unsaid = { asTask: undefined, ttl: '' }
    expect(taskParams(item('required'), at, unsaid)).toEqual({})
    expect(taskParams(item('required'), at, { asTask: false, ttl: '' })).toBeUndefined()
    expect(taskParams(item('optional'), at, unsaid)).toBeUndefined()
    expect(taskParams(item('optional'), at, { asTask: true, ttl: ' 5000 ' })).toEqual({ ttl: 5000 })
    expect(taskParams(item('forbidden'), at, { asTask: true, ttl: '' })).toBeUndefined()
    expect(taskParams(item('required'), peer('2026-07-28', able), unsaid)).toBeUndefined()
  })

  test('a time to live is a whole number of milliseconds, or none', () => {
    expect([ttlOf(''), ttlOf('0'), ttlOf('1.5'), ttlOf('-1'), ttlOf('soon'), ttlOf('1e9')]).toEqual([
      undefined,
      0,
      null,
      null,
      null,
      null,
    ])
  })
})

const exchange = (status: Exchange['status']): Exchange => ({
  link: 'a',
  direction: 'sent',
  id: 1,
  method: 'tools/call',
  request: 0,
  startedAt: 100,
  endedAt: 150,
  status,
  related: [],
})
const answer = (result: JsonObject): Frame => ({
  kind: 'message',
  direction: 'received',
  type: 'result',
  message: { jsonrpc: '2.0', id: 1, result },
  size: 9,
  link: 'a',
  seq: 1,
  at: 150,
})
/** @param startedAt start of the first round */
const outcomeOf = (last: Exchange, response: Frame, startedAt = last.startedAt) => {
  const rounds = new Map([
    [0, { ...last, startedAt }],
    [2, { ...last, response: 1 }],
  ])
  return plainOutcomeOf([0, 2], rounds, () => response)!
}
const task = (rest: Partial<Task>): Task => ({
  id: 't',
  form: 'extension',
  seq: 1,
  since: 150,
  state: 'working',
  status: 'working',
  last: 1,
  lastAt: 400,
  via: 'get',
  looks: 1,
  pushes: 0,
  history: [],
  findings: [],
  inputRequests: new Map(),
  ...rest,
})

describe('a call that became a task', () => {
  const call = outcomeOf(exchange('ok'), answer({ resultType: 'task', taskId: 't' }))
  const outcome = { kind: 'result', seq: 7, id: 3 } as const
  const came = { size: 20, at: 900, message: {} }

  test('is a task while it runs, and shows its answer raw', () => {
    const shown = outcomeOfTask(call, task({}), undefined, 100)
    expect(shown).toMatchObject({ state: 'task', took: 50 })
    expect(viewsOf(shown)).toEqual(['raw'])
  })

  test('TASK-08: ends with the task’s result as its own, with the time the task took', () => {
    const result = { content: [] }
    const done = outcomeOfTask(call, task({ state: 'completed', outcome }), { ...came, result }, 100)
    expect(done).toMatchObject({ state: 'ok', result, took: 800, size: 20, answer: 7 })
    const failed = { content: [], isError: true }
    expect(outcomeOfTask(call, task({ state: 'completed', outcome }), { ...came, result: failed }, 100).state).toBe(
      'tool-error',
    )
    const error = { code: -32603, message: 'no' }
    expect(outcomeOfTask(call, task({ state: 'failed', outcome }), { ...came, error }, 100)).toMatchObject({
      state: 'error',
      error,
    })
  })

  test('a cancelled task is a cancelled call; one whose result is still to be fetched is a task', () => {
    expect(outcomeOfTask(call, task({ state: 'cancelled' }), undefined, 100)).toMatchObject({
      state: 'cancelled',
      took: 300,
    })
    expect(outcomeOfTask(call, task({ form: 'core', state: 'failed' }), undefined, 100).state).toBe('task')
  })

  test('TASK-11: a cancelled task has no result to be judged, whatever tasks/result says of it', () => {
    const cancelled = task({ form: 'core', state: 'cancelled', outcome })
    for (const told of [
      { result: { _meta: {} } },
      { error: { code: -32603, message: 'The task was cancelled' } },
      {},
    ]) {
      const shown = outcomeOfTask(call, cancelled, { ...came, ...told }, 100)
      expect(shown.state).toBe('cancelled')
      expect(shown).not.toHaveProperty('result')
    }
    const untold = outcomeOfTask(call, task({ state: 'cancelled' }), undefined, 100)
    expect(untold).not.toHaveProperty('result')
    expect(viewsOf(untold)).toEqual(['raw'])
    const partial = { content: [{ type: 'text', text: 'as far as it came' }] }
    expect(outcomeOfTask(call, cancelled, { ...came, result: partial }, 100).result).toEqual(partial)
  })
})

test('MRTR-01, MRTR-11: a call that ended with questions tells them, and its time counts from the first round', () => {
  const elicit = { method: 'elicitation/create', params: { message: 'Who?' } }
  const asked = outcomeOf(
    exchange('asked'),
    answer({ resultType: 'input_required', inputRequests: { name: elicit, odd: 7 } }),
    20,
  )
  expect(asked).toMatchObject({ state: 'asked', took: 130 })
  expect(viewsOf(asked)).toEqual(['raw'])
  expect(inputRequestsIn(asked.result)).toEqual([
    { key: 'name', method: 'elicitation/create', raw: elicit },
    { key: 'odd', method: '?', raw: 7 },
  ])
  expect(inputRequestsIn({ requestState: 'x' })).toEqual([])
  // A cancelled call that was waiting gives the same result: the response is still there.
  const cancelled = outcomeOf(exchange('cancelled'), answer({ resultType: 'input_required' }), 20)
  expect(requiresInput(cancelled)).toBe(true)
  expect(viewsOf(cancelled)).toEqual(['raw'])
})
