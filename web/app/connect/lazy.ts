/** The parts of the connect form that most connections don't need: each function loads its own chunk. */
import { loadOnce } from '../../ui/index.ts'

export const loadConnectMore = loadOnce(() => import('./ConnectMore.svelte'))

/** What the browser doesn't let a page over plain HTTP do. */
export const loadInsecureNote = loadOnce(() => import('./InsecureNote.svelte'))

/** The servers of earlier visits, which a first visit hasn't. */
export const loadRecentList = loadOnce(() => import('./RecentList.svelte'))

/** The menu of a server on the first screen. */
export const loadRecentMenu = loadOnce(() => import('./RecentMenu.svelte'))

/** Moving servers on the first screen. */
export const loadArranging = loadOnce(() => import('./arranging.ts'))

/** The group and the colour of a server on the first screen. */
export const loadArrangeDialog = loadOnce(() => import('./ArrangeDialog.svelte'))

/** The fields for missing values. */
export const loadFillIn = loadOnce(() => import('./FillIn.svelte'))

/** What Connect lets the local proxy do. */
export const loadCommandPreview = loadOnce(() => import('./CommandPreview.svelte'))

/** Servers as the configuration of another client. */
export const loadExportDialog = loadOnce(() => import('./ExportDialog.svelte'))

/** The servers of other clients on this machine. */
export const loadMachineServers = loadOnce(() => import('./MachineServers.svelte'))

/** Known servers to try. */
export const loadKnownServers = loadOnce(() => import('./known/KnownServers.svelte'))

/** Reads links that fill in the form. */
export const loadConnectLink = loadOnce(() => import('./connect-link.ts'))

/** Reads configurations of other clients, pasted or in files. */
export const loadConfigReader = loadOnce(() => import('./configs/index.ts'))
