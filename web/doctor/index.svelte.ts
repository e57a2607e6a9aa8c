/** The connection doctor on screen. */
export { default as ConnectionNotes } from './ConnectionNotes.svelte'
export { default as NetworkSteps } from './NetworkSteps.svelte'
