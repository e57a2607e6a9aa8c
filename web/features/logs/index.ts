/**
 * Logging: messages that a server sends beside its responses, and its process's stderr.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
 */
import type { TabFeature } from '../feature.ts'
import { requestLevel, storedLevel } from './level.ts'
import { levelOf, logsFold } from './logs-fold.ts'

const ERROR = levelOf('error')

export const logs: TabFeature = {
  id: 'logs',
  title: { en: 'Logs', 'zh-CN': '日志' },
  at: 'panel',
  key: 'l',
  // Count only errors and worse: a number that grows with every line would be noise.
  badge: (server) => {
    const counts = server.state(logsFold).current.get(server.link)?.counts ?? []
    const bad = counts.slice(ERROR).reduce((sum, count) => sum + count, 0)
    return bad > 0 ? bad : undefined
  },
  offered: ({ capabilities }) => 'logging' in capabilities,
  // stderr exists whatever the server declares.
  offeredFor: (server) => server.transport === 'stdio' || !server.peer || 'logging' in server.peer.capabilities,
  opened: (server) => {
    const level = storedLevel(server)
    if (level !== undefined) requestLevel(server, level)
  },
  folds: async () => [logsFold],
  panel: () => import('./LogsPanel.svelte'),
}
