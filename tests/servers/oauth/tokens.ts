/** How a protected server validates a token, using a resource server's means and none of the issuer's code. */
import * as oauth from 'oauth4webapi'
import { RESOURCE_SERVER } from './clients.ts'
import { decodeJwt } from './jwt.ts'

/** The content of a valid token. */
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

/** Checks the signature and all claims of a JWT, or introspects an opaque token. Caches the issuers' keys. */
export class TokenChecker {
  readonly #issuers = new Map<string, oauth.AuthorizationServer>()

  /**
   * @param request the request with the token, with the URL the client used
   * @throws {Error} with what is wrong with the token
   */
  async check(token: string, request: Request, { audience, issuers, dpop }: Wanted): Promise<Token> {
    if (token.split('.').length !== 3) return this.#ask(token, audience, issuers)
    const { iss } = decodeJwt(token).claims
    if (typeof iss !== 'string' || !issuers.includes(iss)) throw new Error(`${String(iss)} issues no tokens for this`)
    const claims = await oauth.validateJwtAccessToken(this.#issuer(iss), request, audience, {
      requireDPoP: dpop,
      [oauth.allowInsecureRequests]: true,
      // The library's own check is only accurate to a second, so `exp` is checked again below.
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

  /** oidc-provider's endpoints; discovery would flood every log with requests. */
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
