/**
 * Glue to oauth4webapi: the library builds requests and processes responses; in between, we show,
 * edit, send and record them.
 */
import * as oauth from 'oauth4webapi'
import type { JsonObject } from '../../mcp/index.ts'
import { type ClientAuthMethod, type Registration, fault, type Fault } from '../model/index.ts'
import type { Port, SendNote } from './port.ts'
import { jsonObjectOf, type Answer, type RequestDraft } from './request.ts'

/** A request couldn't be sent, or its response couldn't be read. */
export class NoAnswer extends Error {
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
export interface EndpointError {
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
export const libraryFault = (error: unknown, code: Fault['code'], rule: string): Fault => {
  if (error instanceof NoAnswer) return error.fault
  const message = error instanceof Error ? error.message : String(error)
  return fault(code, message.slice(0, 500), rule)
}
