/**
 * Turns the validator's errors into problems of fields.
 *
 * The validator reports every level on the way to a violation, and all alternatives that don't match. Only the violation is
 * useful: the levels are dropped, and so are errors below alternatives, except below the one nearest to the value.
 */
import type { OutputUnit } from '@cfworker/json-schema'
import { escapeToken, resolvePointer, unescapeToken, type Json, percentDecoded } from '../json/index.ts'
import { nearestOf, onlyReal } from './distance.ts'
import { keywordSet, matchPattern } from './json-schema.ts'
import type { Mutable, Prepared } from './prepare.ts'
import { Schemas } from './resolve.ts'
import type { Problem } from './verdict.ts'

type Bare = Omit<Problem, 'message'>

/** Keywords whose errors only say that something below is wrong. */
const LEVELS = keywordSet(
  'properties patternProperties additionalProperties unevaluatedProperties items prefixItems additionalItems ' +
    'unevaluatedItems $ref $recursiveRef allOf if dependentSchemas',
)
/** Keywords whose own error counts; the errors below are attempts. */
const ALTERNATIVES = keywordSet('anyOf oneOf contains minContains maxContains propertyNames')
/** Problems of a key are reported at that key, whose name is only in the validator's message. */
const NAMED: Readonly<Record<string, RegExp>> = {
  required: /^[^"]*"([^]*)"\.$/,
  dependentRequired: /^Instance has "[^]*" but does not have "([^]*)"\.$/,
  dependencies: /^Instance has "[^]*" but does not have "([^]*)"\.$/,
  propertyNames: /^Property name "([^]*)" does not match schema\.$/,
}
/** Maximum number of problems for one value. */
const MOST = 200

export const problemsOf = (
  errors: readonly OutputUnit[],
  { schema, patterns }: Prepared,
  known: Readonly<Record<string, unknown>>,
  value: Json,
): Bare[] => {
  const schemas = new Schemas(schema, matchPattern)
  const problems: Bare[] = []
  const hidden: string[] = []
  const seen = new Set<string>()
  const add = (problem: Bare) => {
    const key = `${problem.keyword} ${problem.pointer}`
    if (seen.has(key)) return
    seen.add(key)
    problems.push(problem)
  }

  for (let at = 0; at < errors.length && problems.length < MOST; at++) {
    const { keyword, keywordLocation, instanceLocation, error } = errors[at]!
    if (hidden.some((prefix) => keywordLocation.startsWith(prefix))) continue
    const pointer = pointerFrom(instanceLocation)
    const next = errors[at + 1]
    if (LEVELS.has(keyword)) {
      // `false` is reported without its location in the schema; the level above has it.
      if (next?.keyword !== 'false') continue
      add({ pointer: pointerFrom(next.instanceLocation), keyword, severity: 'error' })
      at++
      continue
    }
    if (keyword === 'false') {
      if (keywordLocation === '#') add({ pointer, keyword, severity: 'error' })
      continue
    }
    // Draft 7: the errors of a dependent schema follow below.
    if (keyword === 'dependencies' && !NAMED[keyword]!.test(error)) continue
    const place = lookAt(schema, keywordLocation, known)
    if (ALTERNATIVES.has(keyword)) {
      const below = keywordLocation.replace(/\/(?:minContains|maxContains)$/, '/contains')
      const only =
        alternatives(keyword) && !/\([1-9]/.test(error) ? meant(place, resolvePointer(value, pointer), schemas) : -1
      if (only >= 0) {
        const count = (place as unknown[]).length
        for (let branch = 0; branch < count; branch++) if (branch !== only) hidden.push(`${below}/${branch}/`)
        // The errors below explain it; if there are none, list the alternatives.
        const told = errors
          .slice(at + 1)
          .some((each) => each.keywordLocation.startsWith(`${below}/${only}/`) && !LEVELS.has(each.keyword))
        if (told) continue
      } else hidden.push(`${below}/`)
    }
    const missing = NAMED[keyword]?.exec(error)?.[1]
    const expected = typeof place === 'string' ? (patterns.get(place) ?? place) : place
    add({
      pointer: missing === undefined ? pointer : `${pointer}/${escapeToken(missing)}`,
      keyword,
      severity: 'error',
      ...(expected === undefined ? {} : { expected }),
    })
  }
  return problems
}

const alternatives = (keyword: string): boolean => keyword === 'anyOf' || keyword === 'oneOf'

/** Index of the alternative nearest to a value; -1 if several are equally near or none is near enough. */
const meant = (branches: unknown, value: Json | undefined, schemas: Schemas): number => {
  if (!Array.isArray(branches) || value === undefined) return -1
  const only = onlyReal(branches)
  return only >= 0 ? only : nearestOf(branches, value, schemas)
}

/** The validator percent-encodes its pointers as URI fragments. */
const pointerFrom = (location: string): string => percentDecoded(location.slice(1))

/** The part of the schema at a location, which may pass through references. */
const lookAt = (schema: unknown, location: string, known: Readonly<Record<string, unknown>>): unknown => {
  let place = schema
  for (const step of location.split('/').slice(1)) {
    if (typeof place !== 'object' || place === null) return undefined
    const key = unescapeToken(percentDecoded(step))
    const node = place as Mutable
    if (key === '$ref' && typeof node['$ref'] === 'string') {
      place = known[(node['__absolute_ref__'] as string | undefined) ?? node['$ref']]
    } else place = Object.hasOwn(place, key) ? node[key] : undefined
  }
  return place
}
