/** Where clients and tokens are stored, and how tabs take turns using them. */
export { canEncrypt, deviceKey } from './device-key.ts'
export type { Entry } from './entries.ts'
export { holdsSecret } from './on-device.ts'
export { SealedStorage } from './sealed-storage.ts'
export { CREDENTIALS } from './storage-keys.ts'
export { Vault } from './vault.ts'
