/** The execution log: all calls of tools, who started them, how they were allowed, and what came of them. */
import type { TabFeature } from '../feature.ts'
import { executionLogFold } from './log-fold.ts'

export const executionLog: TabFeature = {
  id: 'execution-log',
  title: { en: 'Tool safety', 'zh-CN': '工具安全' },
  at: 'panel',
  key: 's',
  folds: async () => [executionLogFold],
  panel: () => import('./ExecutionLogPanel.svelte'),
}
