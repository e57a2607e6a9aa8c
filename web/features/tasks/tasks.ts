/**
 * Tasks: calls that are begun now and answered later, in the two forms they have had.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
import type { JsonObject } from '../../mcp/index.ts'
import type { Feature } from '../feature.ts'
import { TASKS_EXTENSION } from './task.ts'
import { offersTasks, tasksFold } from './tasks-fold.ts'
import { followerOf } from './follow.ts'
import { keepTasks } from './keep.ts'

const ONCE = { since: '2025-11-25', until: '2025-11-25' } as const
const SINCE = { since: '2025-11-25' } as const
const NOW = { since: '2026-07-28' } as const

export const tasks: Feature = {
  id: 'tasks',
  title: () => 'Tasks',
  spec: '{revision}/basic/utilities/tasks',
  methods: {
    'tasks/get': { span: SINCE, from: 'client', capability: 'tasks', nameParam: 'taskId' },
    'tasks/cancel': { span: SINCE, from: 'client', capability: 'tasks.cancel', nameParam: 'taskId' },
    'tasks/result': { span: ONCE, from: 'client', capability: 'tasks' },
    'tasks/list': { span: ONCE, from: 'client', capability: 'tasks.list' },
    'tasks/update': { span: NOW, from: 'client', nameParam: 'taskId' },
    'notifications/tasks/status': { span: ONCE, from: 'both', capability: 'tasks' },
    'notifications/tasks': { span: NOW, from: 'server' },
  },
  // TASK-01: at 2025-11-25 the capability says that we host tasks, and we host none. TEXT-01: the extension is declared.
  declare: (revision): JsonObject => (revision >= '2026-07-28' ? { extensions: { [TASKS_EXTENSION]: {} } } : {}),
  key: 'k',
  count: (server) => server.state(tasksFold).current.get(server.link)?.tasks.size || undefined,
  offered: ({ capabilities, revision }) => offersTasks(capabilities, revision),
  opened: (server) => {
    // Also where the server offers none: what it does, and not what it says, makes a task.
    const { session, kept, link, peer } = server
    if (!session) return
    const books = server.state(tasksFold)
    const follower = followerOf(session, books, server.questions?.answersFor(server))
    // TEXT-06 is about the extension: before it, tasks belong to a session that a reload ends.
    if (kept && peer?.era === 'stateless') keepTasks(kept, link, books, follower)
  },
  panel: () => import('./TasksPanel.svelte'),
}
