/** The prompts of a server as commands in text fields. */
export { default as CommandField } from './CommandField.svelte'
