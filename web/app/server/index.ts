/** One connection: its session, state, sign-in, and reconnection. */
export { policyFor } from './back-off.ts'
export { type Connection, type ConnectionState, type HttpEvidence, IDLE, type OpeningStep } from './connection.ts'
export { connections } from './connection-fold.ts'
export { followSessions, tellOpened } from './follow-sessions.ts'
export { SignIns } from './sign-ins.ts'
export { type Standing, standingOf } from './standing.ts'
export type { Viewed } from './viewed.ts'
