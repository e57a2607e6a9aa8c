/**
 * Checks: what was recorded or saved is sent again and compared, what is expected of it is judged, and any two servers or
 * sessions are held side by side.
 */
import { loadOffers } from '../offers/lazy.ts'
import type { Feature } from '../feature.ts'

export const checks: Feature = {
  id: 'checks',
  title: () => 'Checks',
  spec: '{revision}/basic',
  methods: {},
  key: 'c',
  opened: (server) => void loadOffers().then(({ offers }) => offers.follow(server)),
  panel: () => import('./ChecksPanel.svelte'),
}
