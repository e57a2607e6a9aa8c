/**
 * Values of headers and environment variables that the user typed and chose to remember, by server: in the storage of
 * remembered credentials, encrypted like them (`sealed-storage.ts`), and removed with them after 90 days.
 *
 * Stored data is untrusted input, as in `on-device.ts`.
 */
import { jsonIn } from '../../json/index.ts'
import { Signal } from '../../mcp/index.ts'
import { attempt, keysOf, type ReturnStorage } from '../consent/index.ts'
import type { SealedStorage } from './sealed-storage.ts'
import { TYPED_VALUES } from './storage-keys.ts'

export type TypedPairs = readonly (readonly [name: string, value: string])[]

/** The values of a server. */
export interface TypedEntry {
  /** What identifies it: a URL, or a working directory and a command line. Contains no secrets. */
  readonly server: string
  readonly pairs: TypedPairs
  /** When it was written, in ms since the epoch. */
  readonly at: number
}

interface TypedValuesOptions {
  /** Absent: nothing can be stored. */
  readonly sealed?: Pick<SealedStorage, keyof ReturnStorage | 'settled' | 'subscribe' | 'events'>
  /** Nothing can be encrypted here, so nothing is remembered. */
  readonly insecure?: boolean
  /** ms since the epoch. */
  readonly now?: () => number
}

/** Maximum age since the last write, in ms. */
const KEPT_FOR = 90 * 86_400_000
/** ms by which a clock may have been set back. */
const SET_BACK = 86_400_000
/** Maximum characters of a record. */
const LONGEST = 131_072
const MOST = 500

export class TypedValues {
  readonly #store: TypedValuesOptions['sealed']
  readonly #insecure: boolean
  readonly #now: () => number
  readonly #changes = new Signal()
  /** Notifies about every change, including those by other tabs. */
  readonly subscribe = this.#changes.subscribe

  constructor({ sealed, insecure = false, now = Date.now }: TypedValuesOptions = {}) {
    this.#store = sealed
    this.#insecure = insecure
    this.#now = now
    sealed?.subscribe(({ key }) => {
      if (key.startsWith(TYPED_VALUES)) this.#changes.emit()
    })
    sealed?.events.addEventListener('storage', () => this.#changes.emit())
  }

  of(server: string): TypedPairs | undefined {
    return this.#read(server)?.pairs
  }

  /** Replaces the values of a server. @returns why they aren't stored; the previous ones are removed then */
  async keep(server: string, pairs: TypedPairs): Promise<'insecure' | 'refused' | undefined> {
    if (this.#insecure) return 'insecure'
    const record = JSON.stringify({ at: this.#now(), server, pairs })
    if (record.length > LONGEST) this.forget(server)
    else attempt(() => this.#store?.setItem(TYPED_VALUES + server, record))
    await this.#store?.settled()
    this.#changes.emit()
    return this.#read(server) ? undefined : 'refused'
  }

  forget(server: string): void {
    attempt(() => this.#store?.removeItem(TYPED_VALUES + server))
    this.#changes.emit()
  }

  forgetAll(): void {
    for (const server of this.#servers()) attempt(() => this.#store?.removeItem(TYPED_VALUES + server))
    this.#changes.emit()
  }

  /** Ordered by server. */
  entries(): TypedEntry[] {
    return this.#servers()
      .sort()
      .flatMap((server) => this.#read(server) ?? [])
  }

  #servers(): string[] {
    const keys = attempt(() => keysOf(this.#store, TYPED_VALUES)) ?? []
    return keys.slice(0, MOST).map((key) => key.slice(TYPED_VALUES.length))
  }

  #read(server: string): TypedEntry | undefined {
    const text = attempt(() => this.#store?.getItem(TYPED_VALUES + server)) ?? null
    if (text === null) return undefined
    const entry = text.length > LONGEST ? undefined : entryIn(jsonIn(text), server)
    const age = entry ? this.#now() - entry.at : NaN
    if (entry && age >= -SET_BACK && age <= KEPT_FOR) return entry
    attempt(() => this.#store?.removeItem(TYPED_VALUES + server))
    return undefined
  }
}

const entryIn = (value: unknown, server: string): TypedEntry | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const { at, pairs, server: written } = value as Record<string, unknown>
  const fits = typeof at === 'number' && written === server && Array.isArray(pairs) && pairs.every(isPair)
  return fits ? { at, server, pairs: pairs.map(([name, text]) => [name, text] as const) } : undefined
}

const isPair = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
