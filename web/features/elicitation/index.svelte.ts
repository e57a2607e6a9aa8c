/** Elicitation: requests for input from the user, as a form or a URL. */
export { default as AddressView } from './AddressView.svelte'
export { default as VisitState } from './VisitState.svelte'
export { drafts } from './drafts.svelte.ts'
export { openPage } from './drafts.svelte.ts'
export { texts } from './text/texts.svelte.ts'
export { readAddress } from './address.ts'
export { requiredVisits, visitsFold } from './folds.ts'
