/**
 * The experimental tasks of 2025-11-25, without an SDK. As in `tasks.ts`, a task advances with each `tasks/get`, not
 * with time, except for `expires`. Requests sent within a task arrive while `tasks/result` is pending (TASK-06).
 */
import { initialized } from './well-kept.ts'
import {
  text,
  type Exchange,
  type Handler,
  type Json,
  type JsonObject,
  type Kind,
  type Kinds,
  type Task,
} from './wire.ts'

const RELATED = 'io.modelcontextprotocol/related-task'

type Status = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

interface Plan {
  readonly says: string
  readonly support: 'required' | 'optional' | 'forbidden'
  readonly status: (task: Task) => Status
  readonly outcome: JsonObject
  /** ms; default: the requested value. */
  readonly ttl?: number
}

const steps =
  (polls: number, end: Status) =>
  (task: Task): Status =>
    task.polls >= polls ? end : 'working'

const PLANS: Readonly<Record<string, Plan>> = {
  slow: {
    says: 'Completes after three polls',
    support: 'optional',
    status: steps(3, 'completed'),
    outcome: { result: text('slow is done') },
  },
  'only-task': {
    says: 'Must be called as a task (TASK-03)',
    support: 'required',
    status: steps(1, 'completed'),
    outcome: { result: text('done') },
  },
  'never-task': {
    says: 'Must not be called as a task',
    support: 'forbidden',
    status: () => 'completed',
    outcome: { result: text('done') },
  },
  'is-error': {
    says: 'Has isError in its result, and so fails (TASK-10)',
    support: 'optional',
    status: steps(1, 'failed'),
    outcome: { result: { ...text('It did not work'), isError: true } },
  },
  fails: {
    says: 'Fails with an error of JSON-RPC, which tasks/result gives',
    support: 'optional',
    status: steps(1, 'failed'),
    outcome: { error: { code: -32603, message: 'No database' } },
  },
  asks: {
    says: 'Asks for a name while tasks/result waits',
    support: 'optional',
    status: ({ answers, polls }) => ('name' in answers ? 'completed' : polls === 0 ? 'working' : 'input_required'),
    outcome: { result: text('thank you') },
  },
  endless: { says: 'Works until it is cancelled', support: 'optional', status: () => 'working', outcome: {} },
  expires: {
    says: 'Is gone after 60 ms',
    support: 'optional',
    status: () => 'working',
    outcome: { result: text('too late') },
    ttl: 60,
  },
}

const statusOf = (task: Task): Status => (task.cancelled ? 'cancelled' : PLANS[task.kind]!.status(task))
const isTerminal = (status: Status): boolean => ['completed', 'failed', 'cancelled'].includes(status)
const isOver = (task: Task): boolean => task.ttlMs !== null && Date.now() > task.createdAt + task.ttlMs

const shown = (task: Task): JsonObject => ({
  taskId: task.id,
  status: statusOf(task),
  statusMessage: `poll ${task.polls}`,
  createdAt: new Date(task.createdAt).toISOString(),
  lastUpdatedAt: new Date(task.createdAt + task.polls).toISOString(),
  ttl: task.ttlMs,
  // Changes during the task.
  pollInterval: [5, 20, 10][task.polls] ?? 5,
})

const call: Handler = ({ message, place, answer, refuse, say }) => {
  const name = message.params?.['name'] as string
  const plan = Object.hasOwn(PLANS, name) ? PLANS[name] : undefined
  if (!plan) return 'well'
  const wanted = message.params?.['task'] as JsonObject | undefined
  if (wanted === undefined) {
    if (plan.support === 'required') return refuse(-32601, 'This tool must be called as a task')
    if (plan.outcome['error'] !== undefined) return refuse(-32603, 'No database')
    return answer((plan.outcome['result'] ?? text('')) as JsonObject)
  }
  if (plan.support === 'forbidden') return refuse(-32601, 'This tool must not be called as a task')
  const task: Task = {
    id: `task-${name}-${place.tasks.size + 1}`,
    kind: name,
    createdAt: Date.now(),
    ttlMs: plan.ttl ?? (wanted['ttl'] as number | null | undefined) ?? null,
    polls: 0,
    cancelled: false,
    answers: {},
  }
  place.tasks.set(task.id, task)
  say({ method: 'notifications/tasks/status', params: shown(task) })
  answer({ task: shown(task) })
}

