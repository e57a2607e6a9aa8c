import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldAll, Trace } from '../../mcp/index.ts'
import type { Frame, FrameDraft, Json, JsonObject, Peer } from '../../mcp/index.ts'
import { expiryOf, failsTask, outcomeIn, type Task } from './task.ts'
import { offersTasks, tasksFold, type LinkTasks } from './tasks-fold.ts'

/** Frames as a session writes them. */
class Script {
  #now = 0
  readonly trace = new Trace({ now: () => this.#now })
  #id = 0

  constructor(revision: '2025-11-25' | '2026-07-28') {
    const era = revision === '2025-11-25' ? 'handshake' : 'stateless'
    const peer: Peer = { era, revision, info: {}, capabilities: {}, evidence: [] }
    this.trace.append({ kind: 'session', phase: 'open', peer, transport: 'test', link: 'a' })
  }

  wait(ms: number): void {
    this.#now += ms
  }

  write(direction: 'sent' | 'received', message: Json): number {
    return this.trace.append({ kind: 'message', direction, type: 'request', message, size: 1, link: 'a' }).seq
  }

  ask(method: string, params: JsonObject = {}): { id: number; seq: number } {
    const id = ++this.#id
    return { id, seq: this.write('sent', { jsonrpc: '2.0', id, method, params }) }
  }

  exchange(method: string, params: JsonObject, result: JsonObject): number {
    const { id } = this.ask(method, params)
    return this.write('received', { jsonrpc: '2.0', id, result })
  }

  get book(): LinkTasks {
    return foldAll(tasksFold, this.trace).get('a')!
  }

  get task(): Task {
    return [...this.book.tasks.values()][0]!
  }
}

const core = (rest: JsonObject = {}): JsonObject => ({
  taskId: 't',
  status: 'working',
  createdAt: '2025-11-25T00:00:00Z',
  lastUpdatedAt: '2025-11-25T00:00:00Z',
  ttl: 60_000,
  ...rest,
})
const create = (script: Script, rest: JsonObject = {}) =>
  script.exchange('tools/call', { name: 'x', task: { ttl: 1 } }, { task: core(rest) })
const codes = ({ findings }: Task) => findings.map(({ code, rule }) => [code, rule])

describe('tasks of 2025-11-25', () => {
  test('TASK-04, TASK-08, TASK-15: a call becomes a task, with what was asked for and what was granted; its result is another answer', () => {
    const script = new Script('2025-11-25')
    script.wait(500)
    create(script, { pollInterval: 700 })
    expect(script.task).toMatchObject({
      form: 'core',
      call: { tool: 'x', wantedTtl: 1 },
      ttl: 60_000,
      interval: 700,
      via: 'created',
    })
    expect(expiryOf(script.task, Date.now())).toBe(60_500)
    script.exchange('tasks/get', { taskId: 't' }, core({ status: 'completed' }))
    const result = { content: [], _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } }
    const seq = script.exchange('tasks/result', { taskId: 't' }, result)
    expect(script.task).toMatchObject({ state: 'completed', outcome: { kind: 'result', seq }, findings: [] })
    expect(outcomeIn(script.trace, script.task)?.result).toEqual(result)
  })

  test('TASK-08: an error that the call would have had is the outcome, and no trouble with the request', () => {
    const script = new Script('2025-11-25')
    create(script)
    script.exchange('tasks/get', { taskId: 't' }, core({ status: 'failed' }))
    const { id } = script.ask('tasks/result', { taskId: 't' })
    script.write('received', { jsonrpc: '2.0', id, error: { code: -32603, message: 'boom' } })
    expect(outcomeIn(script.trace, script.task)?.error).toEqual({ code: -32603, message: 'boom' })
    expect(script.task.problem).toBeUndefined()
  })

  test('a result with content is a result, whatever else it holds', () => {
    const script = new Script('2025-11-25')
    script.exchange('tools/call', { name: 'x' }, { content: [], task: core() })
    expect(script.book.tasks.size).toBe(0)
  })

  test('TASK-07, TASK-09, TASK-11: what breaks the rules of tasks is reported once, with the rule', () => {
    const script = new Script('2025-11-25')
    script.exchange('tools/call', { name: 'x' }, { task: core({ status: 'input_required' }) })
    script.exchange('tasks/cancel', { taskId: 't' }, core())
    script.exchange('tasks/cancel', { taskId: 't' }, core())
    script.exchange('tasks/get', { taskId: 't' }, core({ status: 'completed' }))
    script.exchange('tasks/get', { taskId: 't' }, core({ status: 'working' }))
    script.exchange('tasks/result', { taskId: 't' }, { content: [] })
    expect(script.task.state).toBe('completed')
    expect(codes(script.task)).toEqual([
      ['not-asked-for', 'TASK-04'],
      ['first-state', 'TASK-09'],
      ['not-cancelled', 'TASK-11'],
      ['revived', 'TASK-09'],
      ['no-related-task', 'TASK-07'],
    ])
  })

  test.each(['before', 'after'])(
    'TASK-10: a tool’s own failure fails the task, told when the result comes %s the state',
    (when) => {
      const fetched = (script: Script, isError: boolean) =>
        script.exchange(
          'tasks/result',
          { taskId: 't' },
          { content: [], isError, _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } },
        )
      const ended = (status: string, isError = true) => {
        const script = new Script('2025-11-25')
        create(script)
        if (when === 'before') fetched(script, isError)
        script.exchange('tasks/get', { taskId: 't' }, core({ status }))
        if (when === 'after') fetched(script, isError)
        return codes(script.task)
      }
      expect(ended('completed')).toEqual([['not-failed', 'TASK-10']])
      expect(ended('completed', false)).toEqual([])
      expect(ended('failed')).toEqual([])
      expect([failsTask({ isError: true }, 'core'), failsTask({ isError: true }, 'extension')]).toEqual([true, false])
    },
  )

  test('what a poll says that a newer notification overtook is no news, and no breach', () => {
    const script = new Script('2025-11-25')
    create(script)
    const params = core({ status: 'completed', lastUpdatedAt: '2025-11-25T00:00:09Z' })
    const older = core({ lastUpdatedAt: '2025-11-25T00:00:05Z' })
    const { id } = script.ask('tasks/get', { taskId: 't' })
    script.write('received', { jsonrpc: '2.0', method: 'notifications/tasks/status', params })
    script.write('received', { jsonrpc: '2.0', id, result: older })
    expect(script.task).toMatchObject({ state: 'completed', via: 'push', pushes: 1, looks: 1, findings: [] })
    // Requested after the notification, it is no longer late.
    script.exchange('tasks/get', { taskId: 't' }, older)
    expect(codes(script.task)).toEqual([['revived', 'TASK-09']])
  })

  test('a notification may come before the answer that creates the task: it is the same task', () => {
    const script = new Script('2025-11-25')
    const { id, seq } = script.ask('tools/call', { name: 'x', task: {} })
    script.write('received', { jsonrpc: '2.0', method: 'notifications/tasks/status', params: core() })
    script.write('received', { jsonrpc: '2.0', id, result: { task: core() } })
    expect(script.book.tasks.size).toBe(1)
    expect(script.task.call).toMatchObject({ seq, tool: 'x' })
    expect(script.book.byCall.get(seq)).toBe('t')
  })

  test('TASK-12: a list is read page by page, and one bad entry spoils nothing', () => {
    const script = new Script('2025-11-25')
    script.exchange('tasks/list', {}, { tasks: [core(), null, { taskId: 7 }, core({ taskId: 'u' })], nextCursor: '' })
    expect([...script.book.tasks.keys()]).toEqual(['t', 'u'])
    expect(script.book.list).toMatchObject({ state: 'ready', count: 4, nextCursor: '' })
  })

  test('TASK-11: a refused cancellation says so, and changes nothing', () => {
    const script = new Script('2025-11-25')
    create(script)
    const { id } = script.ask('tasks/cancel', { taskId: 't' })
    expect(script.task.cancel?.state).toBe('asked')
    script.write('received', { jsonrpc: '2.0', id, error: { code: -32602, message: 'over' } })
    expect(script.task).toMatchObject({ state: 'working', cancel: { state: 'refused', error: { code: -32602 } } })
  })
})

