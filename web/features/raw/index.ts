/** Raw: sends any text as a message on the open connection, even an invalid one, and shows the outcome. */
import type { TabFeature } from '../feature.ts'

export const raw: TabFeature = {
  id: 'raw',
  title: { en: 'Console', 'zh-CN': '控制台' },
  at: 'panel',
  key: 'w',
  folds: async () => [(await import('./sent-fold.ts')).sentFold],
  panel: () => import('./RawPanel.svelte'),
}
