/**
 * Overview: who the server says it is, what was negotiated, and how that is known.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 */
import type { Feature } from '../feature.ts'

export const overview: Feature = {
  id: 'overview',
  title: () => 'Overview',
  spec: '{revision}/basic/lifecycle',
  // `initialize` and `ping` are the kernel's own.
  methods: {},
  key: 'o',
  panel: () => import('./OverviewPanel.svelte'),
}
