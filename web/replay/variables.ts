/**
 * `{{name}}` in a step's parameters: a value that the user provides, or that was extracted from an earlier response. It
 * makes a recording portable: tokens, folders and IDs differ elsewhere.
 */
import { isObject } from '../mcp/index.ts'
import type { Json } from '../mcp/index.ts'

export type Variables = Readonly<Record<string, Json>>

const VARIABLE = /\{\{\s*([\w.-]{1,64})\s*\}\}/g
const WHOLE = /^\{\{\s*([\w.-]{1,64})\s*\}\}$/
/** Nesting levels of parameters to search. */
const DEEPEST = 200

/** All names used in a value, without duplicates. */
export const namesIn = (value: Json | undefined, depth = 0): string[] => {
  if (typeof value === 'string') return [...new Set(Array.from(value.matchAll(VARIABLE), ([, name]) => name!))]
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return []
  const parts = Array.isArray(value) ? (value as readonly Json[]) : Object.values(value)
  return [...new Set(parts.flatMap((part) => namesIn(part, depth + 1)))]
}

/**
 * Replaces every variable. If a string consists of a single variable, it becomes the variable's value, of any type;
 * within a longer string, its text. Keys stay unchanged.
 * @param missing receives the name of each unknown variable, which stays as written
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
