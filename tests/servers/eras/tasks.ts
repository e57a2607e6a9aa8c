/**
 * The tasks extension of 2026-07-28 (`io.modelcontextprotocol/tasks`), without an SDK. The tool that starts a task
 * determines its behaviour. A task advances with each `tasks/get`, not with time, so only `expires` depends on a clock.
 */
import {
  capabilitiesOf,
  complete,
  subscription,
  text,
  type Exchange,
  type Handler,
  type Json,
  type JsonObject,
  type Kinds,
  type Place,
  type Task,
} from './wire.ts'

const EXTENSION = 'io.modelcontextprotocol/tasks'

const form = (words: string, name: string): JsonObject => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: words,
    requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  },
})

/** The state of a task. */
type State = { readonly status: string } & JsonObject

const working = (pollIntervalMs: number, statusMessage: string): State => ({
  status: 'working',
  pollIntervalMs,
  statusMessage,
})
const done = (result: JsonObject): State => ({ status: 'completed', result })

/** Each tool that starts a task: what it does, and its state after a number of polls. */
const TASKS: Readonly<
  Record<string, { readonly says: string; readonly state: (task: Task) => State; ttlMs?: number }>
> = {
  slow: {
    says: 'Works for three polls, 10 ms apart, then 40, then 5; then completes',
    state: ({ polls }) => (polls > 3 ? done(text('slow is done')) : working([5, 10, 40, 5][polls]!, `step ${polls}`)),
  },
  'is-error': {
    says: 'Completes with isError',
    state: ({ polls }) => (polls > 1 ? done({ ...text('It did not work'), isError: true }) : working(5, 'trying')),
  },
  fails: {
    says: 'Fails with an error of JSON-RPC',
    state: ({ polls }) =>
      polls > 1 ? { status: 'failed', error: { code: -32603, message: 'No database' } } : working(5, 'trying'),
  },
  asks: {
    says: 'Asks for a name, completes with it',
    state: ({ answers }) =>
      'name' in answers
        ? done(text(JSON.stringify(answers)))
        : { status: 'input_required', pollIntervalMs: 5, inputRequests: { name: form('Who are you?', 'name') } },
  },
  'asks-two': {
    says: 'Asks for a name and a colour at once, takes one at a time; a question that was answered is not asked again',
    state: ({ answers }) => {
      const questions = { name: form('Who are you?', 'name'), colour: form('Your colour?', 'colour') }
      const left = Object.entries(questions).filter(([key]) => !(key in answers))
      if (left.length === 0) return done(text(JSON.stringify(answers)))
      return { status: 'input_required', pollIntervalMs: 5, inputRequests: Object.fromEntries(left) }
    },
  },
  endless: { says: 'Works until it is cancelled', state: ({ polls }) => working(5, `step ${polls}`) },
  stubborn: {
    says: 'Works for four polls and completes, cancelled or not',
    state: ({ polls }) => (polls > 4 ? done(text('done all the same')) : working(5, `step ${polls}`)),
  },
  expires: { says: 'Is gone after 60 ms', state: ({ polls }) => working(20, `step ${polls}`), ttlMs: 60 },
  'asks-first': {
    says: 'Asks for a name before it begins a task',
    state: ({ polls }) => (polls > 1 ? done(text('done')) : working(5, '')),
  },
  'no-interval': {
    says: 'Completes after three polls, and names no interval',
    state: ({ polls }) => (polls > 2 ? done(text('done')) : { status: 'working' }),
  },
}

const isOver = (task: Task): boolean => task.ttlMs !== null && Date.now() > task.createdAt + task.ttlMs

const detailed = (task: Task): JsonObject => {
  const state: State =
    task.cancelled && task.kind !== 'stubborn' ? { status: 'cancelled' } : TASKS[task.kind]!.state(task)
  return {
    taskId: task.id,
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date(task.createdAt + task.polls).toISOString(),
    ttlMs: task.ttlMs,
    ...state,
  }
}

const declares = ({ message }: Exchange): boolean =>
  EXTENSION in ((capabilitiesOf(message)['extensions'] ?? {}) as JsonObject)

const withExtension =
  (then: (exchange: Exchange) => void | 'well'): Handler =>
  (exchange) => {
    if (declares(exchange)) return then(exchange)
    const data = { requiredCapabilities: { extensions: { [EXTENSION]: {} } } }
    exchange.refuse(-32021, 'The request needs the tasks extension', { data, status: 400 })
  }

const withTask = (then: (exchange: Exchange, task: Task) => void): Handler =>
  withExtension((exchange) => {
    const { message, place, refuse } = exchange
    const id = message.params?.['taskId'] as string
    const task = place.tasks.get(id)
    if (!task || isOver(task)) return refuse(-32602, `Task not found: ${id}`)
    if (exchange.http && exchange.http.request.headers['mcp-name'] !== id)
      return refuse(-32020, 'Header mismatch: Mcp-Name is not the taskId', { status: 400 })
    then(exchange, task)
  })

const tell = (place: Place, task: Task): void => {
  for (const { id, wants, exchange } of place.listeners) {
    if (!((wants['taskIds'] ?? []) as Json[]).includes(task.id)) continue
    exchange.say({ method: 'notifications/tasks', params: { ...detailed(task), _meta: subscription(id) } })
  }
}

