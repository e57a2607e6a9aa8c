/** Requests from the server (sampling, elicitation, roots): the pending ones, their log, and their cards. */
export { default as ServerRequestCard } from './ServerRequestCard.svelte'
export { default as RequestsOfCalls } from './RequestsOfCalls.svelte'
export { ageText, gistOf, methodText, stateTone, stateText } from './labels.svelte.ts'
