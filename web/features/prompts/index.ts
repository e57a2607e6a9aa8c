/**
 * Prompts: message templates that a server offers its users.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
 */
import type { TabFeature } from '../feature.ts'
import { followListing } from '../lists/index.ts'
import { PROMPTS, promptsFold } from './prompts-fold.ts'

export { promptsFold } from './prompts-fold.ts'

export const prompts: TabFeature = {
  id: 'prompts',
  title: { en: 'Prompts', 'zh-CN': '提示词' },
  key: 'p',
  badge: (server) => {
    const list = server.state(promptsFold).current.get(server.link)
    return list && (list.complete || list.items.length > 0) ? list.items.length : undefined
  },
  offered: ({ capabilities }) => 'prompts' in capabilities,
  opened: (server) => {
    const { session, peer } = server
    if (!session) return
    // SF-PROMPT-06: a server that doesn't declare prompts gets the request only when the user asks for it.
    followListing(session, PROMPTS, server.state(promptsFold), { lazy: !peer || !('prompts' in peer.capabilities) })
  },
  folds: async () => [promptsFold, (await import('./outcome.ts')).getsFold],
  panel: () => import('./PromptsPanel.svelte'),
}
