/**
 * The schema of a form that a server requests: a flat object of primitives. Anything beyond that is reported with its
 * rule, and shown and answered anyway, because our forms support more than the protocol allows.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#requested-schema
 */
import { escapeToken } from '../../json/index.ts'
import { isObject, type Json, type JsonObject } from '../../mcp/index.ts'

export type SchemaFault =
  | 'no-schema'
  | 'root-type'
  | 'root-keyword'
  | 'no-properties'
  | 'not-a-schema'
  | 'nested'
  | 'combined'
  | 'odd-type'
  | 'array-early'
  | 'array-items'
  | 'array-limit'
  | 'array-range'
  | 'string-limit'
  | 'range'
  | 'titled-early'
  | 'enum-values'
  | 'enum-names'
  | 'format'
  | 'pattern'
  | 'default-early'
  | 'default-unfit'
  | 'keyword'
  | 'required-unknown'
  | 'link'

export interface SchemaFinding {
  readonly code: SchemaFault
  /** Rule ID in web/lint/requirements.json. */
  readonly rule: string
  readonly keyword: 'MUST' | 'SHOULD' | 'SHOULD NOT' | 'MAY'
  /** JSON pointer (RFC 6901) into `requestedSchema`, or into the parameters if it concerns their message. */
  readonly pointer: string
  readonly found?: string
}

export interface FormSchema {
  /** The schema that the form is built from: the server's, or one for any object if it sent none. */
  readonly schema: JsonObject
  /** The initial value of the form (SEP-1034, CF-FORM-05). */
  readonly defaults: JsonObject
  readonly findings: readonly SchemaFinding[]
}

const FORMATS: ReadonlySet<string> = new Set(['email', 'uri', 'date', 'date-time'])
const COMMON = ['type', 'title', 'description', 'default']
/** Keywords allowed for each kind of property. */
const KEYWORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  string: new Set([...COMMON, 'minLength', 'maxLength', 'format', 'pattern', 'enum', 'enumNames', 'oneOf']),
  number: new Set([...COMMON, 'minimum', 'maximum']),
  integer: new Set([...COMMON, 'minimum', 'maximum']),
  boolean: new Set(COMMON),
  array: new Set([...COMMON, 'items', 'minItems', 'maxItems']),
}
const ROOT = new Set(['$schema', 'type', 'properties', 'required'])
const COMBINING = ['$ref', 'anyOf', 'allOf', 'not', 'if', 'const']
/** Most problems of one schema. */
const MOST = 50

