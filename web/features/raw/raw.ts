/** Raw: any text as a message on the open connection, wrong on purpose perhaps, and what comes of it. */
import type { Feature } from '../feature.ts'

export const raw: Feature = {
  id: 'raw',
  title: () => 'Raw',
  spec: '{revision}/basic',
  // It sends what others define.
  methods: {},
  key: 'w',
  panel: () => import('./RawPanel.svelte'),
}
