/**
 * Detects secrets by name, by appearance, or by where they were typed, and masks them: one list of names and one set of
 * rules for capturing, storing, sharing and the command line. Independent of the protocol and the page.
 *
 * Two more entry points are loaded later: `capture.ts` masks frames, `redaction.ts` runs before a session is exported.
 */
export { isAnyReferences, isReferences, variablesIn } from './env-references.ts'
export { isSecretHeader, maskedLength, maskHeaders, maskOf, masksIn } from './mask.ts'
export { fitsMarks, holdsMark } from './redaction-marks.ts'
export { isHeaderOfSecret, mayBeSecretName } from './secret-names.ts'
export { maskUrl, maskWords, secretsInUrl, secretsInWords, withoutPlaces, type SecretPlace } from './user-input.ts'
