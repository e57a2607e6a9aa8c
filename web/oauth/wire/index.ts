/** The HTTP requests of a sign-in: sending, recording, editing, and oauth4webapi's request/process pairs. */
export { checkClientDocument, clientDocumentUrlOf } from './client-document.ts'
export { type EditFault, type EditedDraft, draftOf, editedOf, isJsonType } from './draft-edit.ts'
export { jsonSpans, prettyJson } from './json-spans.ts'
export {
  SIGNING_ALGORITHMS,
  type Sent,
  clientAuthOf,
  clientOf,
  clientSecretBasic,
  endpointError,
  methodFor,
  through,
} from './library.ts'
export type { Port, SendNote, Step, Supply } from './port.ts'
export { RelayPolicy } from './relay-policy.ts'
export {
  noteRelayed,
  type Answer,
  type Relay,
  type RequestDraft,
  type Unanswered,
  Wire,
  type WireOptions,
  jsonObjectOf,
} from './request.ts'
export { type Bound, requestWithNonceRetry, newDpopKey, readTokens, wantsDpop } from './token-request.ts'
