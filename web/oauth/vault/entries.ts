/** The vault's data for one server, and its entries for the user, which contain no secrets. */
import type { HeldClient } from './clients.ts'
import { type Registration, type TokenSet, canonicalResource } from '../model/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import type { KeptServer } from './on-device.ts'

/**
 * Why something that should be remembered is only in memory. `bound`: to a key that can't leave the page (RFC 9449).
 * `address`: the server's URL contains a secret. `refused`: storage is denied or full. `insecure`: nothing can be
 * encrypted outside a secure context.
 */
export type Unkept = 'bound' | 'address' | 'refused' | 'insecure'

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
    server,
    ...(issuer === undefined ? {} : { issuer }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSource === undefined ? {} : { clientSource }),
    ...(scope === undefined ? {} : { scope }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    hasTokens: tokens !== undefined,
    hasRefreshToken: tokens?.refreshToken !== undefined,
    kept,
    remembered,
    ...(unkept ? { unkept } : {}),
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
