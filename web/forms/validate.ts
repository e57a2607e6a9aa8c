/**
 * Checks a value against a JSON Schema of a server, within bounds of size and time (JS-08): a hostile schema costs at
 * most the limit, and what cannot be decided says so.
 *
 * The validator (@cfworker/json-schema) loads with the first check. Its weak spot is `$dynamicRef`, which is left out
 * and noted.
 */
import type { Schema } from '@cfworker/json-schema'
import { isList, isRecord, plain, type Json, type Value } from '../json/index.ts'
import { explain, explainUnchecked } from './explain.ts'
import { prepare, Stopped, type Mutable, type Prepared, type Wishes } from './prepare.ts'
import { problemsOf } from './problems.ts'
import { isSchema } from './json-schema.ts'
import en from './text/en.ts'
import { unfinishedIn } from './value.ts'
import type { Dialect, Note, Problem, Unchecked, Verdict } from './verdict.ts'

type Library = typeof import('@cfworker/json-schema')

/** ms of the main thread at a stretch. A check of an honest schema takes one or two. */
const LIMIT = 40
/** A machine may be busy, and the validator not yet compiled: what took too long is tried again. */
const ATTEMPTS = 3
const MOST_VALUES = 100_000
/** Visits of schemas in one check. */
const MOST_VISITS = 400_000
/** A schema that leads back to itself overflows the stack in fewer visits; after more, it was the list of errors. */
const DEEPEST_VISIT = 30_000
const DEEPEST_VALUE = 400
/** Items compared pair by pair. */
const MOST_UNIQUE = 1000
/** Characters of a string that the validator's own expressions for formats are run on. */
const LONGEST_FORMATTED = 4000

export interface CheckOptions {
  /** ms of the main thread at a stretch. Default 40. */
  readonly limit?: number
  /** How often a check that took too long is tried. Default 3. */
  readonly attempts?: number
  /** The value may be this many times as large as one on the main thread. Default 1; for workers. */
  readonly scale?: number
  /** Stop at the first breach: a large value may have more of them than the validator can hold. */
  readonly first?: boolean
}

/** Never rejects for what schema or value hold. */
export const validate = async (
  schema: unknown,
  value: Value | undefined,
  options: CheckOptions = {},
): Promise<Verdict> => {
  const library = await import('@cfworker/json-schema')
  let verdict = check(library, schema, value, options)
  for (let attempt = 1; attempt < (options.attempts ?? ATTEMPTS) && verdict.unchecked?.code === 'time'; attempt++) {
    // The page has its turn in between.
    await new Promise((resolve) => setTimeout(resolve))
    verdict = check(library, schema, value, options)
  }
  return verdict
}

/** The same with the library at hand. */
const check = (library: Library, schema: unknown, value: Value | undefined, options: CheckOptions = {}): Verdict => {
  const declared = isSchema(schema) && typeof schema !== 'boolean' ? schema['$schema'] : undefined
  const dialect = dialectOf(declared)
  const unfinished = unfinishedIn(value).map((pointer) => problem({ pointer, keyword: 'json', severity: 'error' }))
  try {
    if (!isSchema(schema))
      throw new Stopped('schema', schema === undefined ? 'there is none' : 'neither object nor boolean')
    if (!dialect) throw new Stopped('dialect', typeof declared === 'string' ? declared : JSON.stringify(declared))
    const judged = judge(library, schema, dialect, value, options)
    // What is said about text that is no JSON would mislead.
    const others = judged.problems.filter(({ pointer }) => !unfinished.some((known) => known.pointer === pointer))
    const problems = [...unfinished, ...others].map(problem)
    const bad = problems.some(({ severity }) => severity === 'error')
    const { notes, unchecked } = judged
    const verdict = { dialect, problems, notes, ...(unchecked ? { unchecked } : {}) }
    return { state: bad ? 'invalid' : unchecked ? 'unchecked' : 'valid', ...verdict }
  } catch (error) {
    const unchecked = uncheckedBy(error)
    return {
      state: unfinished.length > 0 ? 'invalid' : 'unchecked',
      dialect,
      problems: unfinished,
      unchecked,
      notes: [],
    }
  }
}

/** @returns the dialect a `$schema` names; `undefined` for one that cannot be checked (JS-02) */
export const dialectOf = (declared: unknown): Dialect | undefined => {
  if (declared === undefined) return '2020-12'
  if (typeof declared !== 'string') return undefined
  const found = /^https?:\/\/json-schema\.org\/(?:draft\/(2020-12|2019-09)|(draft-0[467]))\/schema#?$/.exec(declared)
  return (found?.[1] ?? found?.[2]) as Dialect | undefined
}

