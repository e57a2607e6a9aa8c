/**
 * Tools: functions that a server offers to models.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */
import type { TabFeature } from '../feature.ts'
import { followListing } from '../lists/index.ts'
import { TOOLS, toolsFold } from './tools-fold.ts'

export { toolsFold } from './tools-fold.ts'

export const tools: TabFeature = {
  id: 'tools',
  title: { en: 'Tools', 'zh-CN': '工具' },
  key: 't',
  badge: (server) => {
    const list = server.state(toolsFold).current.get(server.link)
    return list && (list.complete || list.items.length > 0) ? list.items.length : undefined
  },
  offered: ({ capabilities }) => 'tools' in capabilities,
  opened: (server) => {
    const { session, peer } = server
    // SF-TOOL-01: a server that doesn't declare tools gets the request only when the user asks for it.
    if (session)
      followListing(session, TOOLS, server.state(toolsFold), { lazy: !peer || !('tools' in peer.capabilities) })
  },
  folds: async () => [toolsFold, (await import('./outcome.ts')).callsFold],
  panel: () => import('./ToolsPanel.svelte'),
}
