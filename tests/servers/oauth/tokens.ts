/** How a protected server tells whether a token is good, with the tools of a resource server and nothing of the issuer's. */
import * as oauth from 'oauth4webapi'
import { RESOURCE_SERVER } from './clients.ts'
import { decodeJwt } from './jwt.ts'

/** What a good token says. */
export interface Token {
  /** `jti`, or the token itself. */
  readonly id: string
  readonly subject: string
  readonly scopes: readonly string[]
}

interface Wanted {
  readonly audience: string
  readonly issuers: readonly string[]
  readonly dpop: boolean
}

/** The signature and all claims of a JWT; the issuer's word for an opaque token. Keeps the keys of issuers. */
export class TokenChecker {
  readonly #issuers = new Map<string, oauth.AuthorizationServer>()

  /**
   * @param request the one with the token, its address as the client knows it
   * @throws {Error} with what is wrong with the token
   */
  async check(token: string, request: Request, { audience, issuers, dpop }: Wanted): Promise<Token> {
    if (token.split('.').length !== 3) return this.#ask(token, audience, issuers)
    const { iss } = decodeJwt(token).claims
    if (typeof iss !== 'string' || !issuers.includes(iss)) throw new Error(`${String(iss)} issues no tokens for this`)
    const claims = await oauth.validateJwtAccessToken(this.#issuer(iss), request, audience, {
      requireDPoP: dpop,
      [oauth.allowInsecureRequests]: true,
      // The library allows no less than a second, and a token that is over is over.
      [oauth.clockTolerance]: 0,
    })
    if (claims.exp <= Date.now() / 1000) throw new Error('the token has expired')
    return { id: claims.jti, subject: claims.sub, scopes: (claims.scope ?? '').split(' ') }
  }

  async #ask(token: string, audience: string, issuers: readonly string[]): Promise<Token> {
    for (const issuer of issuers) {
      const server = this.#issuer(issuer)
      const client = { client_id: RESOURCE_SERVER.id }
      const authentication = oauth.ClientSecretBasic(RESOURCE_SERVER.secret)
      const response = await oauth.introspectionRequest(server, client, authentication, token, {
        [oauth.allowInsecureRequests]: true,
      })
      const told = await oauth.processIntrospectionResponse(server, client, response)
      if (!told.active) continue
      if (![told.aud].flat().includes(audience)) throw new Error(`the token is for ${String(told.aud)}`)
      return { id: told.jti ?? token, subject: told.sub ?? '', scopes: (told.scope ?? '').split(' ') }
    }
    throw new Error('the token is not known, or not any more')
  }

  /** Where oidc-provider has what is needed; discovery would be a flood of requests in every log. */
  #issuer(issuer: string): oauth.AuthorizationServer {
    const known = this.#issuers.get(issuer) ?? {
      issuer,
      jwks_uri: `${issuer}/jwks`,
      introspection_endpoint: `${issuer}/token/introspection`,
    }
    this.#issuers.set(issuer, known)
    return known
  }
}
