/** One connection: its session, state, sign-in, and reconnection. */
export { policyFor } from './back-off.ts'
export {
  type Connection,
  type ConnectionState,
  endOf,
  type HttpEvidence,
  IDLE,
  type OpeningStep,
  type ShownServer,
  type ShownState,
  shownStateOf,
  SILENCE,
} from './connection.ts'
export { connections } from './connection-fold.ts'
export { followSessions, tellOpened } from './follow-sessions.ts'
