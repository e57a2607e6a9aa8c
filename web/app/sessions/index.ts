/** Stored sessions as files. Apart from the list, which the first screen has. */
export { keepOpened } from './keep-opened.ts'
export { redactedFile } from './redacted-file.ts'
