/** Auth, loaded on demand: each function loads its own chunk. */
export const loadStepUpBar = () => import('./StepUpBar.svelte')
