/** Raw: any text as a message on the open connection, wrong on purpose perhaps, and what comes of it. */
import type { TabFeature } from '../feature.ts'

export const raw: TabFeature = {
  id: 'raw',
  title: { en: 'Raw', 'zh-CN': '原始消息' },
  key: 'w',
  folds: async () => [(await import('./sent-fold.ts')).sentFold],
  panel: () => import('./RawPanel.svelte'),
}
