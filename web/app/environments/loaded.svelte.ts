/** What a window with environments loads. */
export { default as EnvironmentsDialog } from './EnvironmentsDialog.svelte'
export { default as EnvironmentSelect } from './EnvironmentSelect.svelte'
export { Environments } from './environments.svelte.ts'
