/**
 * `_meta` that the user adds to requests, per connection and method: the text as typed, and which of its keys violate a
 * rule or replace those the client sends. Both can be sent on purpose (META-01 … META-05). The text survives switching
 * panels and reconnecting, until the page closes.
 */
import { wireOf } from '../../forms/index.ts'
import { isRecord, JsonSyntaxError, readJson } from '../../json/index.ts'
import { keyFaults } from '../../lint/index.ts'
import { META } from '../../mcp/index.ts'
import type { JsonObject, Link, Revision } from '../../mcp/index.ts'
import { Remembered } from '../remembered.ts'

class MetaDraft {
  /** As typed; blank adds nothing. */
  text = $state('')
  /** Whether the field is expanded. */
  open = $state(false)
  readonly #read = $derived.by((): { readonly value?: JsonObject; readonly fault?: JsonSyntaxError | 'no-object' } => {
    if (this.text.trim() === '') return {}
    try {
      const { value } = readJson(this.text, { forgive: true })
      const wire = wireOf(value)
      if (!isRecord(value) || !wire.sendable) return { fault: 'no-object' }
      return { value: wire.json as JsonObject }
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error
      return { fault: error }
    }
  })

  /** The object to send; absent if the text is blank or invalid. */
  get value(): JsonObject | undefined {
    return this.#read.value
  }

  /** Why `text` can't be sent. */
  get fault(): JsonSyntaxError | 'no-object' | undefined {
    return this.#read.fault
  }
}

export const metaDrafts = new Remembered(() => new MetaDraft())

/**
 * The user's `params._meta` for a method's requests. Spread it: `{ ...params, ...(meta ? { _meta: meta } : {}) }`.
 * `Session.call` adds what the protocol version requires, and the user's values take precedence.
 */
export const metaFor = (link: Link, method: string): JsonObject | undefined => metaDrafts.of(link, method).value

interface MetaRemark {
  readonly key: string
  /** Absent: no rule is violated, but the key replaces one of ours. */
  readonly rule?: string
  readonly explanation: string
}

/** Keys that the client sends in `_meta` (META-10, META-11, META-15, META-16). */
const OURS: ReadonlySet<string> = new Set([
  'progressToken',
  'traceparent',
  META.version,
  META.clientInfo,
  META.capabilities,
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
