/** What makes the kinds of issuers differ: `names.ts` says it in words. */
import type { IssuerKindName } from './names.ts'

/** The parts of an authorization server that a page asks by itself. */
export type Part = 'metadata' | 'registration' | 'token' | 'revocation'

export interface IssuerKind {
  /** Parts without CORS headers; `own` leaves all to oidc-provider. */
  readonly closed: readonly Part[] | 'own'
  /** Where its metadata are: inserted before the path of the issuer, or appended to it. */
  readonly metadata: readonly ('oauth-inserted' | 'openid-inserted' | 'openid-appended')[]
  readonly registration: boolean
  /** The only `application_type` it registers with a redirect URI on loopback. */
  readonly only?: 'native' | 'web'
  readonly documents?: true
  readonly refresh: 'granted' | 'offline' | 'never'
  readonly nonces?: true
  readonly severs?: true
  readonly grants?: 'idp' | 'enterprise'
  /** Endpoints where 2025-03-26 expects them; else where oidc-provider has them. */
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
