/** The problems of tools and of their results, for the panel and the lint alike; the catalogues have their texts. */
import { excerpt } from '../../json/index.ts'
import { isObject } from '../../mcp/index.ts'
import type { Json, JsonObject, Revision } from '../../mcp/index.ts'
import { HINTS, type ToolItem } from './tools-fold.ts'

/** A problem of an entry of `tools/list`. */
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
  readonly found: string
}

/** @param revision of the session; absent: only what is wrong in every version */
export const findingsOf = ({ raw, name, repeated }: ToolItem, revision?: Revision): readonly ToolFinding[] => {
  const findings: ToolFinding[] = []
  const find = (
    code: ToolFinding['code'],
    pointer: string,
    value: Json | undefined,
    rule?: string,
    keyword: ToolFinding['keyword'] = 'MUST',
  ) => findings.push({ code, keyword, ...(rule === undefined ? {} : { rule }), pointer, found: excerpt(value) })

  if (!isObject(raw)) {
    find('no-object', '', raw)
    return findings
  }
  const { inputSchema, outputSchema, annotations } = raw
  if (name === undefined) find('no-name', '/name', raw.name)
  else if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name) && revision && revision >= '2025-11-25') {
    find('odd-name', '/name', name, 'SF-TOOL-04', 'SHOULD')
  }
  if (repeated) find('repeated-name', '/name', name, 'SF-TOOL-04', 'SHOULD')

  // Until 2025-11-25 only the protocol's schema required it; since then it is a rule.
  const rule = revision && revision < '2025-11-25' ? 'SF-TOOL-08' : 'JS-04'
  if (inputSchema === undefined) find('no-input-schema', '/inputSchema', inputSchema, rule)
  else if (!isObject(inputSchema)) find('input-schema-no-object', '/inputSchema', inputSchema, rule)
  else if (inputSchema.type !== 'object') find('input-schema-type', '/inputSchema/type', inputSchema.type, rule)

  // Since 2026-07-28 it may be any schema.
  const anySchema = revision !== undefined && revision >= '2026-07-28'
  if (isObject(outputSchema)) {
    if (!anySchema && outputSchema.type !== 'object') {
      find('output-schema-type', '/outputSchema/type', outputSchema.type, 'SF-TOOL-15')
    }
  } else if (outputSchema !== undefined && !(anySchema && typeof outputSchema === 'boolean')) {
    find('output-schema-no-object', '/outputSchema', outputSchema)
  }

  if (isObject(annotations)) {
    for (const hint of Object.keys(HINTS)) {
      const value = annotations[hint]
      if (value !== undefined && typeof value !== 'boolean') find('hint-no-boolean', `/annotations/${hint}`, value)
    }
  } else if (annotations !== undefined) find('annotations-no-object', '/annotations', annotations)
  return findings
}

/** A problem of a result. */
export interface ResultFinding {
  readonly code:
    | 'content-missing'
    | 'structured-missing'
    | 'structured-no-object'
    | 'structured-not-repeated'
    | 'structured-unknown'
    | 'is-error-no-boolean'
  readonly rule: string
  readonly keyword: 'MUST' | 'SHOULD'
}

/**
 * The rules for a tool's result that need neither a schema validator nor its texts.
 * @param hasOutputSchema whether the listed tool has an outputSchema
 */
export const resultFindings = (
  result: JsonObject,
  hasOutputSchema: boolean,
  revision: Revision | undefined,
): readonly ResultFinding[] => {
  const findings: ResultFinding[] = []
  const structured = result.structuredContent
  const failed = result.isError === true
  if (!Array.isArray(result.content)) findings.push({ code: 'content-missing', rule: 'SF-TOOL-09', keyword: 'MUST' })
  if (result.isError !== undefined && typeof result.isError !== 'boolean') {
    findings.push({ code: 'is-error-no-boolean', rule: 'SF-TOOL-18', keyword: 'MUST' })
  }
  if (structured === undefined) {
    if (hasOutputSchema && !failed && (!revision || revision >= '2025-06-18')) {
      findings.push({ code: 'structured-missing', rule: 'SF-TOOL-14', keyword: 'MUST' })
    }
    return findings
  }
  if (revision && revision < '2025-06-18') {
    findings.push({ code: 'structured-unknown', rule: 'LC-09', keyword: 'SHOULD' })
  } else if (!isObject(structured) && revision && revision < '2026-07-28') {
    findings.push({ code: 'structured-no-object', rule: 'SF-TOOL-15', keyword: 'MUST' })
  }
  return findings
}

/** Reported if the structured content isn't repeated as text. Separate, because that check takes time. */
export const notRepeated: ResultFinding = { code: 'structured-not-repeated', rule: 'SF-TOOL-17', keyword: 'SHOULD' }
