/** Where injected faults are chosen, and where they are shown. */
export { default as FaultNote } from './FaultNote.svelte'
export { default as FaultsButton } from './FaultsButton.svelte'
export { texts } from './text/texts.svelte.ts'
