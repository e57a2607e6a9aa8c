/** Loaded when first opened. */
export const loadSessionsDialog = () => import('./SessionsDialog.svelte')
