/** Whether schemas have no value in common, as far as a quick check can tell. */
import { isObject } from '../mcp/index.ts'
import type { Json, JsonObject } from '../mcp/index.ts'
import { own, typesOf, valuesOf, within } from './schema-keywords.ts'

/** Maximum number of schemas to compare in pairs. */
const MOST = 60

/** Also false if undecidable. */
export const exclusive = (schemas: readonly Json[]): boolean =>
  schemas.length <= MOST &&
  schemas.every((one, at) =>
    schemas.slice(at + 1).every((other) => isObject(one) && isObject(other) && apart(one, other)),
  )

const apart = (one: JsonObject, other: JsonObject): boolean => {
  const [types, otherTypes] = [typesOf(one), typesOf(other)]
  if (types && otherTypes && !reach(types, otherTypes) && !reach(otherTypes, types)) return true
  if (noneShared(one, other)) return true
  // Objects are disjoint if a property that both require can't have the same value.
  if (!only(types, 'object') || !only(otherTypes, 'object')) return false
  return needed(one).some((name) => {
    if (!needed(other).includes(name)) return false
    const [mine, theirs] = [propertyOf(one, name), propertyOf(other, name)]
    return mine !== undefined && theirs !== undefined && noneShared(mine, theirs)
  })
}

const reach = (types: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...types].some((type) => within(type, others))

const only = (types: ReadonlySet<string> | undefined, type: string) => types?.size === 1 && types.has(type)

const noneShared = (one: JsonObject, other: JsonObject): boolean => {
  const [mine, theirs] = [valuesOf(one), valuesOf(other)]
  return mine !== undefined && theirs !== undefined && ![...mine].some((value) => theirs.has(value))
}

const needed = ({ required }: JsonObject): readonly Json[] =>
  Array.isArray(required) ? (required as readonly Json[]) : []

const propertyOf = ({ properties }: JsonObject, name: Json): JsonObject | undefined => {
  const schema = isObject(properties) && typeof name === 'string' ? own(properties, name) : undefined
  return isObject(schema) ? schema : undefined
}
