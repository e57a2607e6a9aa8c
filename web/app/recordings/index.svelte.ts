/** Opened recordings: reading them, moving through them, and their bar. */
export { default as RecordingBar } from './RecordingBar.svelte'
export { default as RecordingBookmarks } from './RecordingBookmarks.svelte'
export { default as RecordingButton } from './RecordingButton.svelte'
export { default as RecordingDrop } from './RecordingDrop.svelte'
export { default as RecordingOpening } from './RecordingOpening.svelte'
export { whenWord } from './recording-words.svelte.ts'
export type { Recording, Viewed } from './recording.svelte.ts'
export { Recordings } from './recordings.svelte.ts'
