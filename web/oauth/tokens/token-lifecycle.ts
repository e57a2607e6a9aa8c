/** Tokens after the sign-in: gotten anew when they run out, and ended when they are not wanted any more. */
import { refreshTokens, revokeTokens, type TokenRequestHost } from './refresh-and-revoke.ts'
import { type Registration, type TokenSet, AuthError, fault } from '../model/index.ts'
import type { Vault } from '../vault/index.ts'

export interface TokenLifecycleHost extends TokenRequestHost {
  readonly vault: Vault
  readonly server: () => string
  readonly redirectUri: string
  /** The client that the tokens were given to, as the last sign-in knew it. */
  readonly registration: () => Registration | undefined
  /** Goes through a grant that asks nobody once more; absent where the grant needs a user. */
  readonly again: () => (() => Promise<TokenSet>) | undefined
}

/** ms for all that one refresh or revocation sends. */
const LIMIT = 60_000

export class TokenLifecycle {
  readonly #host: TokenLifecycleHost

  constructor(host: TokenLifecycleHost) {
    this.#host = host
  }

  /** There is a way to get other tokens without asking anybody. */
  get renews(): boolean {
    const { vault, server, again } = this.#host
    return vault.tokensFor(server())?.refreshToken !== undefined || again() !== undefined
  }

  /** Once for all who ask at the same time, in all tabs. @throws {AuthError} */
  async renew(): Promise<TokenSet> {
    const { vault, server, again } = this.#host
    return await vault.exchange(server(), async (current: TokenSet) => {
      if (current.refreshToken !== undefined) {
        return await refreshTokens(this.#host, current, this.#registrationOf(current), AbortSignal.timeout(LIMIT))
      }
      const anew = again()
      if (anew) return await anew()
      throw new AuthError('refresh', fault('token-refused', 'There is no refresh token', 'AU-TOK-03'))
    })
  }

  /** @throws {AuthError} they may still be good */
  async revoke(tokens: TokenSet): Promise<void> {
    await revokeTokens(this.#host, tokens, this.#registrationOf(tokens), AbortSignal.timeout(LIMIT))
  }

  #registrationOf(tokens: TokenSet): Registration {
    const { issuer = '', clientId = '' } = tokens
    const { vault, redirectUri, registration } = this.#host
    const own = [registration(), vault.registrationFor(issuer, redirectUri, clientId)]
    const known = own.find((one) => one?.issuer === issuer && one.clientId === clientId)
    return known ?? { issuer, clientId, source: 'by-hand', method: 'none' }
  }
}