describe('tasks of the extension', () => {
  const told = (rest: JsonObject = {}): JsonObject => ({ taskId: 't', status: 'working', ttlMs: null, ...rest })
  const begun = () => {
    const script = new Script('2026-07-28')
    script.exchange('tools/call', { name: 'x' }, { ...told(), resultType: 'task' })
    return script
  }
  const question = { method: 'elicitation/create', params: { message: 'Who?' } }

  test('TEXT-02, TEXT-10, TEXT-13: the flat form; a notification carries the whole state, result included', () => {
    const script = begun()
    expect(script.task).toMatchObject({ form: 'extension', ttl: null, findings: [] })
    const params = told({ status: 'completed', result: { content: [] } })
    script.write('received', { jsonrpc: '2.0', method: 'notifications/tasks', params })
    expect(script.task).toMatchObject({ state: 'completed', via: 'push' })
    expect(outcomeIn(script.trace, script.task)?.result).toEqual({ content: [] })
  })

  test('TEXT-08: a question is one question in every poll, and asked no more when it is answered or gone', () => {
    const script = begun()
    const asks = told({ status: 'input_required', inputRequests: { a: question, b: question } })
    for (let time = 0; time < 3; time++) script.exchange('tasks/get', { taskId: 't' }, asks)
    const states = () => [...script.task.inputRequests.values()].map(({ key, state }) => `${key} ${state}`)
    expect(states()).toEqual(['a open', 'b open'])
    const { id } = script.ask('tasks/update', { taskId: 't', inputResponses: { a: { action: 'accept' } } })
    expect(states()).toEqual(['a sent', 'b open'])
    script.write('received', { jsonrpc: '2.0', id, result: {} })
    script.exchange('tasks/get', { taskId: 't' }, asks)
    expect(states()).toEqual(['a answered', 'b open'])
    script.exchange('tasks/get', { taskId: 't' }, told())
    expect(states()).toEqual(['a answered', 'b withdrawn'])
  })

  test('an answer that was refused, or never arrived, leaves its question open', () => {
    const script = begun()
    script.exchange('tasks/get', { taskId: 't' }, told({ status: 'input_required', inputRequests: { a: question } }))
    const { id } = script.ask('tasks/update', { taskId: 't', inputResponses: { a: {} } })
    script.write('received', { jsonrpc: '2.0', id, error: { code: -32602, message: 'no such answer' } })
    expect(script.task.inputRequests.get('a')).toMatchObject({ state: 'open', error: { message: 'no such answer' } })
    script.ask('tasks/update', { taskId: 't', inputResponses: { a: {} } })
    script.trace.append({ kind: 'session', phase: 'closed', why: 'gone', link: 'a' })
    expect(script.task.inputRequests.get('a')?.state).toBe('open')
  })

  test('TEXT-14: names of the other form are told, and not taken for its own', () => {
    const script = new Script('2026-07-28')
    script.exchange('tools/call', { name: 'x' }, { taskId: 't', status: 'working', ttl: 5, resultType: 'task' })
    expect(script.task.ttl).toBeUndefined()
    expect(codes(script.task)).toEqual([['old-name', 'TEXT-14']])
  })
})