/** @param revision absent if a recording doesn't say; the latest is assumed */
export const readFormSchema = (params: JsonObject, revision = '2026-07-28'): FormSchema => {
  const raw = params.requestedSchema
  const findings: SchemaFinding[] = []
  const find: Find = (code, pointer, found, rule = 'CF-FORM-01', keyword = 'MUST') => {
    if (findings.length >= MOST) return
    findings.push({ code, rule, keyword, pointer, ...(found === undefined ? {} : { found: clip(found) }) })
  }
  if (!isObject(raw)) {
    find('no-schema', '', raw)
    return { schema: { type: 'object' }, defaults: {}, findings }
  }
  if (raw.type !== 'object') find('root-type', '/type', raw.type)
  for (const keyword of Object.keys(raw))
    if (!ROOT.has(keyword)) find('root-keyword', `/${escapeToken(keyword)}`, keyword)
  const properties = isObject(raw.properties) ? raw.properties : undefined
  if (!properties) find('no-properties', '/properties', raw.properties)
  const defaults: Record<string, Json> = {}
  for (const [key, property] of Object.entries(properties ?? {})) {
    lookAtProperty(property, `/properties/${escapeToken(key)}`, revision, find)
    // Null isn't a primitive type here.
    if (isObject(property) && property.default !== undefined && property.default !== null) {
      // `__proto__` is a legal name.
      Object.defineProperty(defaults, key, {
        value: property.default,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
  }
  if (Array.isArray(raw.required)) {
    ;(raw.required as readonly Json[]).forEach((name, at) => {
      if (typeof name !== 'string' || !properties || !Object.hasOwn(properties, name)) {
        find('required-unknown', `/required/${at}`, name)
      }
    })
  }
  // CF-FORM-10 exists since 2025-11-25.
  if (revision >= '2025-11-25')
    for (const pointer of linksIn(params, properties ?? {}))
      find('link', pointer, undefined, 'CF-FORM-10', 'SHOULD NOT')
  return { schema: raw, defaults, findings }
}

type Find = (
  code: SchemaFault,
  pointer: string,
  found?: Json,
  rule?: string,
  keyword?: SchemaFinding['keyword'],
) => void

const lookAtProperty = (property: Json | undefined, pointer: string, revision: string, find: Find): void => {
  if (!isObject(property)) return find('not-a-schema', pointer, property)
  const early = revision < '2025-11-25'
  const { type } = property
  if (type === 'object') return find('nested', `${pointer}/type`, type)
  const combining = COMBINING.filter((keyword) => keyword in property)
  if (combining.length > 0) return find('combined', `${pointer}/${combining[0]!}`, combining.join(', '))
  const known = typeof type === 'string' && Object.hasOwn(KEYWORDS, type) ? KEYWORDS[type] : undefined
  if (!known) return find('odd-type', `${pointer}/type`, type)
  if (type === 'array') lookAtArray(property, pointer, early, find)
  if (type === 'string') lookAtString(property, pointer, early, find)
  if (type === 'number' || type === 'integer') lookAtRange(property, 'minimum', 'maximum', pointer, 'CF-FORM-01', find)
  // CF-FORM-03. Schemas are open: a client of that version ignores the member, and the form works without it.
  if (early && property.default !== undefined && type !== 'boolean') {
    find('default-early', `${pointer}/default`, property.default, 'CF-FORM-03', 'MAY')
  }
  if (!early && property.default !== undefined && !isFit(property, property.default)) {
    find('default-unfit', `${pointer}/default`, property.default, 'CF-FORM-05', 'SHOULD')
  }
  for (const keyword of Object.keys(property)) {
    if (!known.has(keyword)) find('keyword', `${pointer}/${escapeToken(keyword)}`, keyword)
  }
}

/** CF-FORM-04, CF-FORM-06: an array is only allowed as a multiple choice. */
const lookAtArray = (property: JsonObject, pointer: string, early: boolean, find: Find): void => {
  if (early) return find('array-early', `${pointer}/type`, 'array')
  for (const limit of ['minItems', 'maxItems']) {
    const value = property[limit]
    if (value === undefined || isCount(value)) continue
    find('array-limit', `${pointer}/${limit}`, value, 'CF-FORM-06')
  }
  const { items } = property
  const choices = choicesOf(items)
  lookAtRange(property, 'minItems', 'maxItems', pointer, 'CF-FORM-06', find)
  if (choices && isCount(property.minItems) && property.minItems > choices.size) {
    find('array-range', `${pointer}/minItems`, property.minItems, 'CF-FORM-06')
  }
  const good =
    isObject(items) &&
    (isTitled(items.anyOf) || (items.type === 'string' && isStrings(items.enum) && !('anyOf' in items)))
  if (!good) find('array-items', `${pointer}/items`, items, 'CF-FORM-04')
}

const lookAtString = (property: JsonObject, pointer: string, early: boolean, find: Find): void => {
  const { format, enum: values, enumNames: names, oneOf } = property
  if (format !== undefined && !(typeof format === 'string' && FORMATS.has(format))) {
    find('format', `${pointer}/format`, format, 'CF-FORM-02')
  }
  for (const limit of ['minLength', 'maxLength']) {
    const value = property[limit]
    if (value !== undefined && !isCount(value)) find('string-limit', `${pointer}/${limit}`, value, 'CF-FORM-02')
  }
  lookAtRange(property, 'minLength', 'maxLength', pointer, 'CF-FORM-02', find)
  // CF-FORM-02: one version's prose has it, but no schema does.
  if ('pattern' in property) find('pattern', `${pointer}/pattern`, property.pattern, 'CF-FORM-02', 'SHOULD NOT')
  if (values !== undefined && !isStrings(values)) {
    find('enum-values', `${pointer}/enum`, values, early ? 'CF-FORM-03' : 'CF-FORM-04')
  }
  if (names !== undefined) {
    const fits = isStrings(names) && Array.isArray(values) && names.length === values.length
    // Later versions keep it as the legacy form of a choice.
    if (!fits) find('enum-names', `${pointer}/enumNames`, undefined, early ? 'CF-FORM-03' : 'CF-FORM-04')
  }
  if (oneOf === undefined) return
  if (early) find('titled-early', `${pointer}/oneOf`, undefined, 'CF-FORM-03')
  else if (!isTitled(oneOf)) find('enum-values', `${pointer}/oneOf`, undefined, 'CF-FORM-04')
}

const isCount = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0

/** No value satisfies a lower limit above the upper one. */
const lookAtRange = (
  property: JsonObject,
  least: string,
  most: string,
  pointer: string,
  rule: string,
  find: Find,
): void => {
  const [low, high] = [property[least], property[most]]
  if (typeof low === 'number' && typeof high === 'number' && low > high) {
    find('range', `${pointer}/${least}`, `${least} ${low}, ${most} ${high}`, rule)
  }
}

/** The values of a choice, single or multiple; absent if it isn't one. */
const choicesOf = (schema: Json | undefined): ReadonlySet<Json> | undefined => {
  if (!isObject(schema)) return undefined
  const titled = schema.oneOf ?? schema.anyOf
  if (Array.isArray(titled))
    return new Set((titled as readonly Json[]).map((each) => (isObject(each) ? each.const! : each)))
  return Array.isArray(schema.enum) ? new Set(schema.enum as readonly Json[]) : undefined
}

const isWithin = (value: number, least: Json | undefined, most: Json | undefined): boolean =>
  !(typeof least === 'number' && value < least) && !(typeof most === 'number' && value > most)

/** Only what is obvious: a value that is merely unusual must not be reported. */
const FORMS: Readonly<Record<string, RegExp>> = {
  email: /^[^@]+@[^@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:/i,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/,
}

/** An empty text is a field without a default. */
const isInFormat = (value: string, format: Json | undefined): boolean =>
  value === '' || typeof format !== 'string' || !Object.hasOwn(FORMS, format) || FORMS[format]!.test(value)

/** CF-FORM-05: whether a form that starts with this default could be sent unchanged. */
const isFit = (property: JsonObject, value: Json): boolean => {
  switch (property.type) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'number':
    case 'integer':
      return (
        typeof value === 'number' &&
        (property.type === 'number' || Number.isInteger(value)) &&
        isWithin(value, property.minimum, property.maximum)
      )
    case 'string': {
      if (typeof value !== 'string') return false
      const choices = choicesOf(property)
      // JSON Schema counts characters, not UTF-16 units.
      if (choices) return choices.has(value)
      return isWithin([...value].length, property.minLength, property.maxLength) && isInFormat(value, property.format)
    }
    default: {
      if (!Array.isArray(value)) return false
      const choices = choicesOf(property.items)
      return (
        isWithin(value.length, property.minItems, property.maxItems) &&
        (value as readonly Json[]).every((each) => typeof each === 'string' && (!choices || choices.has(each)))
      )
    }
  }
}

const isStrings = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const isTitled = (value: Json | undefined): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  (value as readonly Json[]).every(
    (branch) => isObject(branch) && typeof branch.const === 'string' && typeof branch.title === 'string',
  )

const LINK = /\bhttps?:\/\/[^\s/]/i

/** Places that contain links or other markup to click. Their content is shown as plain text. */
const linksIn = ({ message }: JsonObject, properties: JsonObject): string[] => {
  const found = typeof message === 'string' && LINK.test(message) ? ['/message'] : []
  for (const [key, property] of Object.entries(properties)) {
    if (!isObject(property)) continue
    for (const name of ['title', 'description']) {
      const text = property[name]
      if (typeof text === 'string' && LINK.test(text)) found.push(`/properties/${escapeToken(key)}/${name}`)
    }
  }
  return found
}

const clip = (value: Json): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
