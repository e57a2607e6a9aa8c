/**
 * The prefix of every storage key for credentials. In a separate file, so that the first screen can look for such keys
 * without loading the vault.
 */
export const CREDENTIALS = 'periscope.credentials.'
