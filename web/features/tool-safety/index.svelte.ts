/** The safety of calling tools, on screen: the question before a call, and notes beside Run buttons. */
export { default as CallQuestions } from './CallQuestions.svelte'
export { default as DefinitionChanges } from './DefinitionChanges.svelte'
export { default as SafetyNote } from './SafetyNote.svelte'
export { texts } from './text/texts.svelte.ts'
