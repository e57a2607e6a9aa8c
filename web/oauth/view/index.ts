/** The sign-in on screen: the steps, their requests and responses, and the remedies. */
export { leadsAway } from './fix-actions.ts'
