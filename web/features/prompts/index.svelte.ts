/** Prompts: what other parts of the page fill in. */
export { fillPrompt, showPrompt } from './runs.svelte.ts'
