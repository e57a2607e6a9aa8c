/**
 * The five protocol revisions, their order, and the spans in which a thing exists.
 *
 * What differs between revisions is data with spans, never a copy of a file per revision.
 * @see https://modelcontextprotocol.io/specification/versioning
 */

export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

export type Revision = (typeof REVISIONS)[number]

/** First and last revision (both inclusive) in which something exists; no `until` means it still does. */
export interface Span {
  readonly since: Revision
  readonly until?: Revision
}

/** A protocol era: `handshake` begins with `initialize`, `stateless` puts all it needs on each request. */
export type EraId = 'handshake' | 'stateless'

export const isRevision = (text: unknown): text is Revision =>
  typeof text === 'string' && (REVISIONS as readonly string[]).includes(text)

/** Revisions are dates, so their order is the order of their texts. */
export const isWithin = (span: Span, revision: Revision): boolean =>
  span.since <= revision && (span.until === undefined || revision <= span.until)

export const eraOf = (revision: Revision): EraId => (revision >= '2026-07-28' ? 'stateless' : 'handshake')
