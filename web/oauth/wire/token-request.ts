/**
 * Token endpoint requests through oauth4webapi, for all grants, refreshes and revocations: client authentication, DPoP
 * nonces, and checks of the response. The library builds requests and processes responses; in between, we show, edit,
 * send and record them. The key and its proofs: `dpop.ts`.
 */
import * as oauth from 'oauth4webapi'
import type { AuthCheck, Json, JsonObject } from '../../mcp/index.ts'
import {
  type ClientAuthMethod,
  type Fault,
  type Registration,
  type TokenSet,
  fault,
  isSendable,
  scopesOf,
} from '../model/index.ts'
import type { DpopKey } from './dpop.ts'
import type { Port, SendNote } from './port.ts'
import { jsonObjectOf, type Answer, type RequestDraft } from './request.ts'

/** A request couldn't be sent, or its response couldn't be read. */
class NoAnswer extends Error {
  readonly fault: Fault
  constructor(reason: Fault) {
    super(reason.explanation)
    this.fault = reason
  }
}

/** The response as received, in addition to the library's result. */
export interface Sent {
  answer?: Answer
}

/** Options that send the library's requests through the port. @throws {NoAnswer} from the library's call */
export const through = (port: Pick<Port, 'send'>, sent: Sent, note?: SendNote) => ({
  // `url.ts` decides which URLs are safe before anything is sent.
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: async (
    url: string,
    init: { method: string; headers: Record<string, string>; body?: unknown },
  ) => {
    const headers = Object.entries(init.headers)
    // Browsers set their own user agent; setting ours would only cause a preflight.
    const kept = headers.filter(([name]) => name.toLowerCase() !== 'user-agent')
    const draft: RequestDraft = {
      method: init.method === 'GET' ? 'GET' : 'POST',
      url,
      headers: kept,
      ...(init.body === undefined || init.body === null ? {} : { body: bodyText(init.body) }),
    }
    const answer = await port.send(draft, note)
    if (!answer.answered) throw new NoAnswer(answer.fault)
    sent.answer = answer
    return responseOf(answer)
  },
})

const bodyText = (body: unknown): string => (body instanceof URLSearchParams ? body.toString() : String(body))

/** A new `Response` with the same content, for the library to read. */
const responseOf = ({ status, headers, text }: Answer, replaced?: JsonObject): Response => {
  const head = new Headers(headers)
  if (replaced) head.set('content-type', 'application/json')
  const bodiless = status === 204 || status === 304 || status < 200
  return new Response(bodiless ? null : replaced ? JSON.stringify(replaced) : text, {
    status: status < 200 ? 500 : status,
    headers: head,
  })
}

export const clientOf = ({ clientId, method }: Registration): oauth.Client => ({
  client_id: clientId,
  token_endpoint_auth_method: method,
})

/** AU-FLOW-13. @throws {Error} the private key can't be read */
export const clientAuthOf = async (registration: Registration): Promise<oauth.ClientAuth> => {
  const { method, clientSecret = '' } = registration
  switch (method) {
    case 'client_secret_basic':
      return clientSecretBasic(clientSecret)
    case 'client_secret_post':
      return oauth.ClientSecretPost(clientSecret)
    case 'private_key_jwt': {
      const key = await importPrivateKey(registration.privateKey ?? '', registration.algorithm)
      // RFC 7523 section 3: some servers require their issuer as the only audience, as the newer drafts do.
      return oauth.PrivateKeyJwt(key)
    }
    case 'none':
      return oauth.None()
  }
}

/**
 * RFC 6749 section 2.3.1 with the usual form encoding: `-`, `.`, `_` and `*` are unchanged. The library also encodes
 * those, but many servers don't decode them and would see another client id.
 */
export const clientSecretBasic =
  (clientSecret: string): oauth.ClientAuth =>
  (_as, { client_id: id }, _body, headers) =>
    headers.set('authorization', `Basic ${btoa(`${formEncoded(id)}:${formEncoded(clientSecret)}`)}`)

const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

