/**
 * Chooses the control for a field and its value, and the fields that a group shows, and turns input into values.
 * Rendering never changes a value; only the user does.
 */
import {
  formatPointer,
  isList,
  isRecord,
  NumberText,
  numberOf,
  same,
  stringify,
  unescapeToken,
  Unfinished,
  type Value,
} from '../json/index.ts'
import type { Field, Property } from './model.ts'
import { isDeep, isLong, type Path } from './value.ts'
import type { Problem } from './verdict.ts'
import { parseTolerant } from './tolerant.ts'

export type Control =
  | 'text'
  | 'number'
  | 'boolean'
  | 'null'
  | 'choice'
  /** Checkboxes to select any of a few choices. */
  | 'set'
  | 'list'
  | 'group'
  | 'json'
  /** Too long to edit in place. */
  | 'long'
  /** The user has to choose an alternative first. */
  | 'open'

/** A property can be omitted; an array item can't. */
export type Where = 'property' | 'item' | 'root'

/** Maximum number of items and keys shown as fields, over all pages. */
const MOST_ITEMS = 10_000
/** Maximum characters in a text field. */
const LONGEST = 200_000
/** Choices shown in a native select; more get a filter. */
export const FEW_CHOICES = 40
/** Maximum number of checkboxes in a set. */
const MOST_MARKS = 24

/** The control that can show `value` without loss, or JSON if the field's own control can't. */
export const controlOf = (field: Field, value: Value | undefined): Control => {
  if (typeof value === 'string' && value.length > LONGEST) return 'long'
  if (field.kind === 'json' || value instanceof Unfinished) return isLong(value, LONGEST) ? 'long' : 'json'
  const none = value === undefined || value === null
  const control = ownControlOf(field, value, none)
  return control === 'json' && isLong(value, LONGEST) ? 'long' : control
}

const ownControlOf = (field: Field, value: Value | undefined, none: boolean): Control => {
  switch (field.kind) {
    case 'enum':
      return 'choice'
    case 'null':
      return none ? 'null' : 'json'
    case 'boolean':
      return none || typeof value === 'boolean' ? 'boolean' : 'json'
    case 'string':
      // Text inputs turn CR LF into LF.
      return none || (typeof value === 'string' && !value.includes('\r')) ? 'text' : 'json'
    case 'number':
    case 'integer':
      if (none || typeof value === 'number' || value instanceof NumberText) return 'number'
      return typeof value === 'string' && value.length <= 1000 && !/[\r\n]/.test(value) ? 'number' : 'json'
    case 'array':
      if (!none && !(isList(value) && value.length <= MOST_ITEMS)) return 'json'
      return isSet(field, value) ? 'set' : 'list'
    case 'object':
      return none || (isRecord(value) && Object.keys(value).length <= MOST_ITEMS) ? 'group' : 'json'
    case 'union':
      return none ? 'open' : 'json'
    case 'json':
      return 'json'
  }
}

/** Whether checkboxes can show the value without loss: distinct choices of a short list. */
const isSet = (field: Field, value: Value | undefined): boolean => {
  const item = field.tuple === 0 ? field.item(0) : undefined
  if (item?.kind !== 'enum' || item.choices.length > MOST_MARKS || item.choices.length < 2) return false
  if (!isList(value)) return true
  const chosen = value.map((each) => choiceOf(item, each))
  return !chosen.includes(-1) && new Set(chosen).size === chosen.length
}

/** Adds or removes one choice of a set; the others keep their order. */
export const toggled = (field: Field, value: Value | undefined, at: number): readonly Value[] => {
  const item = field.item(0)!
  const list = isList(value) ? value : []
  const left = list.filter((each) => choiceOf(item, each) !== at)
  return left.length < list.length ? left : [...list, item.choices[at]!.value]
}

