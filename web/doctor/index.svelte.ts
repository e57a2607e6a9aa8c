/** The connection doctor on screen. */
export { default as ConnectionAdviceNote } from './ConnectionAdviceNote.svelte'
export { default as DetourNote } from './DetourNote.svelte'
export { default as NetworkSteps } from './NetworkSteps.svelte'
