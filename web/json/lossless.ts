/**
 * JSON values that preserve how their numbers were written.
 *
 * `JSON.parse` turns 9007199254740993 into …992 and `1.0` into `1`. A value here is plain JSON, except that a number
 * that wouldn't be serialized as it was written is a `NumberText`.
 */

/** A number whose notation JavaScript would lose. */
export class NumberText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  get number(): number {
    return Number(this.text)
  }
}

/** Incomplete JSON text in place of a value, kept so that no input is lost while typing. */
export class Unfinished {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Value = Scalar | readonly Value[] | ValueObject
export type Scalar = null | boolean | number | string | NumberText | Unfinished
export interface ValueObject {
  readonly [key: string]: Value
}

/** The result of `JSON.parse`. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** The value of a text; `undefined` if it isn't JSON. */
export const jsonIn = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

export const isRecord = (value: unknown): value is ValueObject =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof NumberText) &&
  !(value instanceof Unfinished)

export const isList = (value: unknown): value is readonly Value[] => Array.isArray(value)

/** RFC 8259 section 6. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Parses a number; `undefined` if the text isn't one. */
export const numberOf = (text: string): number | NumberText | undefined => {
  if (!NUMBER.test(text)) return undefined
  const number = Number(text)
  return String(number) === text ? number : new NumberText(text)
}

/** Serializes like `JSON.stringify`, but writes every number as it was written. */
export const stringify = (value: Value, indent = 0): string => {
  const parts: string[] = []
  write(value, parts, '', indent > 0 ? ' '.repeat(indent) : '')
  return parts.join('')
}

const write = (value: Value, parts: string[], margin: string, step: string): void => {
  if (value instanceof NumberText || value instanceof Unfinished) {
    parts.push(value.text)
    return
  }
  if (typeof value !== 'object' || value === null) {
    parts.push(JSON.stringify(value))
    return
  }
  const list = isList(value)
  const keys = list ? undefined : Object.keys(value)
  const length = list ? value.length : keys!.length
  if (length === 0) {
    parts.push(list ? '[]' : '{}')
    return
  }
  const inner = margin + step
  parts.push(list ? '[' : '{')
  for (let at = 0; at < length; at++) {
    if (at > 0) parts.push(',')
    if (step !== '') parts.push('\n', inner)
    if (list) {
      write(value[at]!, parts, inner, step)
    } else {
      const key = keys![at]!
      parts.push(JSON.stringify(key), step === '' ? ':' : ': ')
      write(value[key]!, parts, inner, step)
    }
  }
  if (step !== '') parts.push('\n', margin)
  parts.push(list ? ']' : '}')
}

/** The value as plain JavaScript: numbers lose their notation, unfinished text becomes a string. */
export const plain = (value: Value): Json => {
  if (value instanceof NumberText) return value.number
  if (value instanceof Unfinished) return value.text
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(plain)
  // `fromEntries` defines keys, so that one named `__proto__` stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

/** Whether two values have the same text, ignoring the order of keys. */
export const same = (a: Value | undefined, b: Value | undefined): boolean => {
  if (a === b) return true
  if (a instanceof NumberText) return b instanceof NumberText && a.text === b.text
  if (a instanceof Unfinished) return b instanceof Unfinished && a.text === b.text
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, at) => same(item, b[at]))
  if (!isRecord(a) || !isRecord(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
}

/** Whether the value contains a number in a notation that `JSON.parse` would lose. */
export const hasSpelling = (value: Value | undefined): boolean => {
  if (value instanceof NumberText) return true
  if (isList(value)) return value.some(hasSpelling)
  return isRecord(value) && Object.values(value).some(hasSpelling)
}

/** The first 60 characters of a value's JSON, for a message that names what was found; `nothing` for an absent value. */
export const excerpt = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
