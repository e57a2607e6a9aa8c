/**
 * The Inbox: the requests of all servers, from any source. Only the user answers here; past requests stay readable
 * (BP-13).
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
