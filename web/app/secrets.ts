/**
 * Which names announce a secret. Used to decide what must never be written into the browser's storage.
 */

const WORDS =
  /(^|[^a-z])(key|sig|pat|pwd|jwt|auth|cookie)([^a-z]|$)|token|secret|passw|passphrase|api[-_.]?key|credential|authorization|bearer|private[-_.]?key|signature|access[-_.]?key/i

/** True for `API_KEY`, `--token`, `Authorization`, `sig` …, false for `monkey` or `--keyboard`. */
export const looksSecret = (name: string): boolean => WORDS.test(name)
