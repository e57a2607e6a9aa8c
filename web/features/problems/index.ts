/** Problems: all violations of the specification by a server, and advice, grouped by rule; and statistics of its methods. */
import type { TabFeature } from '../feature.ts'
import { problemCount } from './problem-source.svelte.ts'

export { withoutMuted } from './without-muted.ts'
export { mutedRulesOf } from './muted-rules.svelte.ts'
export { problemsOf } from './problem-list.ts'
export { problemCount } from './problem-source.svelte.ts'

export const problems: TabFeature = {
  id: 'problems',
  title: { en: 'Problems', 'zh-CN': '问题' },
  at: 'panel',
  key: 'm',
  badge: (server) => problemCount(server) || undefined,
  panel: () => import('./ProblemsPanel.svelte'),
}