const withTask =
  (then: (exchange: Exchange, task: Task) => void | Promise<void>): Handler =>
  (exchange) => {
    const id = exchange.message.params?.['taskId'] as string
    const task = exchange.place.tasks.get(id)
    if (!task || isOver(task)) return exchange.refuse(-32602, `Task not found: ${id}`)
    return then(exchange, task)
  }

/** ms that `tasks/result` waits at most. */
const PATIENCE = 20_000

const giveResult = async (exchange: Exchange, task: Task): Promise<void> => {
  const { say, answer, refuse, pause, place } = exchange
  const _meta: JsonObject = { [RELATED]: { taskId: task.id } }
  if (statusOf(task) === 'input_required') {
    const id = `ask-${task.id}`
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    say({ id, method: 'elicitation/create', params: { message: 'Who are you?', requestedSchema, _meta } })
    const answered = () =>
      place.seen.map(({ message }) => message as { id?: Json; result?: Json }).find((each) => each.id === id)
    for (let waited = 0; waited < PATIENCE && !answered(); waited += 5) if (!(await pause(5))) return
    task.answers['name'] = answered()?.result ?? null
  }
  for (let waited = 0; waited < PATIENCE && !isTerminal(statusOf(task)); waited += 5) if (!(await pause(5))) return
  const { result, error } = PLANS[task.kind]!.outcome
  if (task.cancelled || (result === undefined && error === undefined)) return refuse(-32603, 'The task was cancelled')
  if (error !== undefined) return refuse(-32603, 'No database')
  answer({ ...(result as JsonObject), _meta })
}

const tools: JsonObject[] = [
  ...Object.entries(PLANS).map(([name, { says, support }]) => ({
    name,
    description: says,
    inputSchema: { type: 'object' },
    execution: { taskSupport: support },
  })),
  { name: 't', description: 'Says nothing of tasks', inputSchema: { type: 'object' } },
  { name: 'seen', description: 'All that came so far, as JSON', inputSchema: { type: 'object' } },
]

const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }

const kind = (says: string, declared: JsonObject): Kind => ({
  says,
  speaks: 'handshake',
  revision: '2025-11-25',
  on: {
    initialize: ({ answer }) =>
      answer({
        ...initialized({ says, speaks: 'handshake', revision: '2025-11-25' }, undefined),
        capabilities: declared,
      }),
    'tools/list': ({ answer }) => answer({ tools }),
    'tools/call': call,
    'tasks/get': withTask(({ answer }, task) => {
      task.polls++
      answer(shown(task))
    }),
    'tasks/result': withTask(giveResult),
    'tasks/cancel': withTask(({ answer, refuse }, task) => {
      if (isTerminal(statusOf(task))) return refuse(-32602, 'The task is over')
      task.cancelled = true
      answer(shown(task))
    }),
    'tasks/list': ({ message, place, answer }) => {
      const from = Number(message.params?.['cursor'] ?? 0)
      const all = [...place.tasks.values()].filter((task) => !isOver(task))
      const more: JsonObject = from + 2 < all.length ? { nextCursor: String(from + 2) } : {}
      answer({ tasks: all.slice(from, from + 2).map(shown), ...more })
    },
  },
})

export const tasks2025 = {
  'tasks-2025': kind('The experimental tasks of 2025-11-25: the tools say what their tasks do', capabilities),
  'tasks-2025-undeclared': kind('The same, and the server does not declare them', { tools: {} }),
  'tasks-2025-bare': kind('Declares tasks for tools/call, but neither list nor cancel', {
    tools: {},
    tasks: { requests: { tools: { call: {} } } },
  }),
} as const satisfies Kinds
