/** Elicitation: requests for input from the user, as a form or a URL. */
export { readAddress } from './address.ts'
export { elicitation } from './elicitation.ts'
export { requiredVisits, visitsFold } from './visits-fold.ts'
