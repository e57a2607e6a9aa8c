/** Requests from the server (sampling, elicitation, roots): the pending ones, their log, and their cards. */
export { BURST, heldFor, plainRequestId, requestsOfCalls, requestsWithinMinute, taskRequestId } from './request-log.ts'
export { PendingRequests } from './pending-requests.ts'
export { serverRequestsFold } from './server-requests-fold.ts'
export { requestReader } from './requests-in-message.ts'
