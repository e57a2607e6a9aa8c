/**
 * What is a secret, by its name, by its looks, by where it was typed, and how it is masked: one list of names and one set of
 * rules for capturing, storing, sharing and the command line. Nothing here knows the protocol or the page.
 *
 * The rules that run before a session leaves have a door of their own, `redaction.ts`.
 */
export { ConnectionSecrets, type TypedTarget } from './connection.ts'
export { isSecretHeader, maskHeader, maskHeaders } from './headers.ts'
export { KnownSecrets } from './known-secrets.ts'
export { isSecretName, mayBeSecretName } from './secret-name.ts'
export { looksRandom, maskUrl, secretsInText, secretsInUrl, secretsInWords, withoutPlaces } from './typed.ts'
export { SHORTEST_SECRET } from './values.ts'
