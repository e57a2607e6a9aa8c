/**
 * The entries of `tools/list`, untrusted: parsed so that an invalid item never spoils the list, and collected for each
 * connection.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool
 */
import { isObject } from '../../mcp/index.ts'
import type { Json, JsonObject, Seq } from '../../mcp/index.ts'
import { listingFold, namedItem, type Listed, type Listing, type ListItem, type Taken } from '../lists/index.ts'

/** `title`: `title`, then `annotations.title`, then the name (SF-TOOL-03). */
export type ToolItem = ListItem

const toolOf = (raw: Json, index: number, seq: Seq, taken: Taken): ToolItem => {
  const { title, annotations } = isObject(raw) ? raw : {}
  return namedItem(raw, index, seq, taken, [title, isObject(annotations) ? annotations.title : undefined])
}

export const TOOLS: Listed<ToolItem> = {
  method: 'tools/list',
  member: 'tools',
  changed: 'notifications/tools/list_changed',
  itemOf: toolOf,
  nameOf: ({ name }) => name,
}

export type ToolList = Listing<ToolItem>

export const toolsFold = listingFold(TOOLS)

export const inputSchemaOf = ({ raw }: ToolItem): JsonObject | undefined =>
  isObject(raw) && isObject(raw.inputSchema) ? raw.inputSchema : undefined

/** Boolean schemas are allowed since 2026-07-28. */
export const outputSchemaOf = ({ raw }: ToolItem): JsonObject | boolean | undefined => {
  if (!isObject(raw)) return undefined
  const schema = raw.outputSchema
  return isObject(schema) || typeof schema === 'boolean' ? schema : undefined
}

export const taskSupportOf = ({ raw }: ToolItem): string | undefined => {
  const execution = isObject(raw) && isObject(raw.execution) ? raw.execution : {}
  return typeof execution.taskSupport === 'string' ? execution.taskSupport : undefined
}

/** The hints in `annotations`, with the specification's defaults. */
export const HINTS = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const

export type Hint = keyof typeof HINTS

interface Claim {
  readonly hint: Hint
  /** The effective value: the server's claim, or the specification's default. */
  readonly value: boolean
  readonly declared: boolean
  /** False if the claim has no meaning: a read-only tool is neither destructive nor idempotent (SF-TOOL-06). */
  readonly matters: boolean
}

/** The four hints with their defaults (SF-TOOL-06). They are the server's claims and prove nothing (SF-TOOL-05). */
export const claimsOf = ({ raw }: ToolItem): readonly Claim[] => {
  const annotations = isObject(raw) && isObject(raw.annotations) ? raw.annotations : {}
  const readOnly = annotations.readOnlyHint === true
  return (Object.keys(HINTS) as Hint[]).map((hint) => {
    const claimed = annotations[hint]
    const declared = typeof claimed === 'boolean'
    const matters = !(readOnly && (hint === 'destructiveHint' || hint === 'idempotentHint'))
    return { hint, value: declared ? claimed : HINTS[hint], declared, matters }
  })
}

const claims = (item: ToolItem, hint: Hint): boolean =>
  claimsOf(item).some((claim) => claim.hint === hint && claim.declared && claim.value && claim.matters)

/** Only if the server claims it explicitly, as below. */
export const claimsOpenWorld = (item: ToolItem): boolean => claims(item, 'openWorldHint')
export const claimsReadOnly = (item: ToolItem): boolean => claims(item, 'readOnlyHint')
/**
 * Only if the server claims it explicitly: with the default, every tool without annotations would need confirmation.
 */
export const claimsDestructive = (item: ToolItem): boolean => claims(item, 'destructiveHint')
