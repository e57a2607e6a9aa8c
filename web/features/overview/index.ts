/** Overview: who the server is, what both sides declared, and the findings about it. */
export { type Health, NO_HEALTH, healthFold, lastRoundTrip } from './health-fold.ts'
export { overview } from './overview.ts'
export { NO_PROCESS, type ProcessFacts, stepProcess } from './process.ts'
