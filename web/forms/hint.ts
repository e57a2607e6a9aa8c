/** The small line below a field: what it takes, in the schema's own words. */
import { stringify } from '../ui/json/lossless.ts'
import { shorten, type Texts } from './explain.ts'
import type { Field } from './model.ts'

/** Descriptions up to this long stand in the line itself. */
const INLINE = 70

export interface Hint {
  readonly line: string
  /** A description too long for the line. */
  readonly about: string | undefined
}

export const hintOf = (field: Field, key: string, t: Texts): Hint => {
  const { description, title, schema } = field
  const inline = description !== undefined && description.length <= INLINE && !description.includes('\n')
  const parts = [
    title !== undefined && bare(title) !== bare(key) && title !== description ? title : undefined,
    // A group is seen to be one.
    field.kind === 'object' && field.types.length === 1
      ? undefined
      : field.types.length > 0
        ? field.types.join(', ')
        : field.kind === 'enum'
          ? t.oneOfList
          : undefined,
    typeof schema['format'] === 'string' ? shorten(schema['format'], 40) : undefined,
    inline ? description : undefined,
    ...limits(field, t),
    schema['deprecated'] === true ? t.deprecated : undefined,
    field.default === undefined ? undefined : t.default(shorten(stringify(field.default), 60)),
    field.beyond.length > 0 ? t.also(field.beyond.join(', ')) : undefined,
  ]
  return { line: parts.filter((part) => part !== undefined).join(' · '), about: inline ? undefined : description }
}

/** Why a part is edited as JSON. */
export const reasonOf = ({ reason, schema }: Field, t: Texts): string => {
  const reference = shorten(typeof schema['$ref'] === 'string' ? schema['$ref'] : '', 80)
  switch (reason) {
    case undefined:
      return t.reasonValue
    case 'any':
      return t.reasonAny
    case 'combined':
      return t.reasonCombined
    case 'never':
      return t.reasonNever
    case 'invalid':
      return t.reasonInvalid
    case 'deep':
      return t.reasonDeep
    case 'many':
      return t.reasonMany
    case 'circular':
      return t.reasonCircular
    case 'unresolved':
      return t.reasonUnresolved(reference)
    case 'remote':
      return t.reasonRemote(reference)
  }
}

/** Generators make a title of every name: `max_items` and `Max Items` say the same. */
const bare = (name: string): string => name.toLowerCase().replace(/[\s_.-]/g, '')

const limits = ({ schema, kind }: Field, t: Texts): readonly string[] => {
  const parts: string[] = []
  const add = (keyword: string, text: (limit: string) => string) => {
    const limit = schema[keyword]
    if (typeof limit === 'number' || (typeof limit === 'string' && keyword === 'pattern'))
      parts.push(text(shorten(String(limit), 60)))
  }
  if (kind === 'number' || kind === 'integer') {
    add('minimum', t.atLeast)
    add('exclusiveMinimum', t.above)
    add('maximum', t.atMost)
    add('exclusiveMaximum', t.below)
    add('multipleOf', t.step)
  }
  if (kind === 'string') {
    add('minLength', t.lengthAtLeast)
    add('maxLength', t.lengthAtMost)
    add('pattern', t.like)
  }
  if (kind === 'array') {
    add('minItems', t.itemsAtLeast)
    add('maxItems', t.itemsAtMost)
    if (schema['uniqueItems'] === true) parts.push(t.different)
  }
  return parts
}
