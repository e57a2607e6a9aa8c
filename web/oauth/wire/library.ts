/**
 * Glue to oauth4webapi: it builds requests and processes responses; showing, editing, sending and recording them in
 * between is ours.
 */
import * as oauth from 'oauth4webapi'
import type { JsonObject } from '../../mcp/index.ts'
import { type ClientAuthMethod, type Registration, fault, type Fault } from '../model/index.ts'
import type { Port, SendNote } from './port.ts'
import { jsonObjectOf, type Answer, type RequestDraft } from './request.ts'

/** A request could not be sent, or its answer not be read. */
export class NoAnswer extends Error {
  readonly fault: Fault
  constructor(reason: Fault) {
    super(reason.explanation)
    this.fault = reason
  }
}

/** What came, beside what the library makes of it. */
export interface Sent {
  answer?: Answer
}

/** Options that let the library's requests go through the port. @throws {NoAnswer} from the library's call */
export const through = (port: Pick<Port, 'send'>, sent: Sent, note?: SendNote) => ({
  // Which addresses are safe is decided in `url.ts`, before anything is asked.
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: async (
    url: string,
    init: { method: string; headers: Record<string, string>; body?: unknown },
  ) => {
    const headers = Object.entries(init.headers)
    // A page sends a name of its own; ours would only make the request one that needs a preflight.
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

/** The answer once more, for the library to read. */
export const responseOf = ({ status, headers, text }: Answer, replaced?: JsonObject): Response => {
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

/** AU-FLOW-13. @throws {Error} a private key that cannot be read */
export const clientAuthOf = async (registration: Registration): Promise<oauth.ClientAuth> => {
  const { method, clientSecret = '' } = registration
  switch (method) {
    case 'client_secret_basic':
      return clientSecretBasic(clientSecret)
    case 'client_secret_post':
      return oauth.ClientSecretPost(clientSecret)
    case 'private_key_jwt': {
      const key = await importPrivateKey(registration.privateKey ?? '', registration.algorithm)
      // RFC 7523 section 3: some servers want their issuer as the audience alone, as the newer drafts do.
      return oauth.PrivateKeyJwt(key)
    }
    case 'none':
      return oauth.None()
  }
}

/**
 * RFC 6749 section 2.3.1, as forms are encoded everywhere else: `-`, `.`, `_` and `*` stay as they are. The library's own
 * encodes those too, which servers that decode nothing, and there are many, take for another client.
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

/** JWS algorithms that a private key may be for. */
export const SIGNING_ALGORITHMS: readonly string[] = Object.keys(ALGORITHMS)

/**
 * A key as people have it: PKCS #8 in PEM, or a JWK. It cannot leave the page again.
 * @throws {Error} that says what is wrong with it
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
    // The words of the runtime may quote the key.
    const own = error instanceof Error && error.message.startsWith('it is neither') ? error.message : "it can't be read"
    throw new Error(`The private key can't be used for ${algorithm}: ${own}`, { cause: error })
  }
}

/** RFC 6749 section 5.2: an error of an endpoint, in its own words, bounded. */
export interface EndpointError {
  readonly error: string
  readonly description?: string
}

/** The error that the body of an answer tells, if it does. */
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

/** How a client can prove itself, of what the server takes and the client has. */
export const methodFor = (
  supported: readonly string[] | undefined,
  has: { readonly secret: boolean; readonly key: boolean },
): ClientAuthMethod => {
  if (has.key) return 'private_key_jwt'
  // RFC 8414 section 2: without the list it is client_secret_basic.
  const list = supported ?? ['client_secret_basic', 'client_secret_post', 'none']
  if (!has.secret) return 'none'
  if (list.includes('client_secret_basic')) return 'client_secret_basic'
  return list.includes('client_secret_post') ? 'client_secret_post' : 'client_secret_basic'
}

/** What went wrong in the library's reading of an answer, as a fault. */
export const libraryFault = (error: unknown, code: Fault['code'], rule: string): Fault => {
  if (error instanceof NoAnswer) return error.fault
  const message = error instanceof Error ? error.message : String(error)
  return fault(code, message.slice(0, 500), rule)
}
