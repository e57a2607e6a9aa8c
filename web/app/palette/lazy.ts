/** The command palette, loaded on demand: each function loads its own chunk. */
export const loadPalette = () => import('./Palette.svelte')