test('whether a server offers tasks depends on the revision', () => {
  const extensions = { 'io.modelcontextprotocol/tasks': {} }
  expect(offersTasks({ tasks: {} }, '2025-11-25')).toBe(true)
  expect(offersTasks({ extensions }, '2025-11-25')).toBe(false)
  expect(offersTasks({ extensions }, '2026-07-28')).toBe(true)
  expect(offersTasks({ tasks: {} }, '2025-06-18')).toBe(false)
})

/** Traffic of a careless client and server, with few ids so that they collide. */
const id = fc.integer({ min: 1, max: 4 })
const taskId = fc.constantFrom('t', 'u')
const status = fc.constantFrom('working', 'input_required', 'completed', 'failed', 'cancelled', 'odd')
const said = fc.record(
  {
    taskId,
    status,
    lastUpdatedAt: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'),
    inputRequests: fc.dictionary(fc.constantFrom('a', 'b'), fc.constant({ method: 'roots/list' })),
    result: fc.constant({ content: [] }),
    ttl: fc.jsonValue(),
    pollIntervalMs: fc.jsonValue(),
    resultType: fc.constant('task'),
  },
  { requiredKeys: ['taskId', 'status'] },
) as fc.Arbitrary<JsonObject>
const message: fc.Arbitrary<Json> = fc.oneof(
  fc.record({
    id,
    method: fc.constantFrom('tools/call', 'tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel', 'tasks/update'),
    params: fc.record({ taskId, inputResponses: fc.constant({ a: {} }) }),
  }),
  fc.record({
    id,
    result: fc.oneof(
      said,
      said.map((task) => ({ task })),
      said.map((task) => ({ tasks: [task] })),
    ),
  }),
  fc.record({ id, error: fc.record({ code: fc.constant(-32602), message: fc.constant('no') }) }),
  fc.record({ method: fc.constantFrom('notifications/tasks', 'notifications/tasks/status'), params: said }),
  fc.jsonValue() as fc.Arbitrary<Json>,
)
const draft: fc.Arbitrary<FrameDraft> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('message' as const),
      direction: fc.constantFrom('sent' as const, 'received' as const),
      type: fc.constant('request' as const),
      message,
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
  JSON.stringify(value, (_, part: unknown) => (part instanceof Map ? [...part] : part))

test('any traffic is folded without a fault, and in parts as in one', () => {
  fc.assert(
    fc.property(traffic, fc.nat(40), traffic, (frames, cut, others) => {
      const state = foldAll(tasksFold, frames.slice(0, cut))
      foldAll(tasksFold, others)
      foldAll(tasksFold, frames.slice(cut), state)
      expect(plain(state)).toBe(plain(foldAll(tasksFold, frames)))
    }),
  )
})

test('the fold says "nothing changed" only when nothing changed', () => {
  fc.assert(
    fc.property(traffic, (frames) => {
      const state = tasksFold.initial()
      for (const frame of frames) {
        const before = plain(state)
        if (tasksFold.step(state, frame) === false) expect(plain(state)).toBe(before)
      }
    }),
  )
})
