/**
 * The key of this device: AES-GCM, 256 bits, not extractable, in IndexedDB, one for all tabs. A page can use it and no one can
 * read it, so a copy of the browser's `localStorage` tells nothing of what was encrypted with it.
 */
import { openDB, type DBSchema } from 'idb'

interface Schema extends DBSchema {
  keys: { key: string; value: unknown }
}

const DATABASE = 'periscope-keys'
const ID = 'credentials'

/** Outside secure contexts nothing can be encrypted, and nothing is remembered. */
export const canEncrypt = (): boolean => (globalThis.crypto as Partial<Crypto> | undefined)?.subtle !== undefined

/** @throws {Error} IndexedDB or WebCrypto refuses */
export const deviceKey = async (): Promise<CryptoKey> => {
  const base = await openDB<Schema>(DATABASE, 1, {
    upgrade: (made) => void made.createObjectStore('keys'),
    // A later version in another tab waits for us to let go.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })
  try {
    const found = await base.get('keys', ID)
    if (isKey(found)) return found
    const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    const work = base.transaction('keys', 'readwrite')
    // Another tab may have been first: there is one key for all.
    const first = await work.store.get(ID)
    if (!isKey(first)) await work.store.put(made, ID)
    await work.done
    return isKey(first) ? first : made
  } finally {
    base.close()
  }
}

const isKey = (value: unknown): value is CryptoKey =>
  value instanceof CryptoKey && value.algorithm.name === 'AES-GCM' && value.usages.includes('decrypt')
