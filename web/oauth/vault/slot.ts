/** One server, as the vault has it: in this page's memory, on the device, or both. */
import { parsedUrl } from '../../mcp/url.ts'
import { type TokenSet, canonicalResource } from '../model/index.ts'
import type { Unkept } from './entries.ts'
import type { KeptServer } from './on-device.ts'

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
