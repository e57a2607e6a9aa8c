/**
 * A storage whose values are encrypted at rest (AES-GCM with a random IV per write, bound to the key name) and in clear
 * in this page's memory. Reads and writes are synchronous, as with any storage; encryption follows: `settled` waits
 * until everything is written, `refresh` reads what other tabs wrote.
 */
import { attempt, type ReturnStorage } from '../consent/index.ts'
import type { DBSchema } from 'idb'
import { openDatabase } from '../../ui/index.ts'
import { CREDENTIALS } from './storage-keys.ts'

interface SealedStorageOptions {
  /** `localStorage`. */
  readonly store: ReturnStorage
  /** @throws if there is no key and none can be created */
  readonly key: () => Promise<CryptoKey>
  /** `window`: its `storage` events report changes by other tabs. */
  readonly events?: Pick<EventTarget, 'addEventListener'>
}

/** `unreadable`: its encryption key is gone or it was altered, so it was removed. */
export type SealedEvent =
  | { readonly kind: 'unreadable'; readonly key: string }
  /** It couldn't be written: the storage is full, access is denied, or there is no key. Nothing is stored any more. */
  | { readonly kind: 'refused'; readonly key: string; readonly value: string }

/** Stored in clear: times at which a tab used something. */
const isClear = (key: string): boolean => key.startsWith(`${CREDENTIALS}2.use.`)
/** Names that earlier versions stored in clear. */
const OLD = `${CREDENTIALS}1.`
const OWN = `${CREDENTIALS}2.`
const FORMAT = 'aes-gcm.'
const IV_BYTES = 12
/** Maximum characters of a value; longer ones weren't written by us. */
const LONGEST = 400_000

export class SealedStorage implements ReturnStorage {
  readonly #store: ReturnStorage
  readonly #makeKey: () => Promise<CryptoKey>
  #key: Promise<CryptoKey> | undefined
  /** The stored values, as last read or written. */
  readonly #opened = new Map<string, { readonly raw: string; readonly value: string }>()
  /** Values that aren't written yet. */
  readonly #waiting = new Map<string, string>()
  #writing: Promise<void> = Promise.resolve()
  readonly #events = new EventTarget()
  readonly #listeners = new Set<(event: SealedEvent) => void>()
  readonly #early: SealedEvent[] = []

  private constructor({ store, key, events }: SealedStorageOptions) {
    this.#store = store
    this.#makeKey = key
    events?.addEventListener('storage', (event) => {
      const { key: name } = event as Partial<StorageEvent>
      if (name != null && !name.startsWith(OWN)) return
      void this.refresh().then(() => {
        this.#events.dispatchEvent(Object.assign(new Event('storage'), { key: name ?? null }))
      })
    })
  }

  /** Reads the stored values, and encrypts what an earlier version stored in clear. Never rejects. */
  static async open(options: SealedStorageOptions): Promise<SealedStorage> {
    const sealed = new SealedStorage(options)
    await sealed.refresh()
    await sealed.#migrate()
    return sealed
  }

  /** If nothing can be encrypted: removes what an earlier version stored in clear. @returns whether there was any */
  static dropClear(store: ReturnStorage): boolean {
    const old = attempt(() => namesIn(store).filter((name) => name.startsWith(OLD))) ?? []
    for (const name of old) attempt(() => store.removeItem(name))
    return old.some((name) => !name.startsWith(`${OLD}use.`))
  }

  /** `storage` events, dispatched once the values written by other tabs can be read here. */
  get events(): Pick<EventTarget, 'addEventListener'> {
    return this.#events
  }

