/**
 * What a person would enter in the form: the schema's defaults, and a value for each required field without one. Uses
 * the model of the product's own form, so that the suite tests how Periscope reads a schema.
 */
import { fieldOf, argumentsField, type Field } from '../../web/forms/model.ts'
import type { Json, JsonObject } from '../../web/mcp/index.ts'

/** Arguments for a tool, from its `inputSchema`. */
export const argumentsFor = (schema: Json | undefined): JsonObject => objectOf(argumentsField(schema))

/** Content of an accepted elicitation, from its `requestedSchema`: fields with a default have it (CF-FORM-05). */
export const contentFor = (schema: Json | undefined): JsonObject => objectOf(fieldOf(schema))

const objectOf = (field: Field): JsonObject => {
  const entries: [string, Json][] = []
  for (const { key, required, field: inner } of field.properties) {
    if (inner.default !== undefined) entries.push([key, inner.default])
    else if (required) entries.push([key, valueOf(inner)])
  }
  return Object.fromEntries(entries)
}

const valueOf = (field: Field): Json => {
  switch (field.kind) {
    case 'object':
      return objectOf(field)
    case 'enum':
      return field.choices[0]?.value ?? null
    case 'number':
    case 'integer': {
      const { minimum } = field.schema
      return typeof minimum === 'number' ? Math.ceil(minimum) : 1
    }
    case 'boolean':
      return true
    case 'array':
      return []
    case 'null':
      return null
    case 'string':
    case 'json':
    case 'union':
      return 'periscope'
  }
}
