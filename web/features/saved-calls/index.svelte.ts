/** Saved calls, grouped in collections. */
export { default as SaveCall } from './SaveCall.svelte'
export { shelf } from './collections.svelte.ts'
