/** Verdicts as text: English by default, other languages with their catalogue. */
import { brief } from './long.ts'
import type { Value } from '../json/index.ts'
import type { Translation } from '../ui/index.svelte.ts'
import en from './text/en.ts'
import { dialectOf, type Note, type Problem, type Unchecked, type Verdict } from './verdict.ts'

export type Texts = Translation<typeof en>

/** Maximum characters of server text in a message. */
const LONGEST = 120

export const shorten = (text: string, longest = LONGEST): string => {
  if (text.length <= longest) return text
  // Never split a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(longest - 2)) ? longest - 2 : longest - 1
  return `${text.slice(0, end)}…`
}

const show = (value: unknown): string =>
  shorten(typeof value === 'string' ? value : brief((value ?? null) as Value, LONGEST))

/** Choices are shown as JSON, because `1` and `"1"` differ. */
const list = (values: unknown): string => {
  if (!Array.isArray(values)) return show(values)
  const shown = values.slice(0, 8).map((value) => shorten(brief(value as Value, 40), 40))
  return shown.join(', ') + (values.length > 8 ? ', …' : '')
}

const types = (value: unknown): string => (Array.isArray(value) ? value.map(String).join(', ') : show(value))

export const explain = (problem: Omit<Problem, 'message'>, t: Texts): string => {
  const { keyword, expected } = problem
  switch (keyword) {
    case 'required':
      return t.missing
    case 'type':
      return t.wrongType(types(expected))
    case 'enum':
      return t.notInList(list(expected))
    case 'const':
      return t.mustBe(list([expected]))
    case 'minimum':
      return t.tooSmall(show(expected))
    case 'maximum':
      return t.tooLarge(show(expected))
    case 'exclusiveMinimum':
      return t.notAbove(show(expected))
    case 'exclusiveMaximum':
      return t.notBelow(show(expected))
    case 'multipleOf':
      return t.notMultiple(show(expected))
    case 'minLength':
      return t.tooShort(show(expected))
    case 'maxLength':
      return t.tooLong(show(expected))
    case 'pattern':
      return t.noMatch(show(expected))
    case 'format':
      return t.noFormat(show(expected))
    case 'minItems':
      return t.tooFewItems(show(expected))
    case 'maxItems':
      return t.tooManyItems(show(expected))
    case 'uniqueItems':
      return t.sameItems
    case 'minProperties':
      return t.tooFewKeys(show(expected))
    case 'maxProperties':
      return t.tooManyKeys(show(expected))
    case 'anyOf':
      return t.noneFits
    case 'oneOf':
      return t.notExactlyOne
    case 'not':
      return t.fitsForbidden
    case 'contains':
    case 'minContains':
    case 'maxContains':
      return t.containsNone
    case 'propertyNames':
      return t.badName
    case 'dependentRequired':
    case 'dependencies':
      return t.needsAlso
    case 'json':
      return t.unfinished
    case 'false':
    case 'properties':
    case 'patternProperties':
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'items':
    case 'prefixItems':
    case 'additionalItems':
    case 'unevaluatedItems':
      return t.notAllowed
    default:
      return t.other(shorten(keyword, 40))
  }
}

export const explainUnchecked = ({ code, detail }: Omit<Unchecked, 'message'>, t: Texts): string => {
  const about = shorten(detail ?? '')
  switch (code) {
    case 'dialect':
      return t.uncheckedDialect(about)
    case 'remote':
      return t.uncheckedRemote(about)
    case 'unresolved':
      return t.uncheckedUnresolved(about)
    case 'time':
      return t.uncheckedTime
    case 'size':
      return t.uncheckedSize
    case 'recursion':
      return t.uncheckedRecursion
    case 'schema':
      return t.uncheckedSchema(about)
  }
}

export const explainNote = ({ code, detail }: Note, t: Texts): string => {
  const about = shorten(detail)
  return code === 'pattern' ? t.notePattern(about) : code === 'type' ? t.noteType(about) : t.noteKeyword(about)
}

export const problemWith = (about: Omit<Problem, 'message'>): Problem => ({ ...about, message: explain(about, en) })

/** The verdict if nothing could be checked except for invalid JSON. */
export const uncheckedVerdict = (
  schema: unknown,
  unfinished: readonly string[],
  about: Omit<Unchecked, 'message'>,
): Verdict => ({
  state: unfinished.length > 0 ? 'invalid' : 'unchecked',
  dialect: dialectOf(schema),
  problems: unfinished.map(unfinishedAt),
  unchecked: { ...about, message: explainUnchecked(about, en) },
  notes: [],
})

export const unfinishedAt = (pointer: string): Problem => problemWith({ pointer, keyword: 'json', severity: 'error' })
