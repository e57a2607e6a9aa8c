/** JSON values as literals of a programming language. */
import { isList, isRecord, type NumberText, stringify, type Value } from '../../json/index.ts'
import { DEEPEST, depthOf } from './request.ts'
import { type Parts, partsOf } from './text.ts'

export interface Notation {
  /** A string, perhaps with variables. */
  text(parts: Parts): string
  key(name: string): string
  number(value: number | NumberText): string
  /** `true`, `false` and `null`. */
  readonly words: readonly [yes: string, no: string, nothing: string]
  /** The opening bracket of an array and of an object. */
  readonly list: readonly [open: string, close: string]
  readonly object: readonly [open: string, close: string]
  readonly step: string
  /** A value that is nested too deeply for a literal, from its JSON. */
  parsed(json: string): string
  /** The members of an object that takes several lines, unless a blank is all there is between key and value. */
  lines?(members: readonly Member[]): readonly string[]
}

export type Member = readonly [key: string, code: string]

/** Longer lists and objects take a line for each of their items. */
const WIDTH = 80

/** @param margin the indentation of the line on which the literal begins @param name of what it is, for its variables */
export const valueCode = (value: Value, notation: Notation, margin = '', name = 'value'): string =>
  depthOf(value) > DEEPEST ? notation.parsed(stringify(value)) : literal(value, notation, margin, name)

const literal = (value: Value, notation: Notation, margin: string, name: string): string => {
  const [yes, no, nothing] = notation.words
  if (value === null) return nothing
  if (typeof value === 'boolean') return value ? yes : no
  if (typeof value === 'string') return notation.text(partsOf(value, name))
  const inner = margin + notation.step
  if (isList(value))
    return bracketed(
      notation.list,
      value.map((each) => literal(each, notation, inner, name)),
      margin,
      inner,
    )
  if (isRecord(value)) {
    const members = Object.entries(value).map(
      ([key, each]) => [notation.key(key), literal(each, notation, inner, key)] as const,
    )
    const items = members.map(([key, code]) => `${key}: ${code}`)
    return bracketed(notation.object, items, margin, inner, notation.lines?.(members))
  }
  return typeof value === 'number' ? notation.number(value) : notation.number(value as NumberText)
}

/**
 * On one line if it is short; otherwise with a comma after each item, which all three languages allow.
 *
 * @param lines the items as they are written in lines of their own
 */
export const bracketed = (
  [open, close]: readonly [string, string],
  items: readonly string[],
  margin: string,
  inner: string,
  lines: readonly string[] = items,
): string => {
  const line = `${open}${items.join(', ')}${close}`
  if (items.length === 0 || (line.length <= WIDTH && !line.includes('\n'))) return line
  return `${open.trimEnd()}\n${lines.map((item) => `${inner}${item},\n`).join('')}${margin}${close.trimStart()}`
}
