/** The connect form, loaded when needed: each function fetches a chunk of its own. */
import { loadOnce } from '../../ui/index.ts'

export const loadConnectMore = loadOnce(() => import('./ConnectMore.svelte'))
