/**
 * An untrusted entry of `tools/list`, parsed so that an invalid item never spoils the list.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool
 */
import { isObject } from '../../mcp/index.ts'
import type { Json, JsonObject, Revision, Seq } from '../../mcp/index.ts'

export interface ToolItem {
  /** Index in the whole list. */
  readonly index: number
  /** Identifies the item in URLs of the page: its name if unique, else the name and its index. */
  readonly key: string
  /** Absent if the item has no name; it can't be called then. */
  readonly name: string | undefined
  /** Display name (SF-TOOL-03): `title`, then `annotations.title`, then the name. */
  readonly title: string
  readonly description: string
  readonly raw: Json
  /** The frame that contains it. */
  readonly seq: Seq
  /** An earlier item has the same name. */
  readonly repeated?: true
}

/** A problem of an item, as a code for the catalogues, with its rule id, if any. */
export interface ToolFinding {
  readonly code:
    | 'no-object'
    | 'no-name'
    | 'odd-name'
    | 'repeated-name'
    | 'no-input-schema'
    | 'input-schema-no-object'
    | 'input-schema-type'
    | 'output-schema-no-object'
    | 'output-schema-type'
    | 'annotations-no-object'
    | 'hint-no-boolean'
  readonly keyword: 'MUST' | 'SHOULD'
  readonly rule?: string
  /** JSON pointer into the item. */
  readonly pointer: string
  /** The value found, shortened. */
  readonly found?: string
}

/** @param taken keys in use; the item's own is added */
export const itemOf = (raw: Json, index: number, seq: Seq, taken: Set<string>, names: Set<string>): ToolItem => {
  const tool = isObject(raw) ? raw : {}
  const name = typeof tool.name === 'string' && tool.name !== '' ? tool.name : undefined
  const annotations = isObject(tool.annotations) ? tool.annotations : {}
  const title = [tool.title, annotations.title, name].find((text) => typeof text === 'string' && text.trim() !== '')
  const repeated = name !== undefined && names.has(name)
  if (name !== undefined) names.add(name)
  let key = name !== undefined && !repeated ? name : `${name ?? ''}#${index + 1}`
  while (taken.has(key)) key += "'"
  taken.add(key)
  return {
    index,
    key,
    name,
    title: (title as string | undefined) ?? '',
    description: typeof tool.description === 'string' ? tool.description : '',
    raw,
    seq,
    ...(repeated ? { repeated: true as const } : {}),
  }
}

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

const HINTS = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const

export type Hint = keyof typeof HINTS

export interface Claim {
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

/** @param revision of the session; absent: only what is wrong in every version */
export const findingsOf = (item: ToolItem, revision?: Revision): readonly ToolFinding[] => {
  const { raw, name } = item
  if (!isObject(raw)) return [{ code: 'no-object', keyword: 'MUST', pointer: '', found: show(raw) }]
  const findings: ToolFinding[] = []
  if (name === undefined) findings.push({ code: 'no-name', keyword: 'MUST', pointer: '/name', found: show(raw.name) })
  if (name !== undefined && !/^[A-Za-z0-9_.-]{1,128}$/.test(name) && revision && revision >= '2025-11-25') {
    findings.push({ code: 'odd-name', keyword: 'SHOULD', rule: 'SF-TOOL-04', pointer: '/name', found: show(name) })
  }
  if (item.repeated) {
    findings.push({
      code: 'repeated-name',
      keyword: 'SHOULD',
      rule: 'SF-TOOL-04',
      pointer: '/name',
      found: show(name),
    })
  }
  // Until 2025-11-25 only the protocol's schema required it; since then it is a rule.
  const rule = revision && revision < '2025-11-25' ? 'SF-TOOL-08' : 'JS-04'
  if (raw.inputSchema === undefined) {
    findings.push({ code: 'no-input-schema', keyword: 'MUST', rule, pointer: '/inputSchema' })
  } else if (!isObject(raw.inputSchema)) {
    findings.push({
      code: 'input-schema-no-object',
      keyword: 'MUST',
      rule,
      pointer: '/inputSchema',
      found: show(raw.inputSchema),
    })
  } else if (raw.inputSchema.type !== 'object') {
    findings.push({
      code: 'input-schema-type',
      keyword: 'MUST',
      rule,
      pointer: '/inputSchema/type',
      found: show(raw.inputSchema.type),
    })
  }
  findings.push(...outputFindings(raw.outputSchema, revision), ...annotationFindings(raw.annotations))
  return findings
}

const outputFindings = (schema: Json | undefined, revision?: Revision): readonly ToolFinding[] => {
  if (schema === undefined) return []
  const modern = revision !== undefined && revision >= '2026-07-28'
  if (!isObject(schema)) {
    if (modern && typeof schema === 'boolean') return []
    return [{ code: 'output-schema-no-object', keyword: 'MUST', pointer: '/outputSchema', found: show(schema) }]
  }
  if (modern || schema.type === 'object') return []
  return [
    {
      code: 'output-schema-type',
      keyword: 'MUST',
      rule: 'SF-TOOL-15',
      pointer: '/outputSchema/type',
      found: show(schema.type),
    },
  ]
}

const annotationFindings = (annotations: Json | undefined): readonly ToolFinding[] => {
  if (annotations === undefined) return []
  if (!isObject(annotations)) {
    return [{ code: 'annotations-no-object', keyword: 'MUST', pointer: '/annotations', found: show(annotations) }]
  }
  return Object.keys(HINTS)
    .filter((hint) => annotations[hint] !== undefined && typeof annotations[hint] !== 'boolean')
    .map((hint) => ({
      code: 'hint-no-boolean' as const,
      keyword: 'MUST' as const,
      pointer: `/annotations/${hint}`,
      found: show(annotations[hint]),
    }))
}

const show = (value: Json | undefined): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
