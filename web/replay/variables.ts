/**
 * `{{name}}` in the parameters of a step: a value that its user gives, or that was taken from an earlier answer. It makes
 * a recording portable: a token, a folder or an id is another one elsewhere.
 */
import { isObject } from '../mcp/index.ts'
import type { Json } from '../mcp/index.ts'

export type Variables = Readonly<Record<string, Json>>

const VARIABLE = /\{\{\s*([\w.-]{1,64})\s*\}\}/g
const WHOLE = /^\{\{\s*([\w.-]{1,64})\s*\}\}$/
/** Levels of parameters that are looked into. */
const DEEPEST = 200

/** Names used anywhere in a value, each once. */
export const namesIn = (value: Json | undefined, depth = 0): string[] => {
  if (typeof value === 'string') return [...new Set(Array.from(value.matchAll(VARIABLE), ([, name]) => name!))]
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return []
  const parts = Array.isArray(value) ? (value as readonly Json[]) : Object.values(value)
  return [...new Set(parts.flatMap((part) => namesIn(part, depth + 1)))]
}

/**
 * The value with every variable in its place: one that is all of a text becomes its value, of whatever type; within a
 * text, its text. Keys stay as they are.
 * @param missing gets the name of each that is not known; it stays as it is written
 */
export const filled = (value: Json, variables: Variables, missing: Set<string>, depth = 0): Json => {
  if (typeof value === 'string') return inText(value, variables, missing)
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value
  if (Array.isArray(value)) return value.map((part: Json) => filled(part, variables, missing, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, filled(part, variables, missing, depth + 1)]),
  )
}

const inText = (text: string, variables: Variables, missing: Set<string>): Json => {
  const known = (name: string): boolean => {
    if (Object.hasOwn(variables, name)) return true
    missing.add(name)
    return false
  }
  const whole = WHOLE.exec(text)?.[1]
  if (whole !== undefined) return known(whole) ? variables[whole]! : text
  return text.replace(VARIABLE, (written, name: string) => {
    if (!known(name)) return written
    const value = variables[name]!
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}
