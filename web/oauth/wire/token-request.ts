/**
 * Token endpoint requests and responses: client authentication, DPoP nonces, and checks of the response, for all
 * grants and refreshes.
 */
import * as oauth from 'oauth4webapi'
import type { Json, JsonObject } from '../../mcp/index.ts'
import { isSendable, type TokenSet, fault, type Fault, type SignInState, scopesOf } from '../model/index.ts'
import { endpointError, libraryFault, NoAnswer, responseOf, type Sent } from './library.ts'
import type { Port } from './port.ts'
import { jsonObjectOf, type Answer } from './request.ts'

/** What the library is called with once more, where the server wants a nonce in the proof (RFC 9449 section 8). */
export type Ask = () => Promise<Response>

export interface Bound {
  readonly handle: oauth.DPoPHandle
  readonly key: CryptoKeyPair
}

/** A key for proofs, which cannot leave the page (RFC 9449 section 11.3). */
export const newDpopKey = (): Promise<CryptoKeyPair> => oauth.generateKeyPair('ES256', { extractable: false })

/**
 * Whether tokens are asked for that are bound to a key: where the user says so, or the MCP server does. That the
 * authorization server could bind them is no reason: a server that knows no proofs would not take the tokens.
 */
export const wantsDpop = ({ refused, resourceMetadata }: SignInState, { options }: Port): boolean =>
  options.dpop ??
  (resourceMetadata?.dpop_bound_access_tokens_required === true || refused?.challenge?.scheme === 'DPoP')

/**
 * Sends, and sends once more where the server wants a nonce in the proof.
 * @param proves there is one: without, the same once more would only use up what it holds
 * @returns the answer, or the fault
 */
export const requestWithNonceRetry = async (ask: Ask, sent: Sent, proves = false): Promise<Answer | Fault> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await ask()
    } catch (error) {
      // The library remembers the nonce before it looks at anything else.
      if (!sent.answer || error instanceof NoAnswer) return libraryFault(error, 'internal', 'RFC 6749')
    }
    const answer = sent.answer!
    const again = proves && attempt === 1 && answer.headers.has('dpop-nonce')
    if (again && endpointError(answer)?.error === 'use_dpop_nonce') continue
    return answer
  }
}

export interface TokenContext {
  readonly as: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly dpop?: Bound
  readonly now: number
  readonly server: string
  readonly resource?: string
  readonly requestedScope?: string
  /** Kept where the answer brings no new one. */
  readonly refreshToken?: string
}

export interface TokensRead {
  readonly tokens?: TokenSet
  /** Without it: usable. With `tokens`: usable all the same, should the user wish so. */
  readonly fault?: Fault
  /** Things that are not as they should be, and do not matter. */
  readonly remarks: readonly { readonly say: string; readonly values: JsonObject }[]
}

