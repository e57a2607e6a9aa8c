/** The HTTP requests of a sign-in: sending, recording, editing, and oauth4webapi's request/process pairs. */
export { checkClientDocument, clientDocumentUrlOf } from './client-document.ts'
export * from './http-text.ts'
export type { Port, SendNote, Step, Supply } from './port.ts'
export { RelayPolicy } from './relay-policy.ts'
export * from './request.ts'
export * from './token-request.ts'
