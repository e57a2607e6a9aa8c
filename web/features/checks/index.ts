/**
 * Checks: runs recorded or saved calls again, compares and evaluates their responses, and compares two servers or
 * sessions.
 */
import { loadFollowFeatures } from '../server-features/lazy.ts'
import type { TabFeature } from '../feature.ts'

export const checks: TabFeature = {
  id: 'checks',
  title: { en: 'Tests', 'zh-CN': '测试' },
  key: 'c',
  opened: (server) => void loadFollowFeatures().then(({ followFeatures }) => followFeatures(server)),
  panel: () => import('./ChecksPanel.svelte'),
}
