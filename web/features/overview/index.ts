/**
 * Overview: the server's identity, the negotiated version and capabilities, and the evidence for them.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 */
import type { TabFeature } from '../feature.ts'
import { healthFold } from './health-fold.ts'

export { type Health, NO_HEALTH, healthFold, lastRoundTrip } from './health-fold.ts'
export { NO_PROCESS, type ProcessFacts, stepProcess } from './process.ts'

export const overview: TabFeature = {
  id: 'overview',
  title: { en: 'Overview', 'zh-CN': '概览' },
  key: 'o',
  folds: async () => {
    const [{ COUNTED, factsFold }, { subscriptionsFold }, { connectionAdviceFold, diagnosisFold }] = await Promise.all([
      import('./facts-fold.ts'),
      import('./subscriptions-fold.ts'),
      import('../../doctor/index.ts'),
    ])
    return [
      factsFold,
      healthFold,
      subscriptionsFold,
      diagnosisFold,
      connectionAdviceFold,
      ...COUNTED.map(({ fold }) => fold),
    ]
  },
  panel: () => import('./OverviewPanel.svelte'),
}
