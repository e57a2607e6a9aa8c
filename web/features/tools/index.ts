/**
 * Tools: functions that a server offers to models.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */
import type { TabFeature } from '../feature.ts'
import { countIn, followDeclared } from '../lists/index.ts'
import { TOOLS, toolsFold } from './tools-fold.ts'

export { toolsFold } from './tools-fold.ts'

export const tools: TabFeature = {
  id: 'tools',
  title: { en: 'Tools', 'zh-CN': '工具' },
  key: 't',
  badge: (server) => countIn(server, toolsFold),
  offered: ({ capabilities }) => 'tools' in capabilities,
  opened: (server) => followDeclared(server, 'tools', TOOLS, toolsFold),
  folds: async () => [toolsFold, (await import('./outcome.ts')).callsFold],
  panel: () => import('./ToolsPanel.svelte'),
}
