/** Failed connections: the diagnosis and its remedies. */
export { default as SilenceNote } from './SilenceNote.svelte'
export { default as ConnectFailure } from './ConnectFailure.svelte'
