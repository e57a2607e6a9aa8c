/**
 * Authorization: signing in to a server over HTTP, the tokens that come of it, and what becomes of them.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
import type { TabFeature } from '../feature.ts'

export const authorization: TabFeature = {
  id: 'authorization',
  title: { en: 'Authorization', 'zh-CN': '授权' },
  key: 'a',
  // AU-GEN-01: over stdio credentials come from the environment; the sample asks nobody who they are.
  offeredFor: ({ transport }) => transport !== 'stdio' && transport !== 'in this page',
  folds: async () => [(await import('./carried-fold.ts')).carriedFold],
  panel: () => import('./AuthorizationPanel.svelte'),
}
