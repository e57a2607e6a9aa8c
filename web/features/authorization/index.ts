/**
 * Authorization: sign-in to HTTP servers, the resulting tokens, and their history.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
import type { TabFeature } from '../feature.ts'

export { moment } from './token-tables.ts'

/** All others, such as those of modules, which may have any name, carry no sign-in. Recordings may not know theirs. */
const HTTP: ReadonlySet<string> = new Set(['Streamable HTTP', 'HTTP+SSE', 'unknown'])

export const authorization: TabFeature = {
  id: 'authorization',
  title: { en: 'Auth', 'zh-CN': '授权' },
  key: 'a',
  // AU-GEN-01: stdio servers take credentials from the environment; the sample server needs none, and sign-in is for HTTP.
  existsFor: ({ transport }) => transport === undefined || HTTP.has(transport),
  folds: async () => [(await import('./carried-fold.ts')).carriedFold],
  panel: () => import('./AuthorizationPanel.svelte'),
}
