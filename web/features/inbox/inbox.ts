/**
 * The Inbox: what servers ask of their user, whatever road it came by, of all servers at once. Nothing is answered here that
 * its user does not answer, and what was asked before stays to be read (BP-13).
 */
import type { Feature } from '../feature.ts'
import { questionsFold } from '../questions/index.ts'

export const inbox: Feature = {
  id: 'inbox',
  title: () => 'Inbox',
  spec: '{revision}/client',
  methods: {},
  key: 'i',
  count: (server) => server.state(questionsFold).current.open.get(server.link)?.size || undefined,
  urgent: true,
  panel: () => import('./InboxPanel.svelte'),
}
