/** The trace view: rows, filter language, timeline, and the detail of a frame. */
export { default as BodyView } from './BodyView.svelte'
export { default as Pairs } from './Pairs.svelte'
export { closeCodeText } from './close-code.svelte.ts'
export { reasonText } from './reasons/reason-text.svelte.ts'
