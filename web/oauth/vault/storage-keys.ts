/**
 * Every key under which credentials are stored in the browser begins with this. A file of its own: the first screen looks
 * for such keys without loading the vault.
 */
export const CREDENTIALS = 'periscope.credentials.'
