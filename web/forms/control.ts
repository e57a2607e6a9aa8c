/**
 * Which control shows a field with the value it holds, and how text becomes a value. Showing changes nothing: only what
 * the user does gives a new value.
 */
import { isList, isRecord, NumberText, numberOf, same, stringify, Unfinished, type Value } from '../json/index.ts'
import { isDeep, isLong } from './long.ts'
import type { Field } from './model.ts'
import { parseTolerant } from './tolerant.ts'
import { stateOf } from './value.ts'

export type Control =
  | 'text'
  | 'number'
  | 'boolean'
  | 'null'
  | 'choice'
  /** Any of a short list: marks. */
  | 'set'
  | 'list'
  | 'group'
  | 'json'
  /** Too long to be edited in place. */
  | 'long'
  /** Which alternative must be chosen first. */
  | 'open'

/** A property can be left out; an item of a list cannot. */
export type Where = 'property' | 'item' | 'root'

/** Items and keys drawn as fields, a page at a time. */
const MOST_ITEMS = 10_000
/** Characters in a text field. */
const LONGEST = 200_000
/** Choices in the browser's own list; of more, one filters. */
export const FEW_CHOICES = 40
/** Marks for the choices of a set. */
const MOST_MARKS = 24

/** The control that can show `value` without loss; JSON where the field's own cannot. */
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
      // Text fields turn CR LF into LF.
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

/** Different ones of a short list, in any order: what marks can show without loss. */
const isSet = (field: Field, value: Value | undefined): boolean => {
  const item = field.tuple === 0 ? field.item(0) : undefined
  if (item?.kind !== 'enum' || item.choices.length > MOST_MARKS || item.choices.length < 2) return false
  if (!isList(value)) return true
  const chosen = value.map((each) => choiceOf(item, each))
  return !chosen.includes(-1) && new Set(chosen).size === chosen.length
}

/** A set with one choice put in or taken out; what stays is as it was, in its order. */
export const toggled = (field: Field, value: Value | undefined, at: number): readonly Value[] => {
  const item = field.item(0)!
  const list = isList(value) ? value : []
  const left = list.filter((each) => choiceOf(item, each) !== at)
  return left.length < list.length ? left : [...list, item.choices[at]!.value]
}

/** What a text field shows. Absent, null and empty look alike there; placeholder and mark tell them apart. */
export const textOf = (value: Value | undefined): string => {
  if (value instanceof NumberText || value instanceof Unfinished) return value.text
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/**
 * What typed text means. Emptied, a property is absent again. Text in a number field that is no number is kept, and
 * goes as text: the field says so.
 */
export const valueOf = (field: Field, text: string, where: Where): Value | undefined => {
  if (text === '') return where === 'item' ? '' : undefined
  return field.kind === 'number' || field.kind === 'integer' ? (numberOf(text.trim()) ?? text) : text
}

/** What a JSON field shows. Deep values are not laid out: their margins would be longer than they are. */
export const jsonTextOf = (value: Value | undefined): string =>
  value === undefined ? '' : stringify(value, isDeep(value) ? 0 : 2)

/** Text that is no JSON stays as it is, unfinished. */
export const jsonValueOf = (text: string, where: Where): Value | undefined => {
  const parsed = parseTolerant(text)
  if (!parsed.ok) return new Unfinished(text)
  return parsed.value === undefined && where === 'item' ? new Unfinished(text) : parsed.value
}

/** Index of the choice a value is; -1 for one that is not in the list, or absent. `1.0` is 1. */
export const choiceOf = (field: Field, value: Value | undefined): number => {
  const seen = value instanceof NumberText ? value.number : value
  return field.choices.findIndex((choice) => same(choice.value, seen))
}

/** Keys of the value that the schema's `properties` do not name, in the value's order. */
export const extraKeys = (field: Field, value: Value | undefined): readonly string[] => {
  return isRecord(value) ? Object.keys(value).filter((key) => !field.declares(key)) : []
}

export interface Offer {
  readonly state: 'absent' | 'null' | 'empty' | 'default'
  readonly value: Value | undefined
}

/** What the user may say instead of a value; the state it is in already is among them. */
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

/**
 * What a form that is to be answered with its defaults opens with: an object with those of the schema. A default that is null or empty is left out unless
 * required, for nobody asked to send it.
 */
export const prefill = (field: Field): Value => filled(field, true) ?? {}

const filled = (field: Field, required: boolean): Value | undefined => {
  const preset = field.default
  if (preset !== undefined) return required || stateOf(preset) === 'set' ? preset : undefined
  if (!required || field.kind !== 'object') return undefined
  const entries = field.keys.slice(0, MOST_ITEMS).flatMap((key): [string, Value][] => {
    const { required, field: property } = field.property(key)
    const inner = filled(property, required)
    return inner === undefined ? [] : [[key, inner]]
  })
  return entries.length > 0 ? Object.fromEntries<Value>(entries) : undefined
}

/** What "Add" puts in: the default, or the empty value of its type. Numbers begin empty, for any number would be a guess. */
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

/** Required keys that have one value only: what tells an alternative from the others, and is no choice of the user's. */
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

/** Not worth looking through for constants. */
const isRecordSchema = (field: Field): boolean => field.keys.length <= 1000

/** What stands beside a control. */
export interface Row {
  /** Name and control above each other. */
  readonly wide: boolean
  /** The control is one that a label can name. */
  readonly labelled: boolean
  /** Offer what can be said instead of a value. */
  readonly menu: boolean
  /** It stands within the control, in room that only a text field leaves at its end. */
  readonly menuWithin: boolean
  /** Say whether it is absent, null or empty; some controls say it themselves. */
  readonly marked: boolean
}

const LABELLED: ReadonlySet<Control> = new Set(['text', 'number', 'choice', 'json'])
const TELLING: ReadonlySet<Control> = new Set(['boolean', 'choice', 'null', 'open'])
const WITHIN: ReadonlySet<Control> = new Set(['text', 'number', 'json'])
const GROUPED: ReadonlySet<Control> = new Set(['list', 'group', 'set'])

export const rowOf = (field: Field, control: Control, where: Where, offers: readonly Offer[]): Row => {
  const item = control === 'list' ? field.item(0) : undefined
  // Where absent is all there is to say, emptying the field says it; choices have it in their list.
  const menu = GROUPED.has(control)
    ? where === 'property' || offers.length > 1
    : !TELLING.has(control) && control !== 'long' && offers.length > 1
  return {
    wide: control === 'group' || item?.kind === 'object' || item?.kind === 'union',
    labelled: LABELLED.has(control),
    menu,
    menuWithin: menu && WITHIN.has(control),
    marked: !TELLING.has(control),
  }
}
