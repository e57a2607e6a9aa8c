/**
 * What binds an object as it is now: `if` with its `then` or `else`, `dependentSchemas` and draft 7's `dependencies` of
 * the keys that are there (2020-12 Core, sections 10.2.2.1 to 10.2.2.4).
 */
import { isRecord, type Value } from '../json/index.ts'
import { fits } from './distance.ts'
import { isObject, listOf, namesOf, without, type JsonObject } from './json-schema.ts'
import { conditionsIn } from './kind.ts'
import type { Schemas } from './schemas.ts'

export interface Effective {
  /** The same for all values that come to the same schema. */
  readonly key: string
  readonly schema: unknown
}

const CONDITIONAL = ['if', 'then', 'else', 'dependentSchemas'] as const

/** `undefined`: nothing depends on the value. */
export const effectiveOf = (schema: JsonObject, value: Value | undefined, schemas: Schemas): Effective | undefined => {
  const conditions = conditionsIn(schema)
  const dependent = [schema['dependentSchemas'], schema['dependencies']].flatMap((map) =>
    isObject(map) ? Object.entries(map).filter(([, inner]) => !Array.isArray(inner)) : [],
  )
  if (conditions.length === 0 && dependent.length === 0) return undefined
  const parts: unknown[] = []
  let key = ''
  for (const { test, then, else: otherwise } of conditions) {
    const met = fits(test, value ?? {}, schemas)
    const part = met ? then : otherwise
    key += met ? 't' : 'e'
    if (isObject(part)) parts.push(part)
  }
  for (const [name, part] of dependent) {
    const there = isRecord(value) && Object.hasOwn(value, name)
    key += there ? '1' : '0'
    if (there && isObject(part)) parts.push(part)
  }
  const plain = without(schema, ...CONDITIONAL)
  const members = listOf(plain['allOf']).filter((member) => !(isObject(member) && 'if' in member))
  const { allOf: _, ...rest } = plain
  return { key, schema: { ...rest, allOf: [...members, ...parts, titleOf(rest)] } }
}

/** What is shown of the whole is not taken from a part. */
const titleOf = ({ title, description }: JsonObject): JsonObject => ({
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
})

/** Keys that are required because others are there. */
export const dependentKeys = (schema: JsonObject, value: Value | undefined): readonly string[] => {
  if (!isRecord(value)) return []
  return [schema['dependentRequired'], schema['dependencies']].flatMap((map) =>
    isObject(map)
      ? Object.entries(map).flatMap(([key, names]) => (Object.hasOwn(value, key) ? namesOf(names) : []))
      : [],
  )
}
