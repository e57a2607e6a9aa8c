/** The dialog that makes one text of the context, loaded on demand. */
import { loadOnce } from '../../ui/index.ts'

export const loadContextDialog = loadOnce(() => import('./ContextDialog.svelte'))
