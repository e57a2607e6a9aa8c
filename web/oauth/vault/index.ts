/** Storage of clients and tokens, and locking between tabs. */
export { SealedStorage, canEncrypt, deviceKey } from './sealed-storage.ts'
export { CREDENTIALS } from './storage-keys.ts'
export { TypedValues, type TypedEntry } from './typed-values.ts'
export type { Entry } from './entries.ts'
export { holdsSecret } from './on-device.ts'
export { replacedTokens } from './replaced-tokens.ts'
export { Vault } from './vault.ts'
