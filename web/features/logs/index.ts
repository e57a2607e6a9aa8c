/** Logs: `notifications/message` and a process's stderr. */
export { logsFold } from './logs-fold.ts'
export { logs } from './logs.ts'
