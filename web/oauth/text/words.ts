/** What the sentences of the catalogues are made of: values of the wire, marked as such, and who was asked. */
import type { AuthStep, Json, JsonObject } from '../../mcp/index.ts'
import { type FaultCode, marked } from '../model/index.ts'
import type { Say } from '../flow/index.ts'

/** A value of the wire within a sentence, by its name; '' where there is none. */
export interface Values {
  (name: string): string
  /** As it is, for deciding; never for showing. */
  raw(name: string): Json | undefined
  /** A word of a known list; '' where it is no text. */
  code(name: string): string
}

export type Sentence = (of: Values) => string
export type SayTexts = Readonly<Record<Say, Sentence>>
export type FaultSentence = (of: Values, step: AuthStep) => string

/** What happened; `:why` what it means and what to do; `:server` what its authors can change, '' for nothing. */
export type FaultKey = FaultCode | `${FaultCode}:why` | `${FaultCode}:server`
export type FaultTexts = Readonly<Record<FaultKey, FaultSentence>>

const stringOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** Of a table, and nothing that objects have by themselves. */
export const pick = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** ms since the epoch, as a moment; '' where it is none. */
export const moment = (at: Json | undefined): string =>
  typeof at === 'number' && Math.abs(at) <= 8.64e15 ? marked(new Date(at).toISOString().replace('.000', '')) : ''

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** @param used told the name of each value that the sentence tells of */
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
