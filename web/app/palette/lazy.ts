/** The command palette, loaded when needed: each function fetches a chunk of its own. */
export const loadPalette = () => import('./Palette.svelte')
