/** Prompts: what other parts of the page fill in. */
export { fillPrompt } from './runs.svelte.ts'
