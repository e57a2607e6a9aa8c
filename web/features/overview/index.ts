/**
 * Overview: the server's identity, the negotiated version and capabilities, and the evidence for them.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 */
import type { TabFeature } from '../feature.ts'

export { type Health, NO_HEALTH, healthFold, lastRoundTrip } from './health-fold.ts'
export { NO_PROCESS, type ProcessFacts, stepProcess } from './process.ts'

export const overview: TabFeature = {
  id: 'overview',
  title: { en: 'Overview', 'zh-CN': '概览' },
  key: 'o',
  folds: async () => (await import('./folds.ts')).panelFolds,
  panel: () => import('./OverviewPanel.svelte'),
}
