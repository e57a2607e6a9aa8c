/**
 * The declared capabilities of the server or client as rows: their meaning, the protocol versions that define them, and
 * unknown ones.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#capability-negotiation
 */
import { isObject, isWithin, type Json, type JsonObject, type Revision, type Span } from '../../mcp/index.ts'

/** `other-side`: only the other side can declare it. `other-revision`: the negotiated version doesn't define it. */
export type CapabilityStatus = 'known' | 'unknown' | 'other-side' | 'other-revision' | 'malformed'

export type Side = 'server' | 'client'

export interface CapabilityRow {
  readonly name: string
  readonly status: CapabilityStatus
  /** Flags inside it, as declared: true ones by name, other values as JSON. */
  readonly flags: readonly {
    readonly name: string
    readonly on: boolean
    readonly known: boolean
    readonly text?: string
  }[]
  readonly value: Json
}

interface Known {
  readonly span: Span
  readonly flags: Readonly<Record<string, Span>>
}

const ALWAYS: Span = { since: '2024-11-05' }
const FROM_2025_11: Span = { since: '2025-11-25' }

const SERVER: Readonly<Record<string, Known>> = {
  tools: { span: ALWAYS, flags: { listChanged: ALWAYS } },
  resources: { span: ALWAYS, flags: { subscribe: ALWAYS, listChanged: ALWAYS } },
  prompts: { span: ALWAYS, flags: { listChanged: ALWAYS } },
  logging: { span: ALWAYS, flags: {} },
  completions: { span: { since: '2025-03-26' }, flags: {} },
  tasks: { span: FROM_2025_11, flags: { list: FROM_2025_11, cancel: FROM_2025_11, requests: FROM_2025_11 } },
  extensions: { span: { since: '2026-07-28' }, flags: {} },
  experimental: { span: ALWAYS, flags: {} },
}

const FROM_2025_06: Span = { since: '2025-06-18' }
const SAMPLING = { context: FROM_2025_11, tools: FROM_2025_11 }

const CLIENT: Readonly<Record<string, Known>> = {
  roots: { span: ALWAYS, flags: { listChanged: { since: '2024-11-05', until: '2025-11-25' } } },
  sampling: { span: ALWAYS, flags: SAMPLING },
  elicitation: { span: FROM_2025_06, flags: { form: FROM_2025_11, url: FROM_2025_11 } },
  tasks: { span: FROM_2025_11, flags: { list: FROM_2025_11, cancel: FROM_2025_11, requests: FROM_2025_11 } },
  extensions: { span: ALWAYS, flags: {} },
  experimental: { span: ALWAYS, flags: {} },
}

/** Arbitrary keys are allowed inside, so none is reported as unknown. */
const FREE = new Set(['experimental', 'extensions'])

export const capabilityRows = (
  capabilities: JsonObject,
  revision: Revision,
  side: Side = 'server',
): CapabilityRow[] => {
  const [mine, theirs] = side === 'server' ? [SERVER, CLIENT] : [CLIENT, SERVER]
  return Object.entries(capabilities).map(([name, value]) => {
    const known = Object.hasOwn(mine, name) ? mine[name] : undefined
    const status = !known && Object.hasOwn(theirs, name) ? 'other-side' : statusOf(value, known, revision)
    return { name, status, flags: flagsOf(name, value, known), value }
  })
}

const statusOf = (value: Json, known: Known | undefined, revision: Revision): CapabilityStatus => {
  if (!known) return 'unknown'
  if (!isObject(value)) return 'malformed'
  return isWithin(known.span, revision) ? 'known' : 'other-revision'
}

const flagsOf = (capability: string, value: Json, known: Known | undefined): CapabilityRow['flags'] => {
  if (!isObject(value)) return []
  return Object.entries(value).map(([name, flag]) => ({
    name,
    on: flag === true || isObject(flag),
    known: FREE.has(capability) || (known !== undefined && Object.hasOwn(known.flags, name)),
    ...(typeof flag === 'boolean' ? {} : { text: JSON.stringify(flag) }),
  }))
}
