/** Opened recordings: loading, moving through time, and the recording bar. */
export { default as RecordingBookmarks } from './RecordingBookmarks.svelte'
export { default as RecordingButton } from './RecordingButton.svelte'
export { default as RecordingOpening } from './RecordingOpening.svelte'
export type { Recording } from './recording.svelte.ts'
export { texts as recordingTexts } from './text/texts.svelte.ts'
export { Recordings } from './recordings.svelte.ts'
