/** What only opened recordings need: each function loads its own chunk. */
import { loadOnce } from '../../ui/index.ts'

export const loadRecordingBar = loadOnce(() => import('./RecordingBar.svelte'))
