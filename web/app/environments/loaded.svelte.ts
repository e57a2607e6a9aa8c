/** What a window with environments loads. */
export { default as EnvironmentBar } from './EnvironmentBar.svelte'
export { default as EnvironmentSelect } from './EnvironmentSelect.svelte'
export { Environments } from './environments.svelte.ts'
export { texts } from './text/texts.svelte.ts'
