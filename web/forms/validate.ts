/**
 * Validates a value against a server's JSON Schema with @cfworker/json-schema. Its weak spot, `$dynamicRef`, is left
 * out and noted. Schemas and patterns can be crafted to run for years, so call this only where the run can be
 * terminated (JS-08), as `TimedValidator` does.
 */
import { dereference, validate as run, type Schema } from '@cfworker/json-schema'
import { resolvePointer, type Json, type Value } from '../json/index.ts'
import { type Dialect, dialectOf } from './json-schema.ts'
import {
  type Note,
  type Problem,
  problemWith,
  type Unchecked,
  uncheckedVerdict,
  unfinishedAt,
  type Verdict,
} from './verdict.ts'
import {
  type Instance,
  instanceOf,
  measure,
  type ValidationRequest,
  type ValidationResult,
} from './timed-validation.ts'
import { isSchema, matchPattern } from './json-schema.ts'
import { Patterns, prepare, Stopped, type Mutable, type Prepared, type PrepareOptions } from './prepare.ts'
import { problemsOf } from './problems.ts'

/** Maximum number of items compared pairwise for `uniqueItems`. */
const MOST_UNIQUE = 1000
/** Maximum characters of a string that the validator's own format expressions run on. */
const LONGEST_FORMATTED = 4000
/** Maximum number of problems returned for a value received as text. */
const MOST_PROBLEMS = 100
/** A value received as text may have this many times as many parts as an edited one. */
const TEXT_SCALE = 20

export interface ValidateOptions {
  /** The value may have this many times as many parts as an edited one. Default 1. */
  readonly scale?: number
  /** Stop at the first violation: a large value may have more violations than the validator can hold. */
  readonly first?: boolean
  /** Patterns that aren't checked, only noted. */
  readonly skip?: readonly string[]
  /** Called with each pattern before it is matched. */
  readonly onmatch?: (pattern: string) => void
}

/** Handles a request of a `TimedValidator`. Never throws. @param onmatch called before each pattern is matched */
export const respond = (request: ValidationRequest, onmatch: (pattern: string) => void): ValidationResult => {
  const options = { skip: request.skip, onmatch }
  switch (request.kind) {
    case 'value':
      return { kind: 'value', verdict: check(request.schema, request.instance, options) }
    case 'text':
      return checkText(request, options)
    case 'patterns':
      return {
        kind: 'patterns',
        matches: request.pairs.map(([pattern, text]) => {
          if (request.skip.includes(pattern)) return undefined
          onmatch(pattern)
          return matchPattern(pattern, text)
        }),
      }
  }
}

const checkText = (
  { schema, text, pointer }: Extract<ValidationRequest, { kind: 'text' }>,
  options: ValidateOptions,
): ValidationResult => {
  const value = resolvePointer(JSON.parse(text) as Json, pointer)
  const all = validate(schema, value, { ...options, scale: TEXT_SCALE })
  // The validator can't hold tens of thousands of violations. In that case, report only the first.
  const one =
    all.unchecked?.code === 'size' ? validate(schema, value, { ...options, scale: TEXT_SCALE, first: true }) : undefined
  const more = one?.state === 'invalid'
  const verdict = more ? one : all
  const errors = verdict.problems.filter(({ severity }) => severity === 'error')
  const problems = (errors.length > 0 ? errors : verdict.problems).slice(0, MOST_PROBLEMS)
  return { kind: 'text', verdict: { ...verdict, problems }, total: errors.length, more }
}

/** Never throws, whatever the schema and the value contain. */
export const validate = (schema: unknown, value: Value | undefined, options: ValidateOptions = {}): Verdict =>
  check(schema, instanceOf(value, options.scale), options)

const check = (schema: unknown, instance: Instance, options: ValidateOptions): Verdict => {
  const { unfinished } = instance
  try {
    if (!isSchema(schema))
      throw new Stopped('schema', schema === undefined ? 'there is none' : 'neither object nor boolean')
    const dialect = dialectOf(schema)
    if (!dialect) {
      const declared = (schema as Mutable)['$schema']
      throw new Stopped('dialect', typeof declared === 'string' ? declared : JSON.stringify(declared))
    }
    const { problems: found, notes, unresolved } = judge(schema, dialect, instance, options)
    // Schema violations of text that isn't valid JSON would be misleading.
    const others = found.filter(({ pointer }) => !unfinished.includes(pointer))
    const problems = [...unfinished.map(unfinishedAt), ...others.map(problemWith)]
    const bad = problems.some(({ severity }) => severity === 'error')
    const unchecked = unresolved && uncheckedVerdict(schema, [], reasonOf(unresolved)).unchecked
    const verdict = { dialect, problems, notes, ...(unchecked ? { unchecked } : {}) }
    return { state: bad ? 'invalid' : unchecked ? 'unchecked' : 'valid', ...verdict }
  } catch (error) {
    return uncheckedVerdict(schema, unfinished, reasonOf(error))
  }
}

