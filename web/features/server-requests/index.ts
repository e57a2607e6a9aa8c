/** Requests from the server (sampling, elicitation, roots): the pending ones, their log, and their cards. */
export { heldFor, requestsOfCalls } from './request-log.ts'
export { PendingRequests } from './pending-requests.ts'
export { BURST, requestsWithinMinute } from './request-rate.ts'
export { taskRequestId } from './request-id.ts'
export { serverRequestsFold } from './server-requests-fold.ts'
export { requestsInMessage } from './requests-in-message.ts'
