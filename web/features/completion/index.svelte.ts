/** Argument completion (`completion/complete`), as suggestions while typing. */
export { default as CompletionField } from './CompletionField.svelte'
