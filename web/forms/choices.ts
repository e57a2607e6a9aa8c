/** The choices of a list: `enum`, `const`, and the titled form `oneOf: [{ const, title }]`. */
import { isObject, listOf, wordsOf, type Json, type JsonObject } from './json-schema.ts'

export interface Choice {
  readonly value: Json
  /** The schema's title for the value. */
  readonly title?: string
}

export const choicesOf = (schema: JsonObject): readonly Choice[] => {
  const { enum: values, enumNames: names } = schema
  if ('const' in schema) return [titled(schema['const'], undefined)]
  if (Array.isArray(values)) {
    return (values as readonly Json[]).map((value, at) => titled(value, listOf(names)[at]))
  }
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = listOf(schema[keyword])
    if (branches.length === 0) continue
    if (!branches.every((branch): branch is JsonObject => isObject(branch) && valuesOf(branch) !== undefined)) continue
    return branches.flatMap((branch) => {
      const each = valuesOf(branch)!
      return each.map((value) => titled(value, each.length === 1 ? branch['title'] : undefined))
    })
  }
  return []
}

/** Annotations, which don't restrict the value. */
const SILENT = new Set(['title', 'description', 'type', 'deprecated', '$comment', 'examples', 'default'])

/** The values of an alternative that only lists values. */
const valuesOf = (branch: JsonObject): readonly Json[] | undefined => {
  if ('const' in branch) return [branch['const']!]
  const { enum: values } = branch
  if (!Array.isArray(values) || Object.keys(branch).some((keyword) => keyword !== 'enum' && !SILENT.has(keyword)))
    return undefined
  return values as readonly Json[]
}

const titled = (value: Json, title: Json | undefined): Choice => {
  const words = wordsOf(title)
  return words === undefined || words === value ? { value } : { value, title: words }
}
