/**
 * Token endpoint requests and responses: client authentication, DPoP nonces, and checks of the response, for
 * all grants and refreshes. DPoP nonces of the MCP server: `../tokens/credential.ts`.
 */
import * as oauth from 'oauth4webapi'
import type { Json, JsonObject } from '../../mcp/index.ts'
import { isSendable, type TokenSet, fault, type Fault, type SignInState, scopesOf } from '../model/index.ts'
import { endpointError, libraryFault, NoAnswer, responseOf, type Sent } from './library.ts'
import type { Port } from './port.ts'
import { jsonObjectOf, type Answer } from './request.ts'

/** Calls the library; called again if the server requires a nonce in the proof (RFC 9449 section 8). */
export type Ask = () => Promise<Response>

export interface Bound {
  readonly handle: oauth.DPoPHandle
  readonly key: CryptoKeyPair
}

/** A key for proofs that can't leave the page (RFC 9449 section 11.3). */
export const newDpopKey = (): Promise<CryptoKeyPair> => oauth.generateKeyPair('ES256', { extractable: false })

/**
 * Whether to request key-bound tokens: if the user or the MCP server says so. Support by the authorization server isn't
 * a reason, because an MCP server that doesn't know proofs would reject the tokens.
 */
export const wantsDpop = ({ refused, resourceMetadata }: SignInState, { options }: Port): boolean =>
  options.dpop ??
  (resourceMetadata?.dpop_bound_access_tokens_required === true || refused?.challenge?.scheme === 'DPoP')

/**
 * Sends the request, and repeats it if the server requires a nonce in the proof.
 * @param proves there is a proof; without one, a repetition would only use up the code or token in the request
 * @returns the response, or the fault
 */
export const requestWithNonceRetry = async (ask: Ask, sent: Sent, proves = false): Promise<Answer | Fault> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await ask()
    } catch (error) {
      // The library stores the nonce before it looks at anything else.
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
  /** Kept if the response has no new one. */
  readonly refreshToken?: string
}

export interface TokensRead {
  readonly tokens?: TokenSet
  /** Absent: usable. With `tokens`: usable anyway, if the user wishes. */
  readonly fault?: Fault
  /** Deviations that don't matter. */
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
  // The user's identity isn't needed, so an invalid ID token doesn't invalidate the access token.
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

/** Rules for specific error codes. */
const RULES: Readonly<Record<string, string>> = {
  invalid_target: 'RFC 8707 section 2',
  use_dpop_nonce: 'RFC 9449 section 8',
  invalid_dpop_proof: 'RFC 9449 section 5',
}

/** Validity checks of optional members; an invalid member is treated as absent. */
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
  // RFC 6749 section 5.1: an omitted scope is the requested one.
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
