/**
 * `_meta` that the user adds to requests: which keys violate a rule, and which replace those the client sends. Both can
 * be sent on purpose (META-01 … META-05).
 */
import { keyFaults } from '../../lint/index.ts'
import type { JsonObject, Revision } from '../../mcp/index.ts'

export interface MetaRemark {
  readonly key: string
  /** Absent: no rule is violated, but the key replaces one of ours. */
  readonly rule?: string
  readonly explanation: string
}

/** Keys that the client sends in `_meta` (META-10, META-11, META-15, META-16). */
const OURS: ReadonlySet<string> = new Set([
  'progressToken',
  'traceparent',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/clientCapabilities',
])

/** Most keys checked. */
const MOST = 100

export const metaRemarks = (meta: JsonObject, revision: Revision | undefined): readonly MetaRemark[] =>
  Object.keys(meta)
    .slice(0, MOST)
    .flatMap((key): MetaRemark[] => {
      // Versions before 2025-06-18 have no rules for keys.
      const faults = revision === undefined || revision < '2025-06-18' ? [] : keyFaults(key, revision)
      const remarks = faults.map(({ rule, explanation }) => ({ key, rule, explanation }))
      return OURS.has(key) ? [...remarks, { key, explanation: '' }] : remarks
    })