/** RFC 6749 section 5.1. */
export const readTokens = async (answer: Answer, context: TokenContext): Promise<TokensRead> => {
  const remarks: { say: string; values: JsonObject }[] = []
  const said = endpointError(answer)
  if (answer.status < 200 || answer.status > 299 || said) {
    const facts = { status: answer.status, ...(said ? { error: said.error, description: said.description ?? '' } : {}) }
    const words = said ? `${said.error}${said.description ? `: ${said.description}` : ''}` : `HTTP ${answer.status}`
    const rule = RULES[said?.error ?? ''] ?? 'RFC 6749 section 5.2'
    return { remarks, fault: fault('token-refused', `The token endpoint rejected the request: ${words}`, rule, facts) }
  }
  const parsed = jsonObjectOf(answer, FORM)
  if ('code' in parsed) return { remarks, fault: parsed }
  if (answer.status !== 200) remarks.push({ say: 'token-with-status', values: { status: answer.status } })
  const { id_token: idToken, ...all } = parsed.json as JsonObject
  const ignored = Object.keys(OPTIONAL).filter((name) => name in all && !OPTIONAL[name]!(all[name]))
  for (const name of ignored) remarks.push({ say: 'member-ignored', values: { name } })
  const body = Object.fromEntries(Object.entries(all).filter(([name]) => !ignored.includes(name)))
  // Nothing here asks who the user is: an identity token that is out of order spoils no access token.
  if (idToken !== undefined) remarks.push({ say: 'id-token-ignored', values: {} })
  if (typeof body.access_token !== 'string' || body.access_token === '') {
    return { remarks, fault: fault('no-access-token', 'The response has no access_token', FORM) }
  }
  if (!isSendable(body.access_token)) {
    const why = "The access_token contains characters that an Authorization header can't carry"
    return { remarks, fault: fault('bad-token-response', why, 'RFC 6750 section 2.1') }
  }
  const lenient = tokenSet(body, context)
  const type = typeof body.token_type === 'string' ? body.token_type.toLowerCase() : ''
  if (type !== 'bearer' && !(type === 'dpop' && context.dpop)) {
    const values = { found: typeof body.token_type === 'string' ? body.token_type.slice(0, 100) : null }
    const why = `The token_type is ${values.found ?? 'missing'}, neither Bearer nor the requested type`
    const rule = values.found === null ? FORM : type === 'dpop' ? 'RFC 9449 section 5' : 'RFC 6749 section 7.1'
    return { remarks, tokens: lenient, fault: fault('token-type', why, rule, values) }
  }
  if (context.dpop && type === 'bearer') remarks.push({ say: 'not-bound', values: {} })
  try {
    await oauth.processGenericTokenEndpointResponse(
      context.as,
      context.client,
      responseOf({ ...answer, status: 200 }, body),
    )
  } catch (error) {
    return { remarks, tokens: lenient, fault: libraryFault(error, 'bad-token-response', FORM) }
  }
  return { remarks, tokens: lenient }
}

const FORM = 'RFC 6749 section 5.1'

/** Of errors that have a rule of their own. */
const RULES: Readonly<Record<string, string>> = {
  invalid_target: 'RFC 8707 section 2',
  use_dpop_nonce: 'RFC 9449 section 8',
  invalid_dpop_proof: 'RFC 9449 section 5',
}

/** What may be left out, and is as good as left out where it is out of order: whether it is in order. */
const OPTIONAL: Readonly<Record<string, (value: Json | undefined) => boolean>> = {
  expires_in: (value) =>
    (typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))) && Number(value) >= 0,
  refresh_token: (value) => typeof value === 'string' && value !== '',
  scope: (value) => typeof value === 'string',
}

const tokenSet = (body: JsonObject, context: TokenContext): TokenSet => {
  const { as, client, dpop, now, server, resource, requestedScope, refreshToken } = context
  const { access_token: accessToken, refresh_token: next, expires_in: seconds, token_type: type, scope, ...rest } = body
  const lifetime = Number(seconds ?? NaN)
  const bound = dpop !== undefined && typeof type === 'string' && type.toLowerCase() === 'dpop'
  const kept = typeof next === 'string' && next !== '' ? next : refreshToken
  // RFC 6749 section 5.1: a scope that is not named is the one that was asked for.
  const granted = typeof scope === 'string' ? scopesOf(scope).join(' ') : requestedScope
  return {
    issuer: as.issuer,
    server,
    accessToken: typeof accessToken === 'string' ? accessToken : '',
    tokenType: bound ? 'DPoP' : 'Bearer',
    receivedAt: now,
    clientId: client.client_id,
    ...(Number.isFinite(lifetime) && lifetime >= 0
      ? { expiresAt: now + Math.min(lifetime, 10 * 365 * 86_400) * 1000 }
      : {}),
    ...(resource === undefined ? {} : { resource }),
    ...(kept === undefined ? {} : { refreshToken: kept }),
    ...(requestedScope === undefined ? {} : { requestedScope }),
    ...(granted === undefined ? {} : { scope: granted }),
    ...(typeof as.token_endpoint === 'string' ? { tokenEndpoint: as.token_endpoint } : {}),
    ...(typeof as.revocation_endpoint === 'string' ? { revocationEndpoint: as.revocation_endpoint } : {}),
    ...(bound ? { dpopKey: dpop.key } : {}),
    extra: rest,
  }
}
