/** Stored sessions as files. Apart from the list, which the first screen has. */
export { redactedFile } from './redacted-file.ts'
