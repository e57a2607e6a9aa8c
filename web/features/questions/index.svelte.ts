/** Requests from the server (sampling, elicitation, roots): the pending ones, their log, and their cards. */
export { default as QuestionCard } from './QuestionCard.svelte'
export { default as QuestionsOf } from './QuestionsOf.svelte'
export { isInQuestion } from './question-keys.svelte.ts'
export { gistOf, methodWord, stateTone, stateWord } from './labels.svelte.ts'
