/** All stored data, loaded when first opened. */
import { loadOnce } from '../../ui/index.ts'

export const loadStoredData = loadOnce(() => import('./StoredDataDialog.svelte'))