const ALGORITHMS: Readonly<Record<string, RsaHashedImportParams | EcKeyImportParams | Algorithm>> = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
  ES512: { name: 'ECDSA', namedCurve: 'P-521' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  RS384: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-384' },
  RS512: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  PS384: { name: 'RSA-PSS', hash: 'SHA-384' },
  PS512: { name: 'RSA-PSS', hash: 'SHA-512' },
  EdDSA: { name: 'Ed25519' },
  Ed25519: { name: 'Ed25519' },
}

/** Supported JWS algorithms of a private key. */
export const SIGNING_ALGORITHMS: readonly string[] = Object.keys(ALGORITHMS)

/**
 * Imports a private key in a common format: PKCS #8 in PEM, or a JWK. It can't be exported again.
 * @throws {Error} the key isn't usable, with the reason
 */
const importPrivateKey = async (text: string, algorithm = 'ES256'): Promise<CryptoKey> => {
  const parameters = ALGORITHMS[algorithm]
  if (!parameters) throw new Error(`${algorithm.slice(0, 30)} isn't one of ${SIGNING_ALGORITHMS.join(', ')}`)
  const trimmed = text.trim()
  try {
    if (trimmed.startsWith('{')) {
      const jwk = JSON.parse(trimmed) as JsonWebKey
      return await crypto.subtle.importKey(
        'jwk',
        { ...jwk, use: undefined, key_ops: undefined } as JsonWebKey,
        parameters,
        false,
        ['sign'],
      )
    }
    const body = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(trimmed)?.[1]
    if (body === undefined) {
      throw new Error('it is neither a JWK nor PKCS #8 in PEM (-----BEGIN PRIVATE KEY-----)')
    }
    const bytes = Uint8Array.from(atob(body.replace(/\s+/g, '')), (char) => char.charCodeAt(0))
    return await crypto.subtle.importKey('pkcs8', bytes, parameters, false, ['sign'])
  } catch (error) {
    // The runtime's error message may quote the key.
    const own = error instanceof Error && error.message.startsWith('it is neither') ? error.message : "it can't be read"
    throw new Error(`The private key can't be used for ${algorithm}: ${own}`, { cause: error })
  }
}

/** RFC 6749 section 5.2: an endpoint's error in its own words, with limited length. */
interface EndpointError {
  readonly error: string
  readonly description?: string
}

/** The error in the body of a response, if there is one. */
export const endpointError = (answer: Answer): EndpointError | undefined => {
  const parsed = jsonObjectOf({ ...answer, text: answer.shown })
  if ('code' in parsed) return undefined
  const { error, error_description: description } = parsed.json as JsonObject
  if (typeof error !== 'string') return undefined
  return {
    error: error.slice(0, 200),
    ...(typeof description === 'string' ? { description: description.slice(0, 1000) } : {}),
  }
}

/** How a response rejects a request: in the server's own words if there are any. */
export const rejectionOf = (answer: Answer): { readonly words: string; readonly facts: JsonObject } => {
  const { status } = answer
  const said = endpointError(answer)
  if (!said) return { words: `HTTP ${status}`, facts: { status } }
  const { error, description = '' } = said
  return { words: `${error}${description ? `: ${description}` : ''}`, facts: { status, error, description } }
}

/** The authentication method that the server supports and the client can use. */
export const methodFor = (
  supported: readonly string[] | undefined,
  has: { readonly secret: boolean; readonly key: boolean },
): ClientAuthMethod => {
  if (has.key) return 'private_key_jwt'
  // RFC 8414 section 2: without this list, the default is client_secret_basic.
  const list = supported ?? ['client_secret_basic', 'client_secret_post', 'none']
  if (!has.secret) return 'none'
  if (list.includes('client_secret_basic')) return 'client_secret_basic'
  return list.includes('client_secret_post') ? 'client_secret_post' : 'client_secret_basic'
}

/** Converts an error from the library's response processing to a fault. */
const libraryFault = (error: unknown, code: Fault['code'], rule: string): Fault => {
  if (error instanceof NoAnswer) return error.fault
  const message = error instanceof Error ? error.message : String(error)
  return fault(code, message.slice(0, 500), rule)
}

