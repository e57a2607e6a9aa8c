/**
 * Checks: runs recorded or saved calls again, compares and evaluates their responses, and compares two servers or
 * sessions.
 */
import { loadOffers } from '../offers/lazy.ts'
import type { TabFeature } from '../feature.ts'

export const checks: TabFeature = {
  id: 'checks',
  title: { en: 'Checks', 'zh-CN': '检查' },
  key: 'c',
  opened: (server) => void loadOffers().then(({ offers }) => offers.follow(server)),
  panel: () => import('./ChecksPanel.svelte'),
}
