/**
 * The formats a form supports (2020-12 Validation, section 7.3; `contentEncoding`, section 8.3;
 * OpenAPI's `byte` and `binary`): input aids, and a check for text that is clearly wrong.
 */
import type { JsonObject } from './json-schema.ts'

/** An input aid: a browser picker, a new UUID or a file. */
export type Aid = 'date' | 'time' | 'date-time' | 'uuid' | 'file'

const FILES = new Set(['byte', 'binary', 'base64', 'base64url', 'data-url', 'data-uri', 'file'])
const ENCODINGS = new Set(['base64', 'base64url'])

export const aidOf = ({ format, contentEncoding: encoding }: JsonObject): Aid | undefined => {
  if (typeof encoding === 'string' && ENCODINGS.has(encoding.toLowerCase())) return 'file'
  if (typeof format !== 'string') return undefined
  if (FILES.has(format)) return 'file'
  return format === 'date' || format === 'time' || format === 'date-time' || format === 'uuid' ? format : undefined
}

/** The virtual keyboard of a format. */
export const keyboardOf = ({ format }: JsonObject): 'email' | 'url' | undefined =>
  format === 'email' || format === 'idn-email'
    ? 'email'
    : format === 'uri' || format === 'iri' || format === 'uri-reference'
      ? 'url'
      : undefined

const DATE = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i
const SHAPES: Readonly<Record<string, RegExp>> = {
  date: DATE,
  time: TIME,
  'date-time': /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[a-z][a-z\d+.-]*:\S*$/i,
}

/** Only reports clear mismatches; unknown formats always pass. The expressions hardly backtrack. */
export const wrongFormat = (format: string, text: string): boolean =>
  Object.hasOwn(SHAPES, format) && text.length <= 1000 && !SHAPES[format]!.test(text)

/** `+02:00` for -120, the value of `Date.getTimezoneOffset`. */
const offsetText = (minutes: number): string => {
  if (minutes === 0) return 'Z'
  const size = Math.abs(minutes)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${minutes < 0 ? '+' : '-'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/**
 * A browser picker's value in RFC 3339 format, with seconds and the local offset.
 * @param picked `2026-07-28`, `09:30`, `2026-07-28T09:30`
 * @param offset minutes, as returned by `Date.getTimezoneOffset` for that time
 */
export const pickedText = (aid: Aid, picked: string, offset: number): string => {
  if (aid === 'date' || picked === '') return picked
  const seconds = /\d\d:\d\d:\d\d/.test(picked) ? '' : ':00'
  return `${picked}${seconds}${offsetText(offset)}`
}

/** The text as a browser picker's value; empty if the picker can't show it. */
export const pickerText = (aid: Aid, text: string): string => {
  if (aid === 'date') return DATE.test(text) ? text : ''
  if (aid === 'time') return TIME.test(text) ? text.slice(0, 8) : ''
  return SHAPES['date-time']!.test(text) ? text.slice(0, 19).replace(/[ t]/, 'T') : ''
}

/** A file's content as the string the schema requires. @param dataUrl from `FileReader` */
export const fileText = ({ format, contentEncoding: encoding }: JsonObject, dataUrl: string): string => {
  if (encoding === undefined && (format === 'data-url' || format === 'data-uri')) return dataUrl
  const base64 = dataUrl.slice(dataUrl.indexOf(',') + 1)
  return encoding === 'base64url' || (encoding === undefined && format === 'base64url')
    ? base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
    : base64
}
