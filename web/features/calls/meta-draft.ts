/**
 * `_meta` that a user adds to requests: what of it breaks a rule on keys, and what of it takes the place of what the
 * client itself would send. Both may be sent on purpose (META-01 … META-05).
 */
import { keyFaults } from '../../lint/index.ts'
import type { JsonObject, Revision } from '../../mcp/index.ts'

export interface MetaRemark {
  readonly key: string
  /** Absent where no rule is broken: the key takes the place of ours. */
  readonly rule?: string
  readonly explanation: string
}

/** What the client writes into `_meta` itself (META-10, META-11, META-15, META-16). */
const OURS: ReadonlySet<string> = new Set([
  'progressToken',
  'traceparent',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/clientCapabilities',
])

/** Keys that are looked at. */
const MOST = 100

export const metaRemarks = (meta: JsonObject, revision: Revision | undefined): readonly MetaRemark[] =>
  Object.keys(meta)
    .slice(0, MOST)
    .flatMap((key): MetaRemark[] => {
      // Before 2025-06-18 there are no rules on keys.
      const faults = revision === undefined || revision < '2025-06-18' ? [] : keyFaults(key, revision)
      const remarks = faults.map(({ rule, explanation }) => ({ key, rule, explanation }))
      return OURS.has(key) ? [...remarks, { key, explanation: '' }] : remarks
    })
