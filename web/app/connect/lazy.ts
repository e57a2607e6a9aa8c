/** The connect form, loaded on demand: each function loads its own chunk. */
import { loadOnce } from '../../ui/index.ts'

export const loadConnectMore = loadOnce(() => import('./ConnectMore.svelte'))
