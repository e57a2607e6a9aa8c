/** Failed connections: the diagnosis and its remedies. */
export { default as ConnectFailure } from './ConnectFailure.svelte'
