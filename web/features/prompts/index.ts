/**
 * Prompts: message templates that a server offers its users.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
 */
import type { TabFeature } from '../feature.ts'
import { countIn, followDeclared } from '../lists/index.ts'
import { PROMPTS, promptsFold } from '../prompt-commands/index.ts'

export const prompts: TabFeature = {
  id: 'prompts',
  title: { en: 'Prompts', 'zh-CN': '提示词' },
  key: 'p',
  badge: (server) => countIn(server, promptsFold),
  offered: ({ capabilities }) => 'prompts' in capabilities,
  opened: (server) => followDeclared(server, 'prompts', PROMPTS, promptsFold),
  folds: async () => [promptsFold, (await import('./outcome.ts')).getsFold],
  panel: () => import('./PromptsPanel.svelte'),
}