/** Calls the library; called again if the server requires a nonce in the proof (RFC 9449 section 8). */
type Ask = () => Promise<Response>

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

interface TokenContext {
  readonly as: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly dpop?: DpopKey
  readonly now: number
  readonly server: string
  readonly resource?: string
  readonly requestedScope?: string
  /** Kept if the response has no new one. */
  readonly refreshToken?: string
}

interface TokensRead {
  readonly tokens?: TokenSet
  /** Absent: usable. With `tokens`: usable anyway, if the user wishes. */
  readonly fault?: Fault
  /** Deviations that don't stop the client. */
  readonly remarks: readonly AuthCheck[]
}

/** RFC 6749 section 5.1. */
export const readTokens = async (answer: Answer, context: TokenContext): Promise<TokensRead> => {
  const remarks: AuthCheck[] = []
  const said = endpointError(answer)
  if (answer.status < 200 || answer.status > 299 || said) {
    const { words, facts } = rejectionOf(answer)
    const rule = RULES[said?.error ?? ''] ?? 'RFC 6749 section 5.2'
    return { remarks, fault: fault('token-refused', `The token endpoint rejected the request: ${words}`, rule, facts) }
  }
  const parsed = jsonObjectOf(answer, FORM)
  if ('code' in parsed) return { remarks, fault: parsed }
  if (answer.status !== 200) remarks.push({ ...REMARK, say: 'token-with-status', values: { status: answer.status } })
  const { id_token: idToken, ...all } = parsed.json as JsonObject
  const ignored = Object.keys(OPTIONAL).filter((name) => name in all && !OPTIONAL[name]!(all[name]))
  for (const name of ignored) remarks.push({ ...REMARK, say: 'member-ignored', values: { name } })
  const body = Object.fromEntries(Object.entries(all).filter(([name]) => !ignored.includes(name)))
  // The user's identity isn't needed, so an invalid ID token doesn't invalidate the access token.
  if (idToken !== undefined) remarks.push({ ...REMARK, say: 'id-token-ignored', values: {} })
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
  if (context.dpop && type === 'bearer') remarks.push({ ...REMARK, say: 'not-bound', values: {} })
  if (!TOKEN68.test(body.access_token)) {
    remarks.push({ rule: 'RFC 6750 section 2.1', keyword: 'MUST', ok: false, say: 'token-syntax', values: {} })
  }
  if (typeof body.refresh_token === 'string' && !isPrintable(body.refresh_token)) {
    const values = { name: 'refresh_token' }
    remarks.push({ rule: 'RFC 6749 appendix A.17', keyword: 'MUST', ok: false, say: 'parameter-characters', values })
  }
  if (isInCookie(body.access_token, answer.headers)) {
    remarks.push({ rule: 'RFC 6750 section 5.3', keyword: 'MUST', ok: false, say: 'token-in-cookie' })
  }
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

/** RFC 6749 appendix A: the characters of codes and tokens. */
export const isPrintable = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** A cookie that is also sent without TLS contains the token. Pages never see cookies, but the proxy does. */
const isInCookie = (token: string, headers: Headers): boolean =>
  headers.getSetCookie().some((cookie) => cookie.includes(token) && !/;\s*secure\s*(;|$)/i.test(cookie))

const FORM = 'RFC 6749 section 5.1'
const REMARK = { rule: FORM, keyword: 'MAY' } as const

/** RFC 6750 section 2.1: a token in an Authorization header. Many servers accept other characters, but needn't. */
const TOKEN68 = /^[\w\-.~+/]+=*$/

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

/** Seconds: ten years. */
const LONGEST_LIFETIME = 10 * 365 * 86_400

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
    expiresAt:
      Number.isFinite(lifetime) && lifetime >= 0 ? now + Math.min(lifetime, LONGEST_LIFETIME) * 1000 : undefined,
    resource,
    refreshToken: kept,
    requestedScope,
    scope: granted,
    tokenEndpoint: as.token_endpoint,
    revocationEndpoint: typeof as.revocation_endpoint === 'string' ? as.revocation_endpoint : undefined,
    dpopKey: bound ? dpop.key : undefined,
    extra: rest,
  }
}
