/**
 * Tokens after the sign-in: refreshed when they expire (RFC 6749 section 6), revoked when no longer needed (RFC 7009).
 */
import * as oauth from 'oauth4webapi'
import type { AuthStep, JsonObject } from '../../mcp/index.ts'
import { randomUuid } from '../../mcp/web-crypto.ts'
import {
  type Registration,
  type TokenSet,
  AuthError,
  fault,
  isRefreshable,
  safeFacts,
  safeUrl,
} from '../model/index.ts'
import { StepFrames, masked, remember } from '../flow/index.ts'
import {
  type Answer,
  clientAuthOf,
  clientOf,
  dpopKeyOf,
  endpointError,
  through,
  type Sent,
  noteRelayed,
  type Port,
  type Wire,
  requestWithNonceRetry,
  readTokens,
} from '../wire/index.ts'
import type { KnownSecrets } from '../../secrets/capture.ts'
import type { SignInHost, SignInServer } from '../sign-in-host.ts'

interface TokenRequests {
  readonly wire: Wire
  readonly secrets: KnownSecrets
  readonly now: () => number
}

interface TokenLifecycleOptions extends TokenRequests {
  /** The client that the tokens were issued to, as of the last sign-in. */
  readonly registration: () => Registration | undefined
  /** Repeats a grant that needs no user; absent if the grant needs one. */
  readonly again: () => (() => Promise<TokenSet>) | undefined
}

/** ms for all requests of one refresh or revocation. */
const LIMIT = 60_000

export class TokenLifecycle {
  readonly #server: SignInServer
  readonly #host: SignInHost
  readonly #options: TokenLifecycleOptions

  constructor(server: SignInServer, host: SignInHost, options: TokenLifecycleOptions) {
    this.#server = server
    this.#host = host
    this.#options = options
  }

  /** New tokens can be obtained without the user. */
  get renews(): boolean {
    const tokens = this.#host.vault.tokensFor(this.#server.url)
    return (tokens !== undefined && isRefreshable(tokens)) || this.#options.again() !== undefined
  }

  /** Runs once for concurrent callers in all tabs. @throws {AuthError} */
  async renew(): Promise<TokenSet> {
    return await this.#host.vault.exchange(this.#server.url, async (current: TokenSet) => {
      if (isRefreshable(current)) {
        return await refreshTokens(this.#tokenHost, current, this.#registrationOf(current))
      }
      const again = this.#options.again()
      if (again) return await again()
      throw new AuthError('refresh', fault('token-refused', 'The refresh token is missing', 'AU-TOK-03'))
    })
  }

  /** @throws {AuthError} they may still be valid */
  async revoke(tokens: TokenSet): Promise<void> {
    await revokeTokens(this.#tokenHost, tokens, this.#registrationOf(tokens))
  }

  get #tokenHost(): TokenRequestHost {
    const { trace, link } = this.#server
    return { ...this.#options, trace, link }
  }

  #registrationOf(tokens: TokenSet): Registration {
    const { issuer = '', clientId = '' } = tokens
    const { vault, redirectUri } = this.#host
    const own = [this.#options.registration(), vault.registrationFor(issuer, redirectUri, clientId)]
    const known = own.find((one) => one?.issuer === issuer && one.clientId === clientId)
    return known ?? { issuer, clientId, source: 'by-hand', method: 'none' }
  }
}

interface TokenRequestHost extends TokenRequests, Pick<SignInServer, 'trace' | 'link'> {}

/**
 * Exchanges the refresh token for new tokens; this uses up the old one (AU-TOK-04).
 * @throws {AuthError} `token-refused` and the faults of any request
 */
const refreshTokens = async (host: TokenRequestHost, tokens: TokenSet, registration: Registration): Promise<TokenSet> =>
  await asStep(host, 'refresh', async (check, port) => {
    // The tokens may have been loaded from storage.
    remember({ tokens, registration }, host.secrets)
    const { refreshToken, tokenEndpoint, resource, issuer = '', server } = tokens
    if (refreshToken === undefined || !safeUrl(tokenEndpoint, server)) {
      const why = 'The refresh token or the token endpoint is missing'
      throw new AuthError('refresh', fault('token-refused', why, 'AU-TOK-03'))
    }
    const as: oauth.AuthorizationServer = {
      issuer,
      token_endpoint: tokenEndpoint!,
      revocation_endpoint: tokens.revocationEndpoint,
    }
    const client = clientOf(registration)
    const auth = await clientAuthOf(registration)
    const sent: Sent = {}
    const dpop = dpopKeyOf(tokens)
    const answer = await requestWithNonceRetry(
      () =>
        oauth.refreshTokenGrantRequest(as, client, auth, refreshToken, {
          ...through(port, sent, { once: true }),
          // AU-FLOW-04: a refresh is also a token request.
          additionalParameters: resource === undefined ? [] : [['resource', resource]],
          DPoP: dpop?.handle,
        }),
      sent,
      dpop !== undefined,
    )
    if ('explanation' in answer) throw new AuthError('refresh', answer)
    const read = await readTokens(answer, {
      as,
      client,
      now: host.now(),
      server,
      refreshToken,
      dpop,
      resource,
      // RFC 6749 section 6: the scopes stay granted unless the response says otherwise.
      requestedScope: tokens.scope,
    })
    // RFC 6749 section 7.1: unlike in a sign-in, there is no user who could decide to use a token of another type.
    if (read.fault) throw new AuthError('refresh', read.fault)
    for (const remark of read.remarks) check(remark)
    const next = { ...read.tokens!, requestedScope: tokens.requestedScope ?? read.tokens!.requestedScope }
    const rotated = next.refreshToken !== refreshToken
    const isPublic = registration.method === 'none'
    check({
      rule: 'AU-TOK-04',
      keyword: 'MUST',
      ...(rotated ? { ok: true } : {}),
      say: rotated ? 'refresh-rotated' : 'refresh-not-rotated',
      values: { public: isPublic },
    })
    host.secrets.know(next.accessToken)
    host.secrets.know(next.refreshToken)
    return { value: next, learned: { tokens: safeFacts(next), rotated, public: isPublic } }
  })

