/**
 * A server's declared capabilities as rows: what each means, in which revisions it exists, what is unknown.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#capability-negotiation
 */
import { isObject, isWithin, type Json, type JsonObject, type Revision, type Span } from '../../mcp/index.ts'

/** `client`: only a client can declare it. `early`, `late`: the negotiated revision does not have it. */
export type Standing = 'known' | 'unknown' | 'client' | 'other-revision' | 'malformed'

export interface CapabilityRow {
  readonly name: string
  readonly standing: Standing
  /** Flags within, as declared: true ones, and values of other kinds as JSON text. */
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

const CLIENT = new Set(['roots', 'sampling', 'elicitation'])
/** What they hold is anybody's: no key of it is unknown. */
const FREE = new Set(['experimental', 'extensions'])

export const capabilityRows = (capabilities: JsonObject, revision: Revision): CapabilityRow[] =>
  Object.entries(capabilities).map(([name, value]) => {
    const known = Object.hasOwn(SERVER, name) ? SERVER[name] : undefined
    return { name, standing: standingOf(name, value, known, revision), flags: flagsOf(name, value, known), value }
  })

const standingOf = (name: string, value: Json, known: Known | undefined, revision: Revision): Standing => {
  if (CLIENT.has(name)) return 'client'
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
