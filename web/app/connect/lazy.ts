/** The connect form, loaded when needed: each function fetches a chunk of its own. */
export const loadConnectMore = () => import('./ConnectMore.svelte')
