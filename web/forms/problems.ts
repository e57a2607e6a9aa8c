/**
 * The validator's errors as problems of fields.
 *
 * It reports every level on the way to a fault, and all alternatives that did not fit. A person needs the fault: levels
 * on the way are dropped, and so is what stands below an alternative, unless there is only one that is not null.
 */
import type { OutputUnit } from '@cfworker/json-schema'
import type { Mutable, Prepared } from './prepare.ts'
import type { Problem } from './verdict.ts'

type Bare = Omit<Problem, 'message'>

/** Say only that something below them is wrong. */
const LEVELS = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  '$ref',
  '$recursiveRef',
  'allOf',
  'if',
  'dependentSchemas',
])
/** Say what is wrong; what stands below them are attempts. */
const ALTERNATIVES = new Set(['anyOf', 'oneOf', 'contains', 'minContains', 'maxContains', 'propertyNames'])
/** Problems shown of one value. */
const MOST = 200

export const problemsOf = (
  errors: readonly OutputUnit[],
  { schema, patterns }: Prepared,
  known: Readonly<Record<string, unknown>>,
): Bare[] => {
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
      // `false` is reported without its place in the schema; the level above it knows.
      if (next?.keyword !== 'false') continue
      add({ pointer: pointerFrom(next.instanceLocation), keyword, severity: 'error' })
      at++
      continue
    }
    if (keyword === 'false') {
      if (keywordLocation === '#') add({ pointer, keyword, severity: 'error' })
      continue
    }
    const place = lookAt(schema, keywordLocation, known)
    if (ALTERNATIVES.has(keyword)) {
      const below = keywordLocation.replace(/\/(?:minContains|maxContains)$/, '/contains')
      const only = keyword === 'anyOf' || keyword === 'oneOf' ? onlyRealBranch(place) : -1
      if (only >= 0) {
        const count = (place as unknown[]).length
        for (let branch = 0; branch < count; branch++) if (branch !== only) hidden.push(`${below}/${branch}/`)
        // Fits both: nothing below tells.
        if (next?.keywordLocation.startsWith(`${below}/`)) continue
      } else hidden.push(`${below}/`)
    }
    const missing = keyword === 'required' ? /^[^"]*"([^]*)"\.$/.exec(error)?.[1] : undefined
    const expected = typeof place === 'string' ? (patterns.get(place) ?? place) : place
    add({
      pointer: missing === undefined ? pointer : `${pointer}/${missing.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      keyword,
      severity: 'error',
      ...(expected === undefined ? {} : { expected }),
    })
  }
  return problems
}

/** Index of the only branch that is not `null`; -1 when there is no such one. */
const onlyRealBranch = (branches: unknown): number => {
  if (!Array.isArray(branches)) return -1
  const real = branches.flatMap((branch, at) => ((branch as Mutable | undefined)?.['type'] === 'null' ? [] : [at]))
  return real.length === 1 ? real[0]! : -1
}

/** The validator percent-encodes its pointers as URI fragments. */
const pointerFrom = (location: string): string => decode(location.slice(1))

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What stands in the schema at a location, which goes through references. */
const lookAt = (schema: unknown, location: string, known: Readonly<Record<string, unknown>>): unknown => {
  let place = schema
  for (const step of location.split('/').slice(1)) {
    if (typeof place !== 'object' || place === null) return undefined
    const key = decode(step).replaceAll('~1', '/').replaceAll('~0', '~')
    const node = place as Mutable
    if (key === '$ref' && typeof node['$ref'] === 'string') {
      place = known[(node['__absolute_ref__'] as string | undefined) ?? node['$ref']]
    } else place = Object.hasOwn(place, key) ? node[key] : undefined
  }
  return place
}
