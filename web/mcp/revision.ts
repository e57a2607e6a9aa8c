/**
 * The five protocol versions, their order, and the ranges in which a feature exists.
 *
 * Differences between versions are data with ranges, never one copy of a file per version.
 * @see https://modelcontextprotocol.io/specification/versioning
 */

export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

export type Revision = (typeof REVISIONS)[number]

/** First and last protocol version (both inclusive) of a feature; without `until` it still exists. */
export interface Span {
  readonly since: Revision
  readonly until?: Revision
}

/** A protocol lifecycle: `handshake` begins with `initialize`, `stateless` sends everything with each request. */
export type EraId = 'handshake' | 'stateless'

export const isRevision = (text: unknown): text is Revision =>
  typeof text === 'string' && (REVISIONS as readonly string[]).includes(text)

/** Protocol versions are dates, so string order is their order. */
export const isWithin = (span: Span, revision: Revision): boolean =>
  span.since <= revision && (span.until === undefined || revision <= span.until)

export const eraOf = (revision: Revision): EraId => (revision >= '2026-07-28' ? 'stateless' : 'handshake')
