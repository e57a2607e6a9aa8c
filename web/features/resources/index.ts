/**
 * Resources: data that a server makes readable by URI.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
import type { TabFeature } from '../feature.ts'
import { countIn, followDeclared } from '../lists/index.ts'
import { RESOURCES, resourcesFold, TEMPLATES, templatesFold } from './resources-fold.ts'
import { lostOf, subscribe, updatesFold } from './subscriptions.ts'

export { resourcesFold, templatesFold } from './resources-fold.ts'

export const resources: TabFeature = {
  id: 'resources',
  title: { en: 'Resources', 'zh-CN': '资源' },
  key: 'r',
  badge: (server) => countIn(server, resourcesFold, templatesFold),
  offered: ({ capabilities }) => 'resources' in capabilities,
  opened: (server) => {
    const { session, link } = server
    followDeclared(server, 'resources', RESOURCES, resourcesFold)
    followDeclared(server, 'resources', TEMPLATES, templatesFold)
    // Renew only the subscriptions that the user had when the previous session ended.
    if (session) subscribe(session, lostOf(server.state(updatesFold).current.get(link)))
  },
  folds: async () => [resourcesFold, templatesFold, updatesFold, (await import('./reads.ts')).readsFold],
  panel: () => import('./ResourcesPanel.svelte'),
}
