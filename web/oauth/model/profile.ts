/**
 * What the revisions of the specification ask of a sign-in, as data: one flow, and which of its parts apply when.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
import type { Revision } from '../../mcp/index.ts'

interface Span {
  readonly since: Revision
  readonly until?: Revision
}

const TRAITS = {
  /** AU-0326-01: the origin of the server is its authorization server. */
  originIsIssuer: { since: '2025-03-26', until: '2025-03-26' },
  /** AU-0326-02: `/authorize`, `/token` and `/register`, where there is no metadata. */
  defaultEndpoints: { since: '2025-03-26', until: '2025-03-26' },
  /** AU-0326-03: `MCP-Protocol-Version` on the request for metadata. */
  versionHeader: { since: '2025-03-26', until: '2025-03-26' },
  /** AU-PRM-01 (RFC 9728). */
  resourceMetadata: { since: '2025-06-18' },
  /** AU-PRM-03: where no header names it. */
  wellKnownResource: { since: '2025-11-25' },
  /** AU-ASM-02 … AU-ASM-04: OpenID Connect Discovery beside RFC 8414. */
  openidDiscovery: { since: '2025-11-25' },
  /** AU-FLOW-04 (RFC 8707). */
  resourceParameter: { since: '2025-06-18' },
  /** AU-FLOW-03: no PKCE in the metadata, no sign-in. */
  pkceMustBeAdvertised: { since: '2025-11-25' },
  /** AU-REG-02. */
  metadataDocument: { since: '2025-11-25' },
  /** AU-REG-07. */
  applicationType: { since: '2026-07-28' },
  /** AU-SCOPE-01. */
  scopeByRule: { since: '2025-11-25' },
  /** AU-SCOPE-04: a step-up asks for what there was and what is missing. */
  unionOfScopes: { since: '2026-07-28' },
  /** AU-SCOPE-06. */
  offlineAccess: { since: '2026-07-28' },
  /** AU-FLOW-08 (RFC 9207). */
  issuerInResponse: { since: '2026-07-28' },
} as const satisfies Record<string, Span>

export type Trait = keyof typeof TRAITS

export interface Profile {
  /** Whose rules apply. */
  readonly revision: Revision
  /** Found out, not chosen by the user: what only old servers do is tried where the new way leads nowhere. */
  readonly tolerant: boolean
  has(trait: Trait): boolean
}

/** The newest rules; they are the strictest, and what older servers lack is asked for in their own way. */
const NEWEST: Revision = '2026-07-28'

/** @param pinned the only revision to speak, where the user chose one; 2024-11-05 says nothing of sign-ins */
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
