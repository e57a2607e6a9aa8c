/**
 * Resources: data that a server makes readable by URI.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
import type { TabFeature } from '../feature.ts'
import { followListing } from '../lists/index.ts'
import { RESOURCES, resourcesFold, TEMPLATES, templatesFold } from './resources-fold.ts'
import { lostOf, subscribe, updatesFold } from './subscriptions.ts'

export { resourcesFold, templatesFold } from './resources-fold.ts'

export const resources: TabFeature = {
  id: 'resources',
  title: { en: 'Resources', 'zh-CN': '资源' },
  key: 'r',
  badge: (server) => {
    const lists = [resourcesFold, templatesFold].map((fold) => server.state(fold).current.get(server.link))
    const known = lists.filter((list) => list && (list.complete || list.items.length > 0))
    return known.length === 0 ? undefined : known.reduce((sum, list) => sum + list!.items.length, 0)
  },
  offered: ({ capabilities }) => 'resources' in capabilities,
  opened: (server) => {
    const { session, peer, link } = server
    if (!session) return
    // SF-RES-01: a server that doesn't declare resources gets the request only when the user asks for it.
    const lazy = !peer || !('resources' in peer.capabilities)
    followListing(session, RESOURCES, server.state(resourcesFold), { lazy })
    followListing(session, TEMPLATES, server.state(templatesFold), { lazy })
    // Renew only the subscriptions that the user had when the previous session ended.
    subscribe(session, lostOf(server.state(updatesFold).current.get(link)))
  },
  folds: async () => [resourcesFold, templatesFold, updatesFold, (await import('./reads.ts')).readsFold],
  panel: () => import('./ResourcesPanel.svelte'),
}
