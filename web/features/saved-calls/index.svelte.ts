/** Saved calls, grouped in collections. */
export { default as SaveCall } from './SaveCall.svelte'
export { type NotKept, shelf } from './collections.svelte.ts'
