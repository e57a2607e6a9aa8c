/** Failed connections: the verdict and what to do about it. */
export { default as ConnectFailure } from './ConnectFailure.svelte'
