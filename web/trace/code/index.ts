/** Requests as programs for the official SDKs and cURL, and what those support. */
export { framesOfRequest, sentRequest } from './recorded.ts'
export { SDKS, SDKS_AS_OF } from './sdks.ts'
