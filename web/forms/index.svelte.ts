/** Forms generated from JSON Schema: the field model, its values, validation, and the components that edit them. */
export { default as Form } from './Form.svelte'
export { default as VerdictNote } from './VerdictNote.svelte'
export { jsonFault } from './json-fault.svelte.ts'
export { liveVerdict } from './live-verdict.svelte.ts'
export { pageValidator } from './page-validator.ts'
export { texts } from './text/texts.svelte.ts'
