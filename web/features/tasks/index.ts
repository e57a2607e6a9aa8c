/**
 * Tasks: calls that start now and return their result later, in the two forms that the protocol has had.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
import { TASKS_EXTENSION } from '../../mcp/index.ts'
import type { JsonObject } from '../../mcp/index.ts'
import type { TabFeature } from '../feature.ts'
import { offersTasks, tasksFold } from './tasks-fold.ts'
import { followerOf, keepTasks } from './follow.ts'
import { hostedTasksFold } from './hosted-fold.ts'

export { type Task, type TaskOutcome, type TaskState, isTerminal, outcomeIn, toneOf } from './task.ts'
export { type HostedTask, type HostedTasksByLink, hostedTaskOf, hostedTasksFold } from './hosted-fold.ts'
export { type LinkTasks, type TasksByLink, cancelsTasks, offersTasks, tasksFold } from './tasks-fold.ts'

export const tasks: TabFeature = {
  id: 'tasks',
  title: { en: 'Tasks', 'zh-CN': '任务' },
  // TASK-01: in 2025-11-25 the capability means that this client runs tasks for the server (TASK-13). TEXT-01: later,
  // the extension means that it understands those of the server.
  declares: (revision): JsonObject => {
    if (revision >= '2026-07-28') return { extensions: { [TASKS_EXTENSION]: {} } }
    const requests = { sampling: { createMessage: {} }, elicitation: { create: {} } }
    return revision === '2025-11-25' ? { tasks: { list: {}, cancel: {}, requests } } : {}
  },
  key: 'k',
  badge: (server) => {
    const [theirs, ours] = [server.state(tasksFold), server.state(hostedTasksFold)]
    return (
      (theirs.current.get(server.link)?.tasks.size ?? 0) + (ours.current.get(server.link)?.tasks.size ?? 0) || undefined
    )
  },
  offered: ({ capabilities, revision }) => offersTasks(capabilities, revision),
  opened: (server) => {
    // Also if the server doesn't declare tasks, because it may create them anyway.
    const { session, kept, link, peer } = server
    if (!session) return
    const books = server.state(tasksFold)
    const follower = followerOf(session, books, server.pendingRequests?.answersFor(server))
    // TEXT-06 concerns the extension. Earlier tasks belong to a session, which ends on reload.
    if (kept && peer?.era === 'stateless') keepTasks(kept, link, books, follower)
  },
  folds: async () => [tasksFold, hostedTasksFold],
  panel: () => import('./TasksPanel.svelte'),
}
