/**
 * What the vault holds in memory and on the device: a slot for each server, the registered clients, and entries about
 * both for the user, which contain no secrets.
 */
import { type Registration, type TokenSet, canonicalResource } from '../model/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import type { KeptServer, OnDevice } from './on-device.ts'

/**
 * Why something that should be remembered is only in memory. `bound`: to a key that can't leave the page (RFC 9449).
 * `address`: the server's URL contains a secret. `refused`: storage is denied or full. `insecure`: nothing can be
 * encrypted outside a secure context.
 */
type Unkept = 'bound' | 'address' | 'refused' | 'insecure'

/** A stored credential, without its secrets. Times are in ms since the epoch. */
export interface Entry {
  /** Absent: a client without tokens. */
  readonly server?: string
  /** Absent: the tokens were pasted, or there are none. */
  readonly issuer?: string
  readonly clientId?: string
  readonly clientSource?: Registration['source']
  readonly hasTokens: boolean
  readonly hasRefreshToken: boolean
  readonly scope?: string
  readonly expiresAt?: number
  readonly kept: 'memory' | 'device'
  readonly remembered: boolean
  readonly unkept?: Unkept
  /** When the tokens or the client were received; otherwise, when the user chose Remember. */
  readonly since: number
}

type How = Pick<Entry, 'kept' | 'remembered'> & { readonly unkept?: Unkept | undefined; readonly since?: number }

/** @param how `since`: used if there are no tokens */
export const entryOf = (
  server: string,
  tokens: TokenSet | undefined,
  clientSource: Registration['source'] | undefined,
  { kept, remembered, unkept, since = 0 }: How,
): Entry => {
  const { issuer, clientId, scope, expiresAt } = tokens ?? {}
  return {
    ...{ server, issuer, clientId, clientSource, scope, expiresAt },
    hasTokens: tokens !== undefined,
    hasRefreshToken: tokens?.refreshToken !== undefined,
    ...{ kept, remembered, unkept },
    since: tokens?.receivedAt ?? since,
  }
}

/** A client without tokens. */
export const clientEntry = ({ registration, since, kept }: HeldClient): Entry => ({
  issuer: registration.issuer,
  clientId: registration.clientId,
  clientSource: registration.source,
  hasTokens: false,
  hasRefreshToken: false,
  kept,
  remembered: kept === 'device',
  since,
})

/** One server in the vault: in this page's memory, on the device, or both. */
export interface Slot {
  /** In memory: not to be remembered, or not storable. Takes precedence over the device's tokens. */
  own?: TokenSet
  /** The device's record, which is shared with other tabs: if it is removed, this is removed as well. */
  device?: KeptServer
  wanted: boolean
  unkept?: Unkept
  /** The device's tokens including members that aren't stored; those are lost on reload. */
  whole?: TokenSet
}

export const addressOf = (server: string): string => (parsedUrl(server) ? canonicalResource(server) : server)

/** AU-GEN-04: callers compare `server` with the URL they use. */
export function forServer(tokens: TokenSet, server: string): TokenSet
export function forServer(tokens: TokenSet | undefined, server: string): TokenSet | undefined
export function forServer(tokens: TokenSet | undefined, server: string): TokenSet | undefined {
  return !tokens || tokens.server === server ? tokens : { ...tokens, server }
}

export const isSame = (a: TokenSet, b: TokenSet): boolean =>
  a.accessToken === b.accessToken && a.refreshToken === b.refreshToken

/** The device's tokens, including the members that aren't stored. */
export const wholeOf = ({ device, whole }: Slot): TokenSet | undefined => {
  const tokens = device?.tokens
  return tokens && whole && isSame(tokens, whole) ? whole : tokens
}

interface HeldClient {
  readonly registration: Registration
  /** ms since the epoch. */
  readonly since: number
  readonly kept: 'memory' | 'device'
}

/** The members that tokens and registrations share. */
type Named = Pick<TokenSet, 'issuer' | 'clientId'>

/** Registered clients, by authorization server (AU-REG-12). */
export class Clients {
  readonly #device: OnDevice
  /** Clients in memory only, newest last. */
  #own: readonly HeldClient[] = []

  constructor(device: OnDevice) {
    this.#device = device
  }

  /** Newest last. */
  all(): HeldClient[] {
    const kept = this.#device.clients().sort((a, b) => a.at - b.at)
    return [...kept.map(({ registration, at }) => ({ registration, since: at, kept: 'device' as const })), ...this.#own]
  }

  of({ issuer, clientId }: Named): Registration | undefined {
    return this.all().findLast(
      ({ registration }) => registration.issuer === issuer && registration.clientId === clientId,
    )?.registration
  }

  put(registration: Registration, since: number): void {
    const others = this.#own.filter((client) => !isSameClient(client.registration, registration))
    this.#own = [...others, { registration, since, kept: 'memory' }]
  }

  drop(isDropped: (registration: Registration) => boolean): void {
    for (const { registration } of this.#device.clients()) {
      if (isDropped(registration)) this.#device.dropClient(registration)
    }
    this.#own = this.#own.filter(({ registration }) => !isDropped(registration))
  }

  /**
   * Moves each client to where it belongs: to the device if remembered tokens use it, otherwise to memory. A client
   * without tokens is dropped if a newer one can replace it.
   */
  settle(remembered: readonly Named[], isUsed: (registration: Registration) => boolean): void {
    const belongs = ({ issuer, clientId }: Registration) =>
      remembered.some((tokens) => tokens.issuer === issuer && tokens.clientId === clientId)
    const own: HeldClient[] = []
    for (const client of this.all()) {
      const { registration, kept } = client
      if (kept === 'memory') {
        // What the user typed is never stored.
        const written = registration.source === 'dynamic' && belongs(registration)
        if (!written || !this.#device.putClient(registration)) own.push(client)
      } else if (!belongs(registration)) {
        this.#device.dropClient(registration)
        own.push({ ...client, kept: 'memory' })
      }
    }
    this.#own = own
    const all = this.all()
    this.#own = own.filter(({ registration, since }, index) => {
      const isNewer = (other: HeldClient) =>
        other.kept === 'device' ? other.since >= since : own.indexOf(other) > index
      return isUsed(registration) || !all.some((other) => isAlike(other.registration, registration) && isNewer(other))
    })
  }
}

/** Either could be used for the same sign-in. */
const isAlike = (a: Registration, b: Registration): boolean => a.issuer === b.issuer && a.redirectUri === b.redirectUri

const isSameClient = (a: Registration, b: Registration): boolean => isAlike(a, b) && a.clientId === b.clientId
