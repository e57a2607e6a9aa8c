/** The faults of a connection, loaded with their dialog. */
import { loadOnce } from '../../ui/index.ts'

export const loadFaultsDialog = loadOnce(() => import('./FaultsDialog.svelte'))