  /** @param listener also called with earlier events */
  subscribe(listener: (event: SealedEvent) => void): void {
    this.#listeners.add(listener)
    for (const event of this.#early.splice(0)) listener(event)
  }

  get length(): number {
    return this.#names().length
  }

  key(index: number): string | null {
    return this.#names()[index] ?? null
  }

  getItem(key: string): string | null {
    if (isClear(key)) return this.#store.getItem(key)
    const waiting = this.#waiting.get(key)
    if (waiting !== undefined) return waiting
    if (this.#store.getItem(key) === null) return null
    // A value that another tab has just written can be read once its event has arrived.
    return this.#opened.get(key)?.value ?? null
  }

  setItem(key: string, value: string): void {
    if (isClear(key)) return this.#store.setItem(key, value)
    this.#waiting.set(key, value)
    this.#writing = this.#writing.then(() => this.#seal(key, value))
  }

  removeItem(key: string): void {
    this.#waiting.delete(key)
    this.#opened.delete(key)
    this.#store.removeItem(key)
  }

  /** Resolves once all values are stored encrypted, or were rejected. Never rejects. */
  async settled(): Promise<void> {
    for (let before; before !== this.#writing;) await (before = this.#writing)
  }

  /** Reads what other tabs wrote. Never rejects. */
  async refresh(): Promise<void> {
    const names = attempt(() => namesIn(this.#store)) ?? []
    await Promise.all(names.filter((name) => name.startsWith(OWN) && !isClear(name)).map((name) => this.#open(name)))
  }

  #names(): string[] {
    const own = namesIn(this.#store)
    return [...own, ...[...this.#waiting.keys()].filter((name) => !own.includes(name))]
  }

  async #open(name: string): Promise<void> {
    const raw = attempt(() => this.#store.getItem(name)) ?? null
    if (raw === null || this.#opened.get(name)?.raw === raw) return
    const key = await this.#keyOf().catch(() => undefined)
    // The key is unavailable now but may come back, so keep what was encrypted with it.
    if (!key) return
    const value = await unsealed(name, raw, key)
    // Overwritten in the meantime; the new value is read separately.
    if (attempt(() => this.#store.getItem(name)) !== raw) return
    if (value !== undefined) this.#opened.set(name, { raw, value })
    else if (!this.#waiting.has(name)) {
      attempt(() => this.removeItem(name))
      this.#tell({ kind: 'unreadable', key: name })
    }
  }

  async #seal(name: string, value: string): Promise<void> {
    if (this.#waiting.get(name) !== value) return
    try {
      const key = await this.#keyOf()
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const data = await crypto.subtle.encrypt(parametersFor(name, iv), key, new TextEncoder().encode(value))
      // Removed or overwritten in the meantime.
      if (this.#waiting.get(name) !== value) return
      const raw = `${FORMAT}${base64(iv)}.${base64(new Uint8Array(data))}`
      this.#store.setItem(name, raw)
      this.#opened.set(name, { raw, value })
      this.#waiting.delete(name)
    } catch {
      if (this.#waiting.get(name) !== value) return
      // The stored value is outdated.
      attempt(() => this.removeItem(name))
      this.#tell({ kind: 'refused', key: name, value })
    }
  }

  /** Encrypts or removes values stored in clear. */
  async #migrate(): Promise<void> {
    const old = attempt(() => namesIn(this.#store).filter((name) => name.startsWith(OLD))) ?? []
    for (const name of old) {
      const value = attempt(() => this.#store.getItem(name)) ?? null
      const renamed = OWN + name.slice(OLD.length)
      const known = (attempt(() => this.getItem(renamed)) ?? null) !== null
      if (value !== null && !isClear(renamed) && !known) this.setItem(renamed, value)
      await this.settled()
      attempt(() => this.#store.removeItem(name))
    }
  }

  #keyOf(): Promise<CryptoKey> {
    this.#key ??= this.#makeKey().catch((error: unknown) => {
      this.#key = undefined
      throw error
    })
    return this.#key
  }

  #tell(event: SealedEvent): void {
    if (this.#listeners.size === 0) this.#early.push(event)
    for (const listener of this.#listeners) listener(event)
  }
}

const unsealed = async (name: string, raw: string, key: CryptoKey): Promise<string | undefined> => {
  const [, iv, data] = raw.length > LONGEST ? [] : (/^aes-gcm\.([\w+/]+=*)\.([\w+/]+=*)$/.exec(raw) ?? [])
  if (iv === undefined || data === undefined) return undefined
  try {
    const clear = await crypto.subtle.decrypt(parametersFor(name, bytesOf(iv)), key, bytesOf(data))
    return new TextDecoder('utf-8', { fatal: true }).decode(clear)
  } catch {
    return undefined
  }
}

/** Binds a value to its name: copied under another name, it can't be decrypted. */
const parametersFor = (name: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(name),
})

const namesIn = (store: ReturnStorage): string[] =>
  Array.from({ length: store.length }, (_, index) => store.key(index)).filter((name) => name !== null)

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0))

interface Schema extends DBSchema {
  keys: { key: string; value: unknown }
}

const DATABASE = 'periscope-keys'
const ID = 'credentials'

/** Outside secure contexts nothing can be encrypted, so nothing is remembered. */
export const canEncrypt = (): boolean => (globalThis.crypto as Partial<Crypto> | undefined)?.subtle !== undefined

/**
 * This device's key: AES-GCM, 256 bits, not extractable, stored in IndexedDB and shared by all tabs. No script can read
 * it, so a copy of the browser's `localStorage` reveals nothing encrypted with it.
 *
 * @throws {Error} access to IndexedDB or WebCrypto is denied
 */
export const deviceKey = async (): Promise<CryptoKey> => {
  const base = await openDatabase<Schema>(DATABASE, 1, (made) => void made.createObjectStore('keys'))
  try {
    const found = await base.get('keys', ID)
    if (isKey(found)) return found
    const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    const work = base.transaction('keys', 'readwrite')
    // Another tab may have been first, and all must use the same key.
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
