/** What the vault has of one server, and what the user sees of it: entries hold no secret. */
import type { HeldClient } from './clients.ts'
import { type Registration, type TokenSet, canonicalResource } from '../model/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import type { KeptServer } from './on-device.ts'

/**
 * Why something that its user wants to be remembered is in memory all the same. `bound`: to a key that cannot leave the
 * page (RFC 9449). `address`: that of the server holds a secret. `refused`: by the browser's storage, or it is full.
 * `insecure`: outside a secure context nothing can be encrypted.
 */
export type Unkept = 'bound' | 'address' | 'refused' | 'insecure'

/** Something that is kept, without its secrets. Times are in ms since the epoch. */
export interface Entry {
  /** Absent: a client that no tokens are with. */
  readonly server?: string
  /** Absent: its tokens were pasted, or there are none. */
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
  /** When the tokens or the client came; without either, when it was to be remembered. */
  readonly since: number
}

type How = Pick<Entry, 'kept' | 'remembered'> & { readonly unkept?: Unkept | undefined; readonly since?: number }

/** @param how `since`: where there are no tokens */
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

/** A client that no tokens are with. */
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
  /** In memory: not to be remembered, or not to be kept. It goes before what is on the device. */
  own?: TokenSet
  /** What is on the device is this page's too, and goes with it. */
  device?: KeptServer
  wanted: boolean
  unkept?: Unkept
  /** What is on the device with all that was known when it came; the members that are not written are lost by a reload. */
  whole?: TokenSet
}

export const addressOf = (server: string): string => (parsedUrl(server) ? canonicalResource(server) : server)

/** AU-GEN-04: whoever asks compares it with the address that it has. */
export function forServer(tokens: TokenSet, server: string): TokenSet
export function forServer(tokens: TokenSet | undefined, server: string): TokenSet | undefined
export function forServer(tokens: TokenSet | undefined, server: string): TokenSet | undefined {
  return !tokens || tokens.server === server ? tokens : { ...tokens, server }
}

export const isSame = (a: TokenSet, b: TokenSet): boolean =>
  a.accessToken === b.accessToken && a.refreshToken === b.refreshToken

/** The tokens on the device, with what is known beyond. */
export const wholeOf = ({ device, whole }: Slot): TokenSet | undefined => {
  const tokens = device?.tokens
  return tokens && whole && isSame(tokens, whole) ? whole : tokens
}