interface Judged {
  readonly problems: readonly Omit<Problem, 'message'>[]
  readonly notes: readonly Note[]
  readonly unchecked?: Unchecked
}

const judge = (
  library: Library,
  schema: unknown,
  dialect: Dialect,
  value: Value | undefined,
  { limit = LIMIT, scale = 1, first: stopAtFirst = false }: CheckOptions,
): Judged => {
  const deadline = performance.now() + limit
  let ticks = 0
  const tick = () => {
    if (++ticks > scale * MOST_VISITS || ((ticks & 31) === 0 && performance.now() > deadline)) throw new Stopped('time')
  }
  const guarded = (wishes: Wishes) => {
    try {
      return validated(library, schema, dialect, plain(value ?? null), wishes, stopAtFirst)
    } catch (error) {
      throw error instanceof RangeError && ticks > DEEPEST_VISIT ? new Stopped('size') : error
    }
  }
  const instance = measured(value, scale * MOST_VALUES)
  if (value === undefined) return { problems: [], notes: [] }
  const { strings, longest, widest } = instance
  const wishes: Wishes = { formats: false, strings, tick, ids: true, unique: widest <= MOST_UNIQUE }
  const first = guarded(wishes)
  const { prepared, unresolved } = first
  const problems = [...first.problems]
  // Apart, because a wrong format must not decide an `anyOf`.
  if (prepared.hasFormat && longest <= LONGEST_FORMATTED) {
    const again = guarded({ ...wishes, formats: true })
    problems.push(
      ...again.problems
        .filter(({ keyword }) => keyword === 'format')
        .map((each) => ({ ...each, severity: 'warning' as const })),
    )
  }
  const { notes } = prepared
  return { problems, notes, ...(unresolved ? { unchecked: uncheckedBy(unresolved) } : {}) }
}

const validated = (
  library: Library,
  schema: unknown,
  dialect: Dialect,
  value: Json,
  wishes: Wishes,
  first: boolean,
) => {
  let prepared: Prepared
  let known: Record<string, Schema | boolean>
  try {
    prepared = prepare(schema, wishes)
    known = library.dereference(prepared.schema)
  } catch (error) {
    if (error instanceof Stopped) throw error
    // An `$id` that is no URL, or stands twice. Without ids all local references still work.
    prepared = prepare(schema, { ...wishes, ids: false })
    known = library.dereference(prepared.schema)
  }
  const unresolved = cutReferences(prepared.nodes, known)
  // Draft 4 differs from 7 in boolean limits, and those have been rewritten.
  const draft = dialect.startsWith('draft') ? '7' : (dialect as '2020-12' | '2019-09')
  const { errors } = library.validate(value, prepared.schema, draft, known, first)
  return { prepared, unresolved, problems: problemsOf(errors, prepared, known, value) }
}

/** Takes out references to nothing, at which the validator would throw; the rest can still be checked. */
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

/** Every string and key of a value, and how long and wide it is. @throws {Stopped} `size` */
const measured = (value: Value | undefined, most: number) => {
  const strings = new Set<string>()
  let longest = 0
  let widest = 0
  let count = 0
  const walk = (value: Value | undefined, depth: number): void => {
    if (++count > most || depth > DEEPEST_VALUE) throw new Stopped('size')
    if (typeof value === 'string') {
      strings.add(value)
      longest = Math.max(longest, value.length)
    } else if (isList(value)) {
      widest = Math.max(widest, value.length)
      for (const item of value) walk(item, depth + 1)
    } else if (isRecord(value)) {
      for (const [key, inner] of Object.entries(value)) {
        strings.add(key)
        walk(inner, depth + 1)
      }
    }
  }
  walk(value, 0)
  return { strings, longest, widest }
}

const uncheckedBy = (error: unknown): Unchecked => {
  const { code, detail }: Omit<Unchecked, 'message'> =
    error instanceof Stopped
      ? { code: error.code, ...(error.detail === undefined ? {} : { detail: error.detail }) }
      : // What overflows the stack is a schema that leads back to itself without a step into the value.
        error instanceof RangeError
        ? { code: 'recursion' }
        : { code: 'schema', detail: error instanceof Error ? error.message : String(error) }
  const about = { code, ...(detail === undefined ? {} : { detail }) }
  return { ...about, message: explainUnchecked(about, en) }
}

const problem = (about: Omit<Problem, 'message'>): Problem => ({ ...about, message: explain(about, en) })