/** The text of an input. Absent, null and empty look the same there; placeholder and label distinguish them. */
export const textOf = (value: Value | undefined): string => {
  if (value instanceof NumberText || value instanceof Unfinished) return value.text
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/**
 * The value of typed text. Clearing the input removes the property. Text in a number field that isn't a number is kept and
 * sent as a string; the field says so.
 */
export const valueOf = (field: Field, text: string, where: Where): Value | undefined => {
  if (text === '') return where === 'item' ? '' : undefined
  return field.kind === 'number' || field.kind === 'integer' ? (numberOf(text.trim()) ?? text) : text
}

/** The text of a JSON field. Deep values aren't indented, because the indentation would exceed the content. */
export const jsonTextOf = (value: Value | undefined): string =>
  value === undefined ? '' : stringify(value, isDeep(value) ? 0 : 2)

/** Text that isn't valid JSON is kept as `Unfinished`. */
export const jsonValueOf = (text: string, where: Where): Value | undefined => {
  const parsed = parseTolerant(text)
  if (!parsed.ok) return new Unfinished(text)
  return parsed.value === undefined && where === 'item' ? new Unfinished(text) : parsed.value
}

/** Index of the choice that equals the value, or -1. `1.0` equals 1. */
export const choiceOf = (field: Field, value: Value | undefined): number => {
  const seen = value instanceof NumberText ? value.number : value
  return field.choices.findIndex((choice) => same(choice.value, seen))
}

/** Keys of the value that `properties` doesn't name, in the value's order. */
export const extraKeys = (field: Field, value: Value | undefined): readonly string[] => {
  return isRecord(value) ? Object.keys(value).filter((key) => !field.declares(key)) : []
}

export interface Offer {
  readonly state: 'absent' | 'null' | 'empty' | 'default'
  readonly value: Value | undefined
}

/** The states the user can choose instead of typing a value, including the current one. */
export const offersOf = (field: Field, where: Where): readonly Offer[] => {
  const offers: Offer[] = []
  if (where === 'property') offers.push({ state: 'absent', value: undefined })
  if (field.kind === 'string') offers.push({ state: 'empty', value: '' })
  if (field.kind === 'array') offers.push({ state: 'empty', value: [] })
  if (field.kind === 'object') offers.push({ state: 'empty', value: {} })
  if (field.nullable && field.kind !== 'enum') offers.push({ state: 'null', value: null })
  if (field.default !== undefined) offers.push({ state: 'default', value: field.default })
  return offers
}

/** The value that Add inserts: the default, or the empty value of the type. Numbers start empty, as any number would be a guess. */
export const fresh = (field: Field): Value => {
  if (field.default !== undefined) return field.default
  switch (field.kind) {
    case 'object':
      return constantsOf(field)
    case 'array':
      return []
    case 'boolean':
      return false
    case 'null':
      return null
    case 'enum':
      return field.choices[0]!.value
    case 'union':
      return field.base ? {} : ''
    case 'json':
      return field.types.includes('object') ? {} : ''
    default:
      return ''
  }
}

/** Required keys with a single allowed value, such as the constant that identifies an alternative. */
const constantsOf = (field: Field): Value =>
  Object.fromEntries(
    isRecordSchema(field)
      ? field.properties.flatMap(({ key, required, field: inner }): [string, Value][] =>
          required && inner.kind === 'enum' && inner.choices.length === 1 && !inner.nullable
            ? [[key, inner.choices[0]!.value]]
            : [],
        )
      : [],
  )

/** Whether there are few enough properties to search for constants. */
const isRecordSchema = (field: Field): boolean => field.keys.length <= 1000

/** The layout around a control. */
export interface Row {
  /** The name is above the control. */
  readonly wide: boolean
  /** The control can have a `<label>`. */
  readonly labelled: boolean
  /** Offers the states that replace a value. */
  readonly menu: boolean
  /** The menu is inside the control, where only text inputs have room. */
  readonly menuWithin: boolean
  /** Shows whether the value is absent, null or empty; most controls show it themselves. */
  readonly marked: boolean
  /** Has room for a button that fills in the default. */
  readonly suggests: boolean
}

const LABELLED: ReadonlySet<Control> = new Set(['text', 'number', 'choice', 'json'])
const TELLING: ReadonlySet<Control> = new Set(['boolean', 'choice', 'null', 'open'])
const WITHIN: ReadonlySet<Control> = new Set(['text', 'number', 'json'])
const GROUPED: ReadonlySet<Control> = new Set(['list', 'group', 'set'])
const SUGGESTING: ReadonlySet<Control> = new Set(['text', 'number', 'boolean', 'choice'])

export const rowOf = (field: Field, control: Control, where: Where, offers: readonly Offer[]): Row => {
  const item = control === 'list' ? field.item(0) : undefined
  // If absent is the only state, clearing the input sets it; selects have it as an option.
  const menu = GROUPED.has(control)
    ? where === 'property' || offers.length > 1
    : !TELLING.has(control) && control !== 'long' && offers.length > 1
  return {
    wide: control === 'group' || item?.kind === 'object' || item?.kind === 'union',
    labelled: LABELLED.has(control),
    menu,
    menuWithin: menu && WITHIN.has(control),
    marked: GROUPED.has(control),
    suggests: where === 'property' && SUGGESTING.has(control),
  }
}

/** Number of fields per page. */
export const PAGE = 50
/** Groups with more fields have a filter. */
export const MANY = 30

export interface Shown {
  readonly shown: readonly Property[]
  /** Number of fields not shown. */
  readonly left: number
}

/** One page of the fields, plus all fields that have a value or a problem. */
export const propertiesShown = (
  field: Field,
  value: Value | undefined,
  problems: readonly Problem[],
  path: Path,
  { filter, most }: { readonly filter: string; readonly most: number },
): Shown => {
  const wanted = filter.trim().toLowerCase()
  const found = wanted === '' ? field.keys : field.keys.filter((key) => key.toLowerCase().includes(wanted))
  const page = found.slice(0, most)
  const left = found.length - page.length
  const shownOf = (keys: readonly string[]) => keys.map((key) => field.property(key))
  if (wanted !== '' || left === 0) return { shown: shownOf(page), left }
  const start = formatPointer(path).length + 1
  const drawn = new Set(page)
  const also = new Set(
    [
      ...(isRecord(value) ? Object.keys(value) : []),
      ...problems.map(({ pointer }) => {
        const [step] = pointer.slice(start).split('/')
        return unescapeToken(step!)
      }),
    ].filter((key) => field.declares(key) && !drawn.has(key)),
  )
  return { shown: shownOf([...page, ...also]), left: left - also.size }
}
