/**
 * Authorization: signing in to a server over HTTP, the tokens that come of it, and what becomes of them.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
import type { Feature } from '../feature.ts'

export const authorization: Feature = {
  id: 'authorization',
  title: () => 'Authorization',
  spec: '{revision}/basic/authorization',
  // It happens before and around the messages, never in them.
  methods: {},
  key: 'a',
  // AU-GEN-01: over stdio credentials come from the environment; the sample asks nobody who they are.
  offeredFor: ({ transport }) => transport !== 'stdio' && transport !== 'in this page',
  panel: () => import('./AuthorizationPanel.svelte'),
}
