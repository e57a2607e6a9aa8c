/** The line below a field: its restrictions, in the schema's own words. */
import { shorten, type Texts } from './explain.ts'
import { isObject, listOf, namesOf } from './json-schema.ts'
import type { Field } from './model.ts'

/** Maximum characters of a description that is shown in the line. */
const INLINE = 70

export interface Hint {
  readonly line: string
  /** A description that doesn't fit into the line. */
  readonly about: string | undefined
}

export const hintOf = (field: Field, key: string, t: Texts): Hint => {
  const { description, title, schema } = field
  const inline = description !== undefined && description.length <= INLINE && !description.includes('\n')
  const parts = [
    title !== undefined && bare(title) !== bare(key) && title !== description ? title : undefined,
    // A group is recognisable without its type.
    field.kind === 'object' && field.types.length === 1
      ? undefined
      : field.types.length > 0
        ? field.types.join(', ')
        : field.kind === 'enum'
          ? field.choices.length === 1
            ? t.oneValue
            : t.oneOfList
          : undefined,
    typeof schema['contentEncoding'] === 'string' ? shorten(schema['contentEncoding'], 40) : undefined,
    typeof schema['contentMediaType'] === 'string' ? shorten(schema['contentMediaType'], 60) : undefined,
    typeof schema['format'] === 'string' ? shorten(schema['format'], 40) : undefined,
    inline ? description : undefined,
    ...limits(field, t),
    schema['readOnly'] === true ? t.readOnly : undefined,
    schema['writeOnly'] === true ? t.writeOnly : undefined,
    schema['deprecated'] === true ? t.deprecated : undefined,
    ...beyond(field, t),
  ]
  return { line: parts.filter((part) => part !== undefined).join(' · '), about: inline ? undefined : description }
}

/** Describes alternatives that only require keys. */
const beyond = ({ beyond, schema }: Field, t: Texts): readonly string[] => {
  const said = beyond.flatMap((keyword) => {
    const branches = keyword === 'anyOf' || keyword === 'oneOf' ? listOf(schema[keyword]) : []
    const keys = branches.map((branch) => namesOf(isObject(branch) ? branch['required'] : undefined).join(' + '))
    if (keys.length === 0 || keys.length > 12 || keys.includes('')) return []
    return [{ keyword, text: (keyword === 'oneOf' ? t.needsOneOf : t.needsSomeOf)(shorten(keys.join(' | '))) }]
  })
  const others = beyond.filter((keyword) => !said.some((each) => each.keyword === keyword))
  return [...said.map(({ text }) => text), ...(others.length > 0 ? [t.also(others.join(', '))] : [])]
}

/** @param json the part is edited as JSON @param foreign no schema applies to the key */
export const lineOf = (hint: Hint, field: Field, json: boolean, foreign: boolean, t: Texts): string =>
  [foreign ? t.unknownKey : '', hint.line, json ? reasonOf(field, t) : ''].filter((part) => part !== '').join(' · ')

/** Why a part is edited as JSON. */
const reasonOf = ({ reason, schema }: Field, t: Texts): string => {
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

/** Generators derive titles from names: `max_items` and `Max Items` are equivalent. */
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
  if (kind === 'object') {
    add('minProperties', t.keysAtLeast)
    add('maxProperties', t.keysAtMost)
    const names = isObject(schema['propertyNames']) ? schema['propertyNames']['pattern'] : undefined
    if (typeof names === 'string') parts.push(t.keysLike(shorten(names, 60)))
  }
  if (kind === 'array') {
    add('minItems', t.itemsAtLeast)
    add('maxItems', t.itemsAtMost)
    if (schema['uniqueItems'] === true) parts.push(t.different)
  }
  return parts
}
