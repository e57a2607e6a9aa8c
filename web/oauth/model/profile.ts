/**
 * The sign-in requirements of each protocol version, as data: there is one flow, and this determines which parts apply.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
import type { Revision } from '../../mcp/index.ts'

interface Span {
  readonly since: Revision
  readonly until?: Revision
}

const TRAITS = {
  /** AU-0326-01: the server's origin is its authorization server. */
  originIsIssuer: { since: '2025-03-26', until: '2025-03-26' },
  /** AU-0326-02: `/authorize`, `/token` and `/register` if there is no metadata. */
  defaultEndpoints: { since: '2025-03-26', until: '2025-03-26' },
  /** AU-0326-03: `MCP-Protocol-Version` on metadata requests. */
  versionHeader: { since: '2025-03-26', until: '2025-03-26' },
  /** AU-PRM-01 (RFC 9728). */
  resourceMetadata: { since: '2025-06-18' },
  /** AU-PRM-03: used if no header names the metadata URL. */
  wellKnownResource: { since: '2025-11-25' },
  /** AU-ASM-02 … AU-ASM-04: OpenID Connect Discovery in addition to RFC 8414. */
  openidDiscovery: { since: '2025-11-25' },
  /** AU-FLOW-04 (RFC 8707). */
  resourceParameter: { since: '2025-06-18' },
  /** AU-FLOW-03: without PKCE in the metadata, the sign-in stops. */
  pkceMustBeAdvertised: { since: '2025-11-25' },
  /** AU-REG-02. */
  metadataDocument: { since: '2025-11-25' },
  /** AU-REG-07. */
  applicationType: { since: '2026-07-28' },
  /** AU-SCOPE-01. */
  scopeByRule: { since: '2025-11-25' },
  /** AU-SCOPE-04: a step-up requests the previous scopes plus the missing ones. */
  unionOfScopes: { since: '2026-07-28' },
  /** AU-SCOPE-06. */
  offlineAccess: { since: '2026-07-28' },
  /** AU-FLOW-08 (RFC 9207). */
  issuerInResponse: { since: '2026-07-28' },
} as const satisfies Record<string, Span>

export type Trait = keyof typeof TRAITS

export interface Profile {
  /** The protocol version whose rules apply. */
  readonly revision: Revision
  /**
   * The version was negotiated rather than chosen by the user, so behaviour of older servers is tried
   * when the current one fails.
   */
  readonly tolerant: boolean
  has(trait: Trait): boolean
}

/** The newest rules are the strictest; fallbacks cover what older servers lack. */
const NEWEST: Revision = '2026-07-28'

/** @param pinned the only protocol version to use, if the user chose one; 2024-11-05 doesn't specify sign-ins */
export const profileFor = (pinned?: Revision): Profile => {
  const chosen = pinned === '2024-11-05' ? undefined : pinned
  const revision = chosen ?? NEWEST
  return {
    revision,
    tolerant: chosen === undefined,
    has: (trait) => {
      const { since, until }: Span = TRAITS[trait]
      return revision >= since && (until === undefined || revision <= until)
    },
  }
}
