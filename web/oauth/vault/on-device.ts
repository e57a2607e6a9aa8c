/**
 * Credentials in the storage that all tabs share (encrypted there: `sealed-storage.ts`): one record per server, and one
 * per dynamically registered client, so that tabs don't overwrite each other's records.
 *
 * Tabs take turns at using a refresh token (Web Locks), so that it is used only once.
 *
 * Stored data is treated as untrusted input: another version of the page, a user or other code at this origin may have
 * written it. Records that are invalid or older than 90 days are removed when found. Only records that can be read back
 * are written, and only the members named here.
 */
import { parsedUrl } from '../../mcp/url.ts'
import { mayBeSecretName, secretsInUrl } from '../../secrets/index.ts'
import {
  AuthError,
  CLIENT_AUTH_METHODS,
  type ClientAuthMethod,
  type Registration,
  type TokenSet,
  fault,
  httpUrl,
} from '../model/index.ts'
import { attempt, keysOf, type ReturnStorage } from '../consent/index.ts'
import { CREDENTIALS } from './storage-keys.ts'

/** Records of other versions can't be read, but they can be removed. */
export const SERVER = `${CREDENTIALS}2.server.`
export const CLIENT = `${CREDENTIALS}2.client.`
/** A tab is using this server's refresh token, so it may already be invalid. */
const USE = `${CREDENTIALS}2.use.`

/** Maximum duration of such a use, in ms. */
const LONGEST_USE = 75_000

/** Maximum age since the last write, in ms. */
const KEPT_FOR = 90 * 86_400_000
/** ms by which a clock may have been set back. */
const SET_BACK = 86_400_000
/** Maximum characters of a record and of a text. */
const LONGEST_RECORD = 131_072
const LONGEST_TEXT = 65_536
/** Maximum number of each kind. */
const MOST_RECORDS = 500

/** What is remembered about a server. */
export interface KeptServer {
  /** When it was written, in ms since the epoch. */
  readonly at: number
  readonly server: string
  /** Absent: there are none yet, or none that can be stored. */
  readonly tokens?: TokenSet
  readonly clientSource?: Registration['source']
}

/** Always a dynamic registration: issued by a server, not typed by a user. */
interface KeptClient {
  readonly at: number
  readonly registration: Registration
}

export class OnDevice {
  readonly #store: ReturnStorage | undefined
  readonly #now: () => number
  /** Cache of parsed records, so that a request doesn't parse an unchanged record again. */
  readonly #read = new Map<string, { readonly text: string; readonly value: KeptServer }>()

