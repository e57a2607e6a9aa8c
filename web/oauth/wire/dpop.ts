/** DPoP (RFC 9449): the key that tokens are bound to, and the proof that each request carries. */
import * as oauth from 'oauth4webapi'
import type { SignInState, TokenSet } from '../model/index.ts'
import type { Port } from './port.ts'

/** A key for proofs, and the library's handle for it, which remembers the servers' nonces. */
export interface DpopKey {
  readonly handle: oauth.DPoPHandle
  readonly key: CryptoKeyPair
}

/**
 * Whether to request key-bound tokens: if the user or the MCP server says so. Support by the authorization server isn't
 * a reason, because an MCP server that doesn't know proofs would reject the tokens.
 */
export const wantsDpop = ({ refused, resourceMetadata }: SignInState, { options }: Port): boolean =>
  options.dpop ??
  (resourceMetadata?.dpop_bound_access_tokens_required === true || refused?.challenge?.scheme === 'DPoP')

/** A new key, which can't leave the page (RFC 9449 section 11.3). */
export const newDpopKey = async (): Promise<DpopKey> =>
  withHandle(await oauth.generateKeyPair('ES256', { extractable: false }))

/** The key that tokens are bound to; absent for bearer tokens. */
export const dpopKeyOf = ({ dpopKey, tokenType }: TokenSet): DpopKey | undefined =>
  dpopKey && tokenType === 'DPoP' ? withHandle(dpopKey) : undefined

const withHandle = (key: CryptoKeyPair): DpopKey => ({ key, handle: oauth.DPoP({}, key) })

/**
 * The headers with a new proof for one request (RFC 9449 section 4). The library only creates it on the way to its own
 * `fetch`, so this `fetch` sends nothing and returns the server's nonce, if there is one to remember.
 */
export const dpopHeaders = async (
  accessToken: string,
  handle: oauth.DPoPHandle,
  { method, url }: { readonly method: string; readonly url: string },
  nonce?: string,
): Promise<[string, string][]> => {
  const made: [string, string][] = []
  await oauth.protectedResourceRequest(accessToken, method, new URL(url), undefined, undefined, {
    DPoP: handle,
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (_url: string, { headers }: { headers: Record<string, string> }) => {
      for (const [name, value] of Object.entries(headers)) {
        if (/^(authorization|dpop)$/i.test(name)) made.push([name.toLowerCase(), value])
      }
      return new Response(null, nonce === undefined ? {} : { headers: { 'dpop-nonce': nonce } })
    },
  })
  return made
}