const begin: Handler = (exchange) => {
  const { message, place, answer } = exchange
  const name = message.params?.['name'] as string
  if (!Object.hasOwn(TASKS, name)) return 'well'
  return withExtension(() => {
    if (name === 'asks-first' && message.params?.['inputResponses'] === undefined)
      return answer({ resultType: 'input_required', inputRequests: { name: form('Who are you?', 'name') } })
    const task: Task = {
      id: `task-${name}-${place.tasks.size + 1}`,
      kind: name,
      createdAt: Date.now(),
      ttlMs: TASKS[name]!.ttlMs ?? 60_000,
      polls: 0,
      cancelled: false,
      answers: {},
    }
    place.tasks.set(task.id, task)
    const { inputRequests: _, result: __, error: ___, ...state } = detailed(task)
    answer({ ...complete(state), resultType: 'task', status: 'working' })
  })(exchange)
}

const tools: JsonObject[] = [
  ...Object.entries(TASKS).map(([name, { says }]) => ({ name, description: says, inputSchema: { type: 'object' } })),
  { name: 'push', description: 'Every task goes one poll on, and listeners are told', inputSchema: { type: 'object' } },
  { name: 't', description: 'Answers at once', inputSchema: { type: 'object' } },
  { name: 'seen', description: 'All that came so far, as JSON', inputSchema: { type: 'object' } },
]

const handlers: { readonly [method: string]: Handler } = {
  'server/discover': ({ answer }) =>
    answer(
      complete({
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, extensions: { [EXTENSION]: {} } },
        ttlMs: 1000,
        cacheScope: 'private',
      }),
    ),
  'tools/list': ({ answer }) => answer(complete({ tools, ttlMs: 1000, cacheScope: 'private' })),
  'tools/call': (exchange) => {
    const { message, place, answer } = exchange
    if (message.params?.['name'] !== 'push') return begin(exchange)
    for (const task of place.tasks.values()) {
      task.polls++
      tell(place, task)
    }
    answer(complete(text(String(place.tasks.size))))
  },
  'tasks/get': withTask(({ answer }, task) => {
    task.polls++
    answer(complete(detailed(task)))
  }),
  'tasks/update': withTask(({ message, place, answer }, task) => {
    Object.assign(task.answers, message.params?.['inputResponses'])
    answer(complete({}))
    tell(place, task)
  }),
  'tasks/cancel': withTask(({ place, answer }, task) => {
    const { status } = detailed(task)
    task.cancelled ||= status === 'working' || status === 'input_required'
    answer(complete({}))
    tell(place, task)
  }),
}

const taskAnswer = (status: string): JsonObject => ({
  taskId: 'odd',
  status,
  createdAt: '2026-08-01T00:00:00.000Z',
  lastUpdatedAt: '2026-08-01T00:00:00.000Z',
  ttlMs: null,
  pollIntervalMs: 5,
})

/** The tool `t` starts a task, and `tasks/get` returns this. */
const oddTask = (says: string, get: JsonObject, created: JsonObject = taskAnswer('working')): Kinds[string] => ({
  says,
  speaks: 'modern',
  on: {
    ...handlers,
    'tools/call': (exchange) => {
      if (exchange.message.params?.['name'] !== 't') return 'well'
      return withExtension(({ answer }) => answer({ ...created, resultType: 'task' }))(exchange)
    },
    'tasks/get': ({ answer }) => answer(complete(get)),
    'tasks/cancel': ({ answer }) => answer(complete({})),
    'tasks/update': ({ answer }) => answer(complete({})),
  },
})

export const tasks = {
  tasks: { says: 'The tasks extension: the tools say what their tasks do', speaks: 'modern', on: handlers },
  'tasks-type-task': oddTask('resultType "task" in answer to tasks/get (TEXT-12)', {
    ...taskAnswer('completed'),
    resultType: 'task',
    result: text('done'),
  }),
  'tasks-unknown-status': oddTask('Status "paused"', taskAnswer('paused')),
  'tasks-no-result': oddTask('Completed without a result', taskAnswer('completed')),
  'tasks-no-questions': oddTask('input_required without inputRequests', taskAnswer('input_required')),
  'tasks-old-names': oddTask(
    'ttl and pollInterval, as of 2025-11-25 (TEXT-14)',
    { ...taskAnswer('completed'), result: text('done') },
    { taskId: 'odd', status: 'working', createdAt: '2026-08-01T00:00:00.000Z', ttl: 60_000, pollInterval: 5 },
  ),
  'tasks-odd-intervals': oddTask(
    'pollIntervalMs -1 at first, then 1e12, then text',
    { ...taskAnswer('completed'), pollIntervalMs: 'soon', result: text('done') },
    { ...taskAnswer('working'), pollIntervalMs: -1 },
  ),
  'tasks-revived': {
    says: 'Completed, then working, then completed with something else',
    speaks: 'modern',
    on: {
      ...oddTask('', {}).on,
      'tasks/get': ({ place, answer }) => {
        const n = (place.counts.get('gets') ?? 0) + 1
        place.counts.set('gets', n)
        answer(complete(n === 2 ? taskAnswer('working') : { ...taskAnswer('completed'), result: text(`done ${n}`) }))
      },
    },
  },
  'tasks-on-list': {
    says: 'resultType "task" in answer to tools/list (TEXT-03)',
    speaks: 'modern',
    on: { ...handlers, 'tools/list': ({ answer }) => answer({ ...taskAnswer('working'), resultType: 'task' }) },
  },
  'tasks-always': {
    says: 'A task for tools/call, whether the client declared the extension or not',
    speaks: 'modern',
    on: {
      ...handlers,
      'tools/call': ({ message, answer }) =>
        message.params?.['name'] === 't' ? answer({ ...taskAnswer('working'), resultType: 'task' }) : 'well',
    },
  },
} as const satisfies Kinds
