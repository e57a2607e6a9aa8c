/** Settings of the protected servers; `names.ts` describes them. */
import { issuerKinds, SCOPES, type IssuerKindName, type VariantName } from './names.ts'

export interface Variant {
  /** The authorization servers that it names, in order. */
  readonly issuers: readonly IssuerKindName[]
  readonly format: 'jwt' | 'opaque'
  /** Lifetime of an access token in seconds. */
  readonly ttl: number
  /** The content of WWW-Authenticate; undefined: no such header. */
  readonly challenge: { readonly metadata: boolean; readonly scope: boolean } | undefined
  /** Whether pages may read WWW-Authenticate. */
  readonly exposed: boolean
  /** Responses without CORS headers. */
  readonly closed?: 'refusals' | 'metadata'
  readonly scopesSupported: readonly string[] | undefined
  /** Where its metadata is, if anywhere. */
  readonly metadata: 'path' | 'root' | 'none'
  readonly asks: 'always' | 'calls' | 'never'
  readonly dpop?: 'bound' | 'nonces'
}

const PLAIN: Variant = {
  issuers: ['plain'],
  format: 'jwt',
  ttl: 3600,
  challenge: { metadata: true, scope: true },
  exposed: true,
  scopesSupported: SCOPES,
  metadata: 'path',
  asks: 'always',
}

const unnamed = { metadata: false, scope: true }

const ofKinds = Object.fromEntries(
  (Object.keys(issuerKinds) as IssuerKindName[]).map((kind) => [`as-${kind}`, { ...PLAIN, issuers: [kind] }]),
) as unknown as Record<`as-${IssuerKindName}`, Variant>

export const VARIANTS: Readonly<Record<VariantName, Variant>> = {
  plain: PLAIN,
  opaque: { ...PLAIN, format: 'opaque' },
  short: { ...PLAIN, ttl: 3 },
  hidden: { ...PLAIN, exposed: false },
  mute: { ...PLAIN, challenge: undefined },
  unnamed: { ...PLAIN, challenge: unnamed },
  'no-scope': { ...PLAIN, challenge: { metadata: true, scope: false } },
  'no-scopes': { ...PLAIN, challenge: { metadata: true, scope: false }, scopesSupported: undefined },
  'closed-401': { ...PLAIN, closed: 'refusals' },
  'closed-metadata': { ...PLAIN, closed: 'metadata' },
  several: { ...PLAIN, issuers: ['by-hand', 'plain', 'tenant1'] },
  free: { ...PLAIN, asks: 'never' },
  late: { ...PLAIN, asks: 'calls' },
  dpop: { ...PLAIN, dpop: 'bound' },
  'dpop-nonces': { ...PLAIN, dpop: 'nonces', issuers: ['nonces'] },
  ...ofKinds,
}

/** The resource is the origin. */
export const ROOT: Variant = { ...PLAIN, challenge: unnamed, metadata: 'root' }

/** As in 2025-03-26, which has neither resource metadata nor scopes in challenges. */
export const OLD: Variant = {
  ...PLAIN,
  challenge: { metadata: false, scope: false },
  scopesSupported: undefined,
  metadata: 'none',
}
