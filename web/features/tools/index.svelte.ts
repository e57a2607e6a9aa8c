/** Tools: what other parts of the page fill in. */
export { fillTool } from './runs.svelte.ts'