/** RFC 7009. @throws {AuthError} it failed: the tokens may still be valid */
const revokeTokens = async (host: TokenRequestHost, tokens: TokenSet, registration: Registration): Promise<void> =>
  await asStep(host, 'revocation', async (check, port) => {
    remember({ tokens, registration }, host.secrets)
    const { issuer = '', revocationEndpoint, server, refreshToken, accessToken } = tokens
    const name = 'revocation_endpoint'
    if (revocationEndpoint === undefined) {
      const why = 'The authorization server has no revocation endpoint: tokens stay valid until they expire'
      throw new AuthError('revocation', fault('missing-endpoint', why, 'RFC 8414 section 2', { name }))
    }
    if (!safeUrl(revocationEndpoint, server)) {
      const values = { name, url: revocationEndpoint.slice(0, 300) }
      const why = `revocation_endpoint is ${values.url}, which can't be used: tokens stay valid until they expire`
      throw new AuthError('revocation', fault('unsafe-url', why, 'AU-ASM-07', values))
    }
    const as: oauth.AuthorizationServer = { issuer, revocation_endpoint: revocationEndpoint }
    const auth = await clientAuthOf(registration)
    // Revoking the refresh token should revoke its access tokens, but servers don't have to do so, so each is revoked.
    const each: [string, string][] = [
      ...(refreshToken === undefined ? [] : ([['refresh_token', refreshToken]] as [string, string][])),
      ['access_token', accessToken],
    ]
    for (const [hint, token] of each) {
      const sent: Sent = {}
      const answer = await requestWithNonceRetry(
        () =>
          oauth.revocationRequest(as, clientOf(registration), auth, token, {
            ...through(port, sent),
            additionalParameters: [['token_type_hint', hint]],
          }),
        sent,
      )
      if ('explanation' in answer) throw new AuthError('revocation', answer)
      const ok = answer.status >= 200 && answer.status <= 299
      const error = endpointError(answer)?.error ?? null
      // RFC 7009 section 2.2.1: self-contained tokens can't be revoked, but they expire soon.
      const cannot = error === 'unsupported_token_type' && hint === 'access_token' && refreshToken !== undefined
      const values = { hint, status: answer.status, error }
      const say = ok ? 'revoked' : cannot ? 'not-revocable' : 'not-revoked'
      const remark = cannot || (ok && answer.status !== 200)
      const rule = ruleOfRevocation(answer, error)
      check({ rule, keyword: 'MUST', ...(remark ? {} : { ok }), say, values })
      if (!ok && !cannot) {
        const why = `The revocation endpoint returned HTTP ${answer.status}`
        throw new AuthError('revocation', fault('http-status', why, 'RFC 7009 section 2.2.1', values))
      }
    }
    return { value: undefined, learned: {} }
  })

const ruleOfRevocation = ({ status }: Answer, error: string | null): string => {
  if (status === 404 || status === 405) return 'AU-ASM-01'
  if (error === 'invalid_client') return 'AU-FLOW-13'
  // Refresh tokens must be revocable.
  if (error === 'unsupported_token_type') return 'RFC 7009 section 2'
  if (status === 415) return 'RFC 7009 section 2.1'
  return status === 400 && error === null ? 'RFC 7009 section 2.2.1' : 'RFC 7009 section 2.2'
}

type Work<Value> = (
  check: StepFrames['check'],
  port: Pick<Port, 'send'>,
) => Promise<{ value: Value; learned: JsonObject }>

/** Runs a step outside any flow, with its frames. */
const asStep = async <Value>(host: TokenRequestHost, step: AuthStep, work: Work<Value>): Promise<Value> => {
  const frames = new StepFrames(host, randomUuid().slice(0, 8), step)
  const signal = AbortSignal.timeout(LIMIT)
  const send: Port['send'] = async (draft, note) => {
    const answer = await host.wire.send(draft, frames.begun, signal, note)
    noteRelayed(answer, frames.check)
    return answer
  }
  try {
    const { value, learned } = await work(frames.check, { send })
    frames.done('ok', learned)
    return value
  } catch (error) {
    const said = error instanceof AuthError ? error.fault : fault('internal', String(error))
    const reason = new AuthError(step, masked(said, host.secrets), { cause: error })
    frames.done('failed', {}, reason.fault)
    throw reason
  }
}
