/** Auth, loaded when needed: each function fetches a chunk of its own. */
export const loadStepUpBar = () => import('./StepUpBar.svelte')
