/**
 * Checks: what was recorded or saved is sent again and compared, what is expected of it is judged, and any two servers or
 * sessions are held side by side.
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
