/** Requests from the server (sampling, elicitation, roots): the pending ones, their log, and their cards. */
export { heldFor, questionsOf } from './request-log.ts'
export { PendingRequests } from './pending-requests.ts'
export { BURST, askedWithin } from './question-rate.ts'
export { taskQuestionId } from './question-id.ts'
export { questionsFold } from './questions-fold.ts'
export { serverRequestsIn } from './server-requests.ts'
