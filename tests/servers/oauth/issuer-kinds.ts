/** Settings of the issuer kinds; `names.ts` describes them. */
import type { IssuerKindName } from './names.ts'

/** The endpoints of an authorization server that a page requests directly. */
export type Part = 'metadata' | 'registration' | 'token' | 'revocation'

export interface IssuerKind {
  /** Endpoints without CORS headers; `own` leaves CORS to oidc-provider. */
  readonly closed: readonly Part[] | 'own'
  /** Where its metadata is: inserted before the issuer's path, or appended to it. */
  readonly metadata: readonly ('oauth-inserted' | 'openid-inserted' | 'openid-appended')[]
  readonly registration: boolean
  /** The only `application_type` it registers with a redirect URI on loopback. */
  readonly only?: 'native' | 'web'
  readonly documents?: true
  readonly refresh: 'granted' | 'offline' | 'never'
  readonly nonces?: true
  readonly severs?: true
  readonly grants?: 'idp' | 'enterprise'
  /** Endpoints where 2025-03-26 expects them; default: oidc-provider's. */
  readonly routes?: { readonly authorization: string; readonly token: string; readonly registration: string }
}

const plain: IssuerKind = {
  closed: [],
  metadata: ['oauth-inserted', 'openid-inserted', 'openid-appended'],
  registration: true,
  refresh: 'granted',
}

export const ISSUER_KINDS: Readonly<Record<IssuerKindName, IssuerKind>> = {
  plain,
  tenant1: plain,
  'oidc-inserted': { ...plain, metadata: ['openid-inserted'] },
  'oidc-appended': { ...plain, metadata: ['openid-appended'] },
  'own-cors': { ...plain, closed: 'own' },
  'closed-metadata': { ...plain, closed: ['metadata'] },
  'closed-registration': { ...plain, closed: ['registration'] },
  'closed-token': { ...plain, closed: ['token'] },
  'closed-revocation': { ...plain, closed: ['revocation'] },
  closed: { ...plain, closed: ['metadata', 'registration', 'token', 'revocation'] },
  'by-hand': { ...plain, registration: false },
  documents: { ...plain, registration: false, documents: true },
  'documents-too': { ...plain, documents: true },
  'native-only': { ...plain, only: 'native' },
  'web-only': { ...plain, only: 'web' },
  nonces: { ...plain, nonces: true },
  offline: { ...plain, refresh: 'offline' },
  'no-refresh': { ...plain, refresh: 'never' },
  coop: { ...plain, severs: true },
  enterprise: { ...plain, registration: false, grants: 'enterprise' },
  idp: { ...plain, registration: false, grants: 'idp' },
}

/** As in 2025-03-26. */
export const OLD_KIND: IssuerKind = {
  ...plain,
  metadata: ['oauth-inserted'],
  routes: { authorization: '/authorize', token: '/token', registration: '/register' },
}

export const OLD_KIND_BARE: IssuerKind = { ...OLD_KIND, metadata: [] }
