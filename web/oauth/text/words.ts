/** Helpers for catalogue sentences: marked values from the wire, and which server was asked. */
import type { AuthStep, Json, JsonObject } from '../../mcp/index.ts'
import { visible } from '../../ui/index.ts'
import type { FaultCode } from '../model/index.ts'

const OPEN = '\ue000'
const CLOSE = '\ue001'

/** Marks a value within a sentence, so that `spans` can find it. A value can't fake its end mark. */
export const marked = (value: string): string => `${OPEN}${visible(value)}${CLOSE}`

export interface Span {
  readonly text: string
  /** A value from the wire rather than our own words. */
  readonly value: boolean
}

export const spans = (sentence: string): readonly Span[] =>
  sentence
    .split(/(\ue000[^\ue000\ue001]*\ue001)/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(OPEN) ? { text: part.slice(1, -1), value: true } : { text: part, value: false }))

/** A named value from the wire within a sentence; '' if there is none. */
export interface Values {
  (name: string): string
  /** The raw value, for decisions only; never show it. */
  raw(name: string): Json | undefined
  /** A word from a fixed list; '' if the value isn't a string. */
  code(name: string): string
}

export type Sentence = (of: Values) => string
export type FaultSentence = (of: Values, step: AuthStep) => string

/**
 * What happened; `:why`: what it means and what to do; `:server`: what the server's authors can change, if anything.
 */
export type FaultKey = FaultCode | `${FaultCode}:why`
export type FaultTexts = Readonly<
  Record<FaultKey, FaultSentence> & Partial<Record<`${FaultCode}:server`, FaultSentence>>
>

const stringOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** The table's own entry, ignoring inherited properties. */
export const pick = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** A time in ms since the epoch, formatted; '' if it isn't valid. */
export const moment = (at: Json | undefined): string =>
  typeof at === 'number' && Math.abs(at) <= 8.64e15 ? marked(new Date(at).toISOString().replace('.000', '')) : ''

/** An array of strings as a list, because brackets and quotes don't belong in a sentence. */
const textOf = (value: Json): string => {
  if (typeof value === 'string') return value
  const isList = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
  return isList ? value.join(', ') : JSON.stringify(value)
}

/** @param used called with the name of each value that the sentence mentions */
export const valuesOf = (values: JsonObject | undefined, used?: (name: string) => void): Values => {
  const raw = (name: string) => {
    used?.(name)
    return values && Object.hasOwn(values, name) ? values[name] : undefined
  }
  return Object.assign(
    (name: string) => {
      const value = raw(name)
      return value === undefined || value === null || value === '' ? '' : marked(textOf(value))
    },
    { raw, code: (name: string) => stringOf(raw(name)) },
  )
}
