/** Problems: all violations of the specification by a server, and advice, grouped by rule; and statistics of its methods. */
import type { TabFeature } from '../feature.ts'
import { problemCountOf } from '../findings/index.ts'

export const problems: TabFeature = {
  id: 'problems',
  title: { en: 'Problems', 'zh-CN': '问题' },
  at: 'panel',
  key: 'm',
  badge: (server) => problemCountOf(server).current || undefined,
  follows: problemCountOf,
  panel: () => import('./ProblemsPanel.svelte'),
}
