/** What the user picks from a server to copy as one text: resources, and results of prompts. */
export { default as ContextButton } from './ContextButton.svelte'
export { contexts } from './context.svelte.ts'
export { contextText } from './text/texts.svelte.ts'
