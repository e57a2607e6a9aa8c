/** The help with the keyboard shortcuts, loaded on demand: each function loads its own chunk. */
export const loadHelp = () => import('./HelpDialog.svelte')
