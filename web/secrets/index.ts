/**
 * What is a secret, by its name, by its looks, by where it was typed, and how it is masked: one list of names and one set of
 * rules for capturing, storing, sharing and the command line. Nothing here knows the protocol or the page.
 *
 * Two doors more for what is loaded later: `capture.ts` masks frames, `redaction.ts` runs before a session leaves.
 */
export { isSecretHeader, maskHeaders } from './headers.ts'
export { mayBeSecretName } from './secret-name.ts'
export { maskUrl, secretsInUrl, secretsInWords, withoutPlaces } from './typed.ts'
