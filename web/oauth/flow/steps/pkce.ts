/** PKCE (RFC 7636): a code verifier and its challenge, and whether the server advertises S256. */
import * as oauth from 'oauth4webapi'
import { sha256 } from '../../../mcp/web-crypto.ts'
import type { SignInState } from '../../model/index.ts'
import type { Port } from '../../wire/index.ts'

/** RFC 7636 section 4.1: 32 random bytes, base64url-encoded. */
export const newCodeVerifier = (): string => oauth.generateRandomCodeVerifier()

/** RFC 7636 section 4.2: S256. The library's own function needs a secure context. */
export const challengeOf = async (codeVerifier: string): Promise<string> =>
  btoa(String.fromCharCode(...(await sha256(codeVerifier))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')

/** AU-FLOW-02, AU-FLOW-03. */
export const checkPkce = async ({ metadata }: SignInState, port: Port): Promise<void> => {
  const methods: unknown = metadata?.code_challenge_methods_supported
  const advertised = Array.isArray(methods) && methods.includes('S256')
  const values = { methods: Array.isArray(methods) ? methods.slice(0, 10).map(String) : null }
  const check = {
    // Other methods are advertised, but not S256: a client that supports S256 must not use a weaker one.
    rule: !advertised && Array.isArray(methods) && methods.length > 0 ? 'AU-FLOW-02' : 'AU-FLOW-03',
    keyword: 'MUST',
    ok: advertised,
    say: advertised ? 'pkce-advertised' : 'pkce-not-advertised',
    values,
  } as const
  // Older protocol versions didn't require servers to advertise PKCE, so it is used anyway (AU-FLOW-01).
  if (!port.profile.has('pkceMustBeAdvertised')) {
    const { ok: _, ...remark } = check
    return port.check(advertised ? check : remark)
  }
  await port.must(check, 'pkce-not-advertised', "The metadata doesn't advertise PKCE with S256")
}
