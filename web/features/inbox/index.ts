/**
 * The Inbox: what servers ask of their user, whatever route it came by, of all servers at once. Nothing is answered here that
 * its user does not answer, and what was asked before stays to be read (BP-13).
 */
import type { TabFeature } from '../feature.ts'
import { serverRequestsFold } from '../server-requests/index.ts'

export const inbox: TabFeature = {
  id: 'inbox',
  title: { en: 'Inbox', 'zh-CN': '收件箱' },
  key: 'i',
  badge: (server) => server.state(serverRequestsFold).current.open.get(server.link)?.size || undefined,
  urgent: true,
  panel: () => import('./InboxPanel.svelte'),
}
