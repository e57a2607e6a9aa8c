/**
 * Worlds with one planted fault each, written from section 4 of the checklist and the RFCs that it cites, by somebody who
 * hadn't seen the rules. Sections of RFCs in `what` name the fault as well.
 */
import type { Change } from './change.ts'

export interface Violation {
  readonly id: string
  /** The row that names it, and others that its author accepts. */
  readonly requirements: readonly string[]
  readonly level: 'must' | 'should' | 'advice'
  readonly revision: string
  readonly what: string
  readonly change: Change
  /** What the client does after the sign-in. */
  readonly needs?: 'refresh' | 'step-up' | 'revoke' | 'second-connection'
}

const REVISIONS: Readonly<Record<string, string>> = {
  a03: '2025-03-26',
  b06: '2025-06-18',
  c11: '2025-11-25',
  d07: '2026-07-28',
}

/** @param rows the row that names it, and others that its author accepts */
export const plant = (
  id: string,
  level: Violation['level'],
  rows: string,
  what: string,
  change: Change,
  needs?: Violation['needs'],
): Violation => {
  const revision = REVISIONS[id.slice(0, 3)]!
  const all: Change = { revisions: [revision], ...change }
  // Otherwise the client would refresh ahead, and the expired token would never arrive.
  if (needs === 'refresh' && !id.includes('-expired-')) all.firstTtl ??= 3
  if (needs === 'step-up') all.stepUp ??= true
  return {
    id,
    requirements: rows.split(' '),
    level,
    revision,
    what,
    change: all,
    ...(needs ? { needs } : {}),
  }
}
