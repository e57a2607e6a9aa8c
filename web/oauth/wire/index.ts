/** The HTTP requests of a sign-in: sending, recording, editing, and oauth4webapi's request/process pairs. */
export { checkClientDocument, clientDocumentUrlOf } from './client-document.ts'
export * from './dpop.ts'
export * from './http-text.ts'
export type { Learned, Port, SendNote, Step, Supply } from './port.ts'
export { RelayConsent } from './relay-consent.ts'
export * from './request.ts'
export * from './token-request.ts'
