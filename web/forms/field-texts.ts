/**
 * The texts around a field: the labels of its choices and alternatives, the line below it with its restrictions, and the
 * messages of its problems.
 */
import { JsonSyntaxError, Unfinished, type Value } from '../json/index.ts'
import { messageOf } from '../mcp/index.ts'
import type { Control } from './control.ts'
import { explain, filled, type Problem, shorten, type Texts } from './verdict.ts'
import { isObject, listOf, namesOf } from './json-schema.ts'
import type { BranchName, Choice } from './kind.ts'
import type { Branch, Field } from './model.ts'
import { parseTolerant } from './tolerant.ts'
import { brief } from './value.ts'
import { visible } from '../ui/index.ts'

/**
 * Labels the choices of one field; created once, not for each of 10^5 choices. If any choice isn't a string, strings are quoted:
 * `1` and `"1"` are different choices.
 */
export const choiceTexts = (choices: readonly Choice[]): ((choice: Choice) => string) => {
  const texty = choices.every(({ value }) => typeof value === 'string')
  return ({ value, title }) => {
    const text = texty && value !== '' ? (value as string) : brief(value, 120)
    return shorten(title === undefined ? text : `${title} (${text})`)
  }
}

const LONGEST = 60

/** One label per alternative; identical ones are numbered. */
export const branchTexts = (branches: readonly Branch[], t: Texts): readonly string[] => {
  const texts = branches.map(({ name }, at) => textOf(name, at, t))
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const used = new Map<string, number>()
  return texts.map((text) => {
    if (counts.get(text) === 1) return text
    const number = (used.get(text) ?? 0) + 1
    used.set(text, number)
    return t.numbered(text, number)
  })
}

const textOf = (name: BranchName, at: number, t: Texts): string => {
  switch (name.by) {
    case 'title':
    case 'type':
      return shorten(name.text, LONGEST)
    case 'constant':
      return shorten(
        `${name.key}: ${typeof name.value === 'string' && name.value !== '' ? name.value : brief(name.value, LONGEST)}`,
        LONGEST,
      )
    case 'value':
      return shorten(brief(name.value, LONGEST), LONGEST)
    case 'keys':
      return shorten(name.keys.slice(0, 5).join(', '), LONGEST)
    case 'position':
      return t.alternative(at + 1)
  }
}

/** Maximum characters of a description that is shown in the line. */
const INLINE = 70

export interface Hint {
  readonly line: string
  /** A description that doesn't fit into the line. */
  readonly about: string | undefined
}

/** Maximum characters of a title that is used as a label. */
const TITLE = 80

/** The title to show as the label of a key; `undefined` if it says no more than the key or repeats the description. */
export const titleOf = ({ title, description }: Field, key: string): string | undefined =>
  title === undefined || bare(title) === bare(key) || title === description ? undefined : visible(title, TITLE)

export const hintOf = (field: Field, t: Texts): Hint => {
  const { description, schema } = field
  const inline = description !== undefined && description.length <= INLINE && !description.includes('\n')
  const parts = [
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
const reasonOf = ({ reason, schema }: Field, t: Texts): string =>
  filled(t[`reason-${reason ?? 'value'}`], shorten(typeof schema['$ref'] === 'string' ? schema['$ref'] : '', 80))

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

export interface ShownProblem {
  readonly severity: Problem['severity']
  readonly text: string
}

interface FieldState {
  readonly control: Control
  readonly kind: Field['kind']
  /** The user has left the field or tried to send: missing values may be reported. */
  readonly touched: boolean
}

/** What is wrong with a JSON text, and where, without a full stop. */
export const jsonFaultIn = (error: unknown, texts: Texts): string =>
  error instanceof JsonSyntaxError ? texts.notJson(error.fault, error.line, error.column) : messageOf(error)

/** Keywords that report a missing value. */
const MISSING: ReadonlySet<string> = new Set(['required', 'dependentRequired', 'dependencies'])

/** The messages of a field's problems. */
export const shownProblems = (
  found: readonly Problem[],
  value: Value | undefined,
  { control, kind, touched }: FieldState,
  texts: Texts,
): readonly ShownProblem[] => {
  if (value instanceof Unfinished) {
    const parsed = parseTolerant(value.text)
    if (!parsed.ok) return [{ severity: 'error', text: jsonFaultIn(parsed.error, texts) }]
  }
  const wrongType = control === 'number' && typeof value === 'string'
  const shown = found
    // The verdict may be one keystroke old: skip "missing" if there is a value by now, or if the user hasn't reached
    // the field yet.
    .filter(({ keyword }) => !MISSING.has(keyword) || (touched && value === undefined))
    .filter(({ keyword }) => keyword !== 'json' || value instanceof Unfinished)
    .filter(({ keyword }) => !(wrongType && keyword === 'type'))
    .map((problem) => ({ severity: problem.severity, text: explain(problem, texts) }))
  return wrongType ? [{ severity: 'error', text: texts.sentAsText(kind) }, ...shown] : shown
}
