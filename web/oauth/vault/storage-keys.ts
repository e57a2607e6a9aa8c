/**
 * The prefix of every storage key for credentials. In a separate file, so that the first screen can look for such keys
 * without loading the vault.
 */
export const CREDENTIALS = 'periscope.credentials.'

/** Headers and variables that the user chose to remember, by server. */
export const TYPED_VALUES = `${CREDENTIALS}2.typed.`
