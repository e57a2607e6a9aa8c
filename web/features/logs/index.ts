/** Logs: `notifications/message` and a process's stderr. */
export { logs } from './logs.ts'
