/** JWTs signed with ES256 (RFC 7515, RFC 7519), for tokens that oidc-provider doesn't sign or verify itself. */
import { generateKeyPairSync, sign, verify, type JsonWebKey, type KeyObject } from 'node:crypto'

export interface KeyPair {
  readonly kid: string
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

export interface Claims {
  readonly [claim: string]: unknown
}

export const makeKey = (kid: string): KeyPair => ({ kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) })

export const privateJwk = ({ kid, privateKey }: KeyPair): JsonWebKey & { kid: string } => ({
  ...privateKey.export({ format: 'jwk' }),
  kid,
  alg: 'ES256',
  use: 'sig',
})

export const publicJwk = ({ kid, publicKey }: KeyPair): JsonWebKey & { kid: string } => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  alg: 'ES256',
  use: 'sig',
})

/** Seconds since the epoch, as in JWTs. */
export const now = (): number => Math.floor(Date.now() / 1000)

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export const signJwt = ({ kid, privateKey }: KeyPair, typ: string, claims: Claims): string => {
  const text = `${part({ alg: 'ES256', kid, typ })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

interface Decoded {
  readonly header: Claims
  readonly claims: Claims
}

/** Decodes without verifying. @throws {Error} if it isn't a JWT */
export const decodeJwt = (token: string): Decoded => {
  const parts = token.split('.')
  const [header, claims] = parts
    .slice(0, 2)
    .map((each) => JSON.parse(Buffer.from(each, 'base64url').toString()) as unknown)
  if (parts.length !== 3 || !isObject(header) || !isObject(claims)) throw new Error('it is no signed JWT')
  return { header, claims }
}

/**
 * Checks signature, algorithm, `typ`, `exp` and `nbf`; the caller checks everything else.
 * @param types allowed values of `typ`; undefined allows it to be absent
 * @throws {Error} with what is wrong
 */
export const verifyJwt = (token: string, { publicKey }: KeyPair, types: readonly unknown[]): Claims => {
  const { header, claims } = decodeJwt(token)
  if (header['alg'] !== 'ES256') throw new Error(`its algorithm is ${String(header['alg'])}, not ES256`)
  if (!types.includes(header['typ'])) throw new Error(`its typ is ${String(header['typ'])}`)
  const at = token.lastIndexOf('.')
  const signature = Buffer.from(token.slice(at + 1), 'base64url')
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(token.slice(0, at)), key, signature)) throw new Error('its signature is wrong')
  if (typeof claims['exp'] !== 'number' || claims['exp'] <= now()) throw new Error('it has expired')
  if (typeof claims['nbf'] === 'number' && claims['nbf'] > now()) throw new Error('it is not valid yet')
  return claims
}

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
