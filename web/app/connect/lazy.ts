/** The parts of the connect form that most connections don't need: each function loads its own chunk. */
import { loadOnce } from '../../ui/index.ts'

export const loadConnectMore = loadOnce(() => import('./ConnectMore.svelte'))

/** The menu of a server on the first screen. */
export const loadRecentMenu = loadOnce(() => import('./RecentMenu.svelte'))

/** The fields for missing values. */
export const loadFillIn = loadOnce(() => import('./FillIn.svelte'))