interface Judged {
  readonly problems: readonly Omit<Problem, 'message'>[]
  readonly notes: readonly Note[]
  readonly unresolved?: Stopped | undefined
}

const judge = (
  schema: unknown,
  dialect: Dialect,
  { value, tooLarge }: Instance,
  { first = false, skip = [], onmatch = () => {} }: ValidateOptions,
): Judged => {
  if (tooLarge) throw new Stopped('size')
  if (value === undefined) return { problems: [], notes: [] }
  const { strings, longest, widest } = measure(value)
  const patterns = new Patterns(strings, new Set(skip), onmatch)
  const options: PrepareOptions = { formats: false, patterns, ids: true, unique: widest <= MOST_UNIQUE }
  const { prepared, unresolved, problems } = runOn(schema, dialect, value, options, first)
  if (!prepared.hasFormat || longest > LONGEST_FORMATTED) return { problems, notes: prepared.notes, unresolved }
  // Run separately, because a wrong format must not affect the result of an `anyOf`.
  const withFormats = runOn(schema, dialect, value, { ...options, formats: true }, first)
  const formats = withFormats.problems
    .filter(({ keyword }) => keyword === 'format')
    .map((each) => ({ ...each, severity: 'warning' as const }))
  return { problems: [...problems, ...formats], notes: prepared.notes, unresolved }
}

/** @throws {RangeError} the schema references itself endlessly */
const runOn = (schema: unknown, dialect: Dialect, value: Json, options: PrepareOptions, first: boolean) => {
  let prepared: Prepared
  let known: Record<string, Schema | boolean>
  try {
    prepared = prepare(schema, options)
    known = dereference(prepared.schema)
  } catch (error) {
    if (error instanceof Stopped) throw error
    // An `$id` isn't a URL or occurs twice. Without ids, all local references still work.
    prepared = prepare(schema, { ...options, ids: false })
    known = dereference(prepared.schema)
  }
  const unresolved = cutReferences(prepared.nodes, known)
  // Draft 4 differs from draft 7 in its boolean limits, which have been rewritten.
  const draft = dialect.startsWith('draft') ? '7' : (dialect as '2020-12' | '2019-09')
  try {
    const { errors } = run(value, prepared.schema, draft, known, first)
    return { prepared, unresolved, problems: problemsOf(errors, prepared, known, value) }
  } catch (error) {
    // More violations than fit into one array also cause a RangeError.
    throw error instanceof RangeError && !isEndless(prepared.schema, known) ? new Stopped('size') : error
  }
}

/** Keywords whose schemas apply to the same place in the value. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies']

/** Whether a schema references itself without descending into the value. */
const isEndless = (root: Mutable | boolean, known: Record<string, unknown>): boolean => {
  const open = new Set<unknown>()
  const done = new Set<unknown>()
  const visit = (schema: unknown): boolean => {
    if (typeof schema !== 'object' || schema === null || done.has(schema)) return false
    if (open.has(schema)) return true
    open.add(schema)
    const node = schema as Mutable
    const next = IN_PLACE.flatMap((keyword): unknown[] => {
      const inner = node[keyword]
      return keyword.startsWith('dependen') ? Object.values(inner ?? {}) : Array.isArray(inner) ? inner : [inner]
    })
    for (const keyword of ['ref', 'recursive_ref']) next.push(known[node[`__absolute_${keyword}__`] as string])
    next.push(known[node['$ref'] as string])
    if (next.some(visit)) return true
    open.delete(schema)
    done.add(schema)
    return false
  }
  const nested = (schema: unknown): boolean =>
    visit(schema) || (typeof schema === 'object' && schema !== null && Object.values(schema).some(nested))
  return nested(root)
}

/** Removes unresolvable references, at which the validator would throw, so that the rest can still be checked. */
const cutReferences = (nodes: readonly Mutable[], known: Record<string, unknown>): Stopped | undefined => {
  let unresolved: Stopped | undefined
  for (const node of nodes) {
    const reference = node['$ref']
    if (
      typeof reference !== 'string' ||
      known[(node['__absolute_ref__'] as string | undefined) ?? reference] !== undefined
    )
      continue
    delete node['$ref']
    unresolved ??= new Stopped(reference.startsWith('#') ? 'unresolved' : 'remote', reference)
  }
  return unresolved
}

const reasonOf = (error: unknown): Omit<Unchecked, 'message'> => {
  if (error instanceof Stopped)
    return { code: error.code, ...(error.detail === undefined ? {} : { detail: error.detail }) }
  // Only a schema that refers to itself without descending into the value overflows the stack.
  if (error instanceof RangeError) return { code: 'recursion' }
  return { code: 'schema', detail: error instanceof Error ? error.message : String(error) }
}
