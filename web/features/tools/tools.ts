/**
 * Tools: what a server lets a model do.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */
import type { Feature } from '../feature.ts'
import { followTools } from './list.ts'
import { toolsFold } from './tools-fold.ts'

export const tools: Feature = {
  id: 'tools',
  title: () => 'Tools',
  spec: '{revision}/server/tools',
  methods: {
    'tools/list': { span: { since: '2024-11-05' }, from: 'client', capability: 'tools' },
    'tools/call': { span: { since: '2024-11-05' }, from: 'client', capability: 'tools', nameParam: 'name' },
    'notifications/tools/list_changed': {
      span: { since: '2024-11-05' },
      from: 'server',
      capability: 'tools.listChanged',
    },
  },
  key: 't',
  count: (server) => {
    const list = server.state(toolsFold).current.get(server.link)
    return list && (list.complete || list.items.length > 0) ? list.items.length : undefined
  },
  offered: ({ capabilities }) => 'tools' in capabilities,
  opened: (server) => {
    const { session, peer } = server
    // SF-TOOL-01: a server that does not declare tools is asked only when the user wants to.
    if (session) followTools(session, server.state(toolsFold), { lazy: !peer || !('tools' in peer.capabilities) })
  },
  panel: () => import('./ToolsPanel.svelte'),
}
