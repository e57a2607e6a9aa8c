/** Inbox: every request from the server, pending and answered, and the automatic responses. */
export { inbox } from './inbox.ts'
