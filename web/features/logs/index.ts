/**
 * Logging: what a server tells beside its answers, and what its process writes to stderr.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
 */
import type { TabFeature } from '../feature.ts'
import { askFor, keptLevel } from './level.ts'
import { levelOf, logsFold } from './logs-fold.ts'

const ERROR = levelOf('error')

export const logs: TabFeature = {
  id: 'logs',
  title: { en: 'Logs', 'zh-CN': '日志' },
  key: 'l',
  // A number that grew with every line would be noise: only errors and worse are counted.
  badge: (server) => {
    const counts = server.state(logsFold).current.get(server.link)?.counts ?? []
    const bad = counts.slice(ERROR).reduce((sum, count) => sum + count, 0)
    return bad > 0 ? bad : undefined
  },
  offered: ({ capabilities }) => 'logging' in capabilities,
  // stderr is there whatever the server declares.
  offeredFor: (server) => server.transport === 'stdio' || !server.peer || 'logging' in server.peer.capabilities,
  opened: (server) => {
    const level = keptLevel(server)
    if (level !== undefined) askFor(server, level)
  },
  folds: async () => [logsFold],
  panel: () => import('./LogsPanel.svelte'),
}