  /** @param now ms since the epoch */
  constructor(store: ReturnStorage | undefined, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** @throws what the storage throws if access is denied: it is then unknown whether there is a record */
  server(address: string): KeptServer | undefined {
    const key = SERVER + address
    const before = this.#read.get(key)
    const text = this.#get(key)
    if (text !== null && before?.text === text && this.#isYoung(before.value.at)) return before.value
    this.#read.delete(key)
    const value = this.#taken(key, text, (record) => serverIn(record, address))
    if (value && text !== null) this.#read.set(key, { text, value })
    return value
  }

  servers(): KeptServer[] {
    // Left behind by tabs that were closed while using a token.
    for (const address of this.#all(USE)) if (!this.isInUse(address)) this.#drop(USE + address)
    return this.#all(SERVER).flatMap((address) => attempt(() => this.server(address)) ?? [])
  }

  clients(): KeptClient[] {
    const client = (rest: string) =>
      this.#taken(CLIENT + rest, this.#get(CLIENT + rest), (record) => clientIn(record, rest))
    return this.#all(CLIENT).flatMap((rest) => attempt(() => client(rest)) ?? [])
  }

  /** @returns false if it wasn't written; the outdated previous record is removed */
  putServer({ server, tokens, clientSource }: Omit<KeptServer, 'at'>): boolean {
    const record = { server, tokens: tokens && tokensToWrite(tokens, server), clientSource }
    return this.#put(SERVER + server, record, (found) => serverIn(found, server))
  }

  putClient(registration: Registration): boolean {
    const rest = restOf(registration)
    return this.#put(CLIENT + rest, { registration: registrationToWrite(registration) }, (found) =>
      clientIn(found, rest),
    )
  }

  dropServer(address: string): void {
    this.#drop(SERVER + address)
  }

  isInUse(address: string): boolean {
    const since = Number(attempt(() => this.#get(USE + address)) ?? NaN)
    return Math.abs(this.#now() - since) <= LONGEST_USE
  }

  /** @returns false if other tabs can't be notified */
  setInUse(address: string, inUse: boolean): boolean {
    try {
      if (inUse) this.#store?.setItem(USE + address, String(this.#now()))
      else this.#store?.removeItem(USE + address)
      return true
    } catch {
      return false
    }
  }

  dropClient(registration: Registration): void {
    this.#drop(CLIENT + restOf(registration))
  }

  /** Removes the records of all versions of the page. */
  clear(): void {
    for (const key of attempt(() => keysOf(this.#store, CREDENTIALS)) ?? []) this.#drop(key)
  }

  /** The remainders of all names with this prefix. */
  #all(prefix: string): string[] {
    const keys = attempt(() => keysOf(this.#store, prefix)) ?? []
    return keys.slice(0, MOST_RECORDS).map((key) => key.slice(prefix.length))
  }

  #get(key: string): string | null {
    return this.#store?.getItem(key) ?? null
  }

  #taken<Value>(key: string, text: string | null, parse: (record: Fields) => Value | undefined): Value | undefined {
    if (text === null) return undefined
    const value = this.#parsed(text, parse)
    if (value === undefined) this.#drop(key)
    return value
  }

  #parsed<Value>(text: string, parse: (record: Fields) => Value | undefined): Value | undefined {
    if (text.length > LONGEST_RECORD) return undefined
    try {
      const record = JSON.parse(text) as unknown
      return isFields(record) && this.#isYoung(record.at) ? parse(record) : undefined
    } catch {
      return undefined
    }
  }

  #isYoung(at: unknown): at is number {
    const age = typeof at === 'number' ? this.#now() - at : NaN
    return age >= -SET_BACK && age <= KEPT_FOR
  }

  #put<Value>(key: string, record: object, parse: (record: Fields) => Value | undefined): boolean {
    const text = JSON.stringify({ at: this.#now(), ...record })
    if (this.#store && this.#parsed(text, parse) !== undefined) {
      try {
        this.#store.setItem(key, text)
        if (this.#store.getItem(key) === text) return true
      } catch {
        // Full, or access was denied.
      }
    }
    // Other tabs must not find tokens that have been used up.
    this.#drop(key)
    return false
  }

  #drop(key: string): void {
    this.#read.delete(key)
    attempt(() => this.#store?.removeItem(key))
  }
}

/** Nothing is stored for such a server, because its URL would be stored as well. */
export const holdsSecret = (address: string): boolean => {
  const url = parsedUrl(address)
  if (!url) return true
  // The name alone is enough, because the next value may be a secret.
  return (
    secretsInUrl(address).length > 0 || [...url.searchParams.keys()].some((name) => mayBeSecretName(name, 'parameter'))
  )
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Issuers are compared exactly (AU-FLOW-09). */
const restOf = ({ issuer, redirectUri = '', clientId }: Registration): string =>
  JSON.stringify([issuer, redirectUri, clientId])

const tokensToWrite = (tokens: TokenSet, server: string): object => {
  const { issuer, resource, accessToken, tokenType, refreshToken, receivedAt, expiresAt } = tokens
  const { requestedScope, scope, clientId, tokenEndpoint, revocationEndpoint } = tokens
  const named = { issuer, resource, accessToken, tokenType, refreshToken, receivedAt, expiresAt }
  return { server, ...named, requestedScope, scope, clientId, tokenEndpoint, revocationEndpoint }
}

const registrationToWrite = ({
  issuer,
  clientId,
  source,
  method,
  clientSecret,
  secretExpiresAt,
  redirectUri,
  scope,
}: Registration): object => ({ issuer, clientId, source, method, clientSecret, secretExpiresAt, redirectUri, scope })

const SOURCES: readonly Registration['source'][] = ['by-hand', 'metadata-document', 'dynamic']

const serverIn = (record: Fields, address: string): KeptServer | undefined => {
  const { at, server, tokens: written, clientSource } = record
  if (server !== address || !httpUrl(server) || holdsSecret(address)) return undefined
  const tokens = written === undefined ? undefined : tokensIn(written, address)
  if (written !== undefined && !tokens) return undefined
  const source = SOURCES.find((one) => one === clientSource)
  return { at: at as number, server, tokens, clientSource: source }
}

const tokensIn = (written: unknown, address: string): TokenSet | undefined => {
  if (!isFields(written) || written.server !== address) return undefined
  const { accessToken, refreshToken, tokenType, receivedAt, expiresAt } = written
  const { issuer, tokenEndpoint, revocationEndpoint, resource, requestedScope, scope, clientId } = written
  // A key-bound token is useless without its key.
  const fits =
    isToken(accessToken) &&
    tokenType === 'Bearer' &&
    isTime(receivedAt) &&
    (refreshToken === undefined || (isText(refreshToken) && refreshToken !== '')) &&
    (expiresAt === undefined || isTime(expiresAt)) &&
    [issuer, tokenEndpoint, revocationEndpoint].every((url) => url === undefined || httpUrl(url)) &&
    [resource, requestedScope, scope, clientId].every((text) => text === undefined || isText(text))
  if (!fits) return undefined
  const texts = { issuer, resource, requestedScope, scope, clientId, tokenEndpoint, revocationEndpoint }
  return {
    ...{ server: address, accessToken, tokenType, receivedAt, refreshToken, expiresAt },
    ...(texts as Record<keyof typeof texts, string | undefined>),
  }
}

const clientIn = (record: Fields, rest: string): KeptClient | undefined => {
  const { at, registration: written } = record
  if (!isFields(written)) return undefined
  const { issuer, clientId, source, method, clientSecret, secretExpiresAt, redirectUri, scope } = written
  const fits =
    httpUrl(issuer) !== undefined &&
    isText(clientId) &&
    clientId !== '' &&
    source === 'dynamic' &&
    isMethod(method) &&
    (clientSecret === undefined || isText(clientSecret)) &&
    (secretExpiresAt === undefined || isTime(secretExpiresAt)) &&
    (redirectUri === undefined || httpUrl(redirectUri) !== undefined) &&
    (scope === undefined || isText(scope))
  if (!fits) return undefined
  const urls = { issuer: issuer as string, redirectUri: redirectUri as string | undefined }
  const registration: Registration = { ...urls, clientId, source, method, clientSecret, secretExpiresAt, scope }
  return restOf(registration) === rest ? { at: at as number, registration } : undefined
}

/** Characters that a header can carry. */
const isToken = (value: unknown): value is string => isText(value) && /^[\x21-\x7e]+$/.test(value)

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= LONGEST_TEXT

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0

/** A method that needs a private key is excluded, because keys are never stored. */
const isMethod = (value: unknown): value is ClientAuthMethod =>
  value !== 'private_key_jwt' && CLIENT_AUTH_METHODS.includes(value as ClientAuthMethod)

/** The members of `LockManager` used here. */
export interface Locks {
  request<Result>(
    name: string,
    options: { readonly signal: AbortSignal },
    granted: () => Promise<Result>,
  ): Promise<Awaited<Result>>
}

/** ms; tabs hold the lock for a minute at most. */
const LONGEST_WAIT = 75_000

/**
 * Runs `work` while no other tab does so under the same name; immediately if locks aren't available.
 * @param longest ms to wait for another tab
 * @throws {AuthError} `timeout`: another tab doesn't release the lock
 * @throws what `work` throws
 */
export const exclusively = async <Result>(
  locks: Locks | undefined,
  name: string,
  work: () => Promise<Result>,
  longest = LONGEST_WAIT,
): Promise<Result> => {
  if (!locks) return await work()
  let entered = false
  const signal = AbortSignal.timeout(longest)
  try {
    return await locks.request(name, { signal }, async () => {
      entered = true
      return await work()
    })
  } catch (error) {
    if (entered) throw error
    if (signal.aborted) {
      const explanation = `Another tab has been refreshing these tokens for ${longest / 1000} s`
      throw new AuthError('refresh', fault('timeout', explanation), { cause: error })
    }
    // Locks are denied, as in a frame with an opaque origin: no other tab can have these credentials then.
    return await work()
  }
}
