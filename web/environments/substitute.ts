/**
 * Replaces `{{name}}` by the value of a variable, at the last moment before something is sent.
 *
 * The rules, which the README states for users:
 * - Nothing is replaced while no environment defines a variable: `{{` is text like any other.
 * - Otherwise `{{name}}` is a reference. One without a value is an error, and nothing is sent.
 * - `\{{name}}` is the text `{{name}}`. Whatever else stands between braces, such as `{{#each}}`, is text.
 * - Only strings change, and they stay strings. Keys don't change.
 * - A value is inserted as it is, whatever it contains: nothing in it is replaced again.
 */
import { formatPointer, isList, isRecord, type Value } from '../json/index.ts'
import { NAME_SYNTAX, type Environment, type Variable } from './variables.ts'

/** What can be referred to. */
export interface Scope {
  /** Name of the active environment; absent: none is active. */
  readonly environment?: string
  /** Some environment defines a variable, so `{{name}}` is a reference. */
  readonly on: boolean
  /** By name. */
  readonly variables: ReadonlyMap<string, Variable>
}

/** `{{` is text. */
export const NO_VARIABLES: Scope = { on: false, variables: new Map() }

export const scopeOf = (environments: readonly Environment[], active: string | undefined): Scope => {
  const chosen = environments.find(({ id }) => id === active)
  return {
    ...(chosen ? { environment: chosen.name } : {}),
    on: environments.some(({ variables }) => variables.length > 0),
    variables: new Map(chosen?.variables.map((variable) => [variable.name, variable])),
  }
}

export interface Reference {
  /** Of the string in the value (RFC 6901). */
  readonly pointer: string
  readonly name: string
}

/** `unknown`: the active environment doesn't define it. `inactive`: no environment is active. `lost`: a secret without its value. `long`: the values would exceed the limit. */
export interface ReferenceFault extends Reference {
  readonly why: 'unknown' | 'inactive' | 'lost' | 'long'
}

export interface Resolved {
  /** The value to send; meaningless if there are faults. */
  readonly value: Value
  readonly used: readonly (Reference & { readonly variable: Variable })[]
  readonly faults: readonly ReferenceFault[]
}

/** Characters that the values of one message may add: a short text can name a long value thousands of times. */
export const MOST_INSERTED = 4_000_000
/** Strings deeper than this are text: no form shows them. */
const DEEPEST = 500

const REFERENCE = new RegExp(String.raw`(\\?)\{\{(${NAME_SYNTAX})\}\}`, 'g')

/** Never changes its argument, and returns it if nothing in it is replaced. */
export const resolve = (value: Value, scope: Scope): Resolved => {
  const used: (Reference & { readonly variable: Variable })[] = []
  const faults: ReferenceFault[] = []
  let inserted = 0

  const textOf = (text: string, path: readonly (string | number)[]): string => {
    if (!text.includes('{{')) return text
    return text.replace(REFERENCE, (written: string, escape: string, name: string) => {
      if (escape !== '') return written.slice(1)
      const at = { pointer: formatPointer(path), name }
      const variable = scope.variables.get(name)
      if (!variable) faults.push({ ...at, why: scope.environment === undefined ? 'inactive' : 'unknown' })
      else if (variable.secret && variable.value === '') faults.push({ ...at, why: 'lost' })
      else if ((inserted += variable.value.length) > MOST_INSERTED) faults.push({ ...at, why: 'long' })
      else {
        used.push({ ...at, variable })
        return variable.value
      }
      return written
    })
  }

  const walk = (each: Value, path: readonly (string | number)[]): Value => {
    if (typeof each === 'string') return textOf(each, path)
    if (path.length >= DEEPEST) return each
    if (isList(each)) {
      const items = each.map((item, at) => walk(item, [...path, at]))
      return items.some((item, at) => item !== each[at]) ? items : each
    }
    if (!isRecord(each)) return each
    // `fromEntries` defines keys, so that one named `__proto__` stays a key.
    const members = Object.entries(each).map(([key, inner]) => [key, walk(inner, [...path, key])] as const)
    return members.some(([key, inner]) => inner !== each[key]) ? Object.fromEntries(members) : each
  }

  return { value: scope.on ? walk(value, []) : value, used, faults }
}

/** Text that was sent, as it is written to be sent again: what looks like a reference in it isn't one. */
export const escaped = (value: Value, scope: Scope): Value => {
  if (!scope.on) return value
  if (typeof value === 'string') return value.replace(REFERENCE, (written) => `\\${written}`)
  if (isList(value)) return value.map((item) => escaped(item, scope))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, escaped(inner, scope)]))
}

/**
 * The strings with braces in what a server declares, such as defaults and choices. A server must not be able to have a
 * secret inserted by writing its name.
 */
export const bracedIn = (declared: unknown): ReadonlySet<string> => {
  const found = new Set<string>()
  const walk = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      if (value.includes('{{')) found.add(value)
    } else if (typeof value === 'object' && value !== null && depth < DEEPEST)
      for (const inner of Object.values(value)) walk(inner, depth + 1)
  }
  walk(declared, 0)
  return found
}

/** The value as it must be written so that strings of the server are sent as they are. @param foreign from `bracedIn` */
export const withForeign = (value: Value, foreign: ReadonlySet<string>, scope: Scope): Value => {
  if (!scope.on || foreign.size === 0) return value
  if (typeof value === 'string') return foreign.has(value) ? escaped(value, scope) : value
  if (isList(value)) return value.map((item) => withForeign(item, foreign, scope))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withForeign(inner, foreign, scope)]))
}

/** The variables as values of placeholders in a connection, by placeholder text: `{{name}}`. */
export const placeholderValues = (
  { variables }: Scope,
  which: (variable: Variable) => boolean = () => true,
): Readonly<Record<string, string>> => {
  const chosen = [...variables.values()].filter((one) => one.value !== '' && which(one))
  return Object.fromEntries([
    // The URL parser writes hosts in lower case, so `{{HOST}}` arrives as `{{host}}`.
    ...chosen.map(({ name, value }) => [`{{${name.toLowerCase()}}}`, value] as const),
    ...chosen.map(({ name, value }) => [`{{${name}}}`, value] as const),
  ])
}

/** What may be shown in place of a secret. */
export const HIDDEN = '••••'

/** The same variables, but each secret has a value that may be shown. */
export const hidden = (scope: Scope): Scope => ({
  ...scope,
  variables: new Map(
    [...scope.variables].map(([name, one]) => [name, one.secret && one.value !== '' ? { ...one, value: HIDDEN } : one]),
  ),
})

/** The values that are masked wherever they occur. */
export const secretValues = ({ variables }: Scope): readonly string[] =>
  [...variables.values()].filter(({ secret, value }) => secret && value !== '').map(({ value }) => value)
