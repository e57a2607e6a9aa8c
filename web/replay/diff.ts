/**
 * Compares two responses, by JSON pointer, and finds the rule that accepts each difference.
 *
 * Array elements are matched by identity, not by position: a tool added at the top is one difference, not fifty.
 */
import { escapeToken, jsonIn } from '../json/index.ts'
import { isObject, nextTask } from '../mcp/index.ts'
import type { Json, JsonObject } from '../mcp/index.ts'
import { fitsMarks, holdsMark } from '../secrets/index.ts'
import { CALIBRATED, isUnsteady } from './calibration.ts'
import { acceptedBy, type Clock, type VolatileRule } from './volatile.ts'

export interface Difference {
  /** Into the recorded response; for an addition, into the new one. */
  readonly pointer: string
  readonly kind: 'changed' | 'added' | 'removed'
  readonly was?: Json
  readonly is?: Json
  /** The rule that makes it irrelevant. */
  readonly accepted?: string
}

export interface Diff {
  readonly differences: readonly Difference[]
  /** The number of relevant differences. */
  readonly counting: number
  /** There are more than are listed. */
  readonly more: boolean
}

/** Differences listed. */
const MOST = 1000
/** Nesting levels compared in detail; anything deeper counts as changed or unchanged. */
const DEEPEST = 200
/** Comparisons between two pauses. */
const SLICE = 5000

export interface DiffOptions {
  readonly rules: readonly VolatileRule[]
  /** The method that the responses belong to. */
  readonly method: string
  readonly clock?: Clock | undefined
  /** Further responses to the same request: where they differ from the new one, a difference is irrelevant. */
  readonly repeated?: readonly Json[]
}

/** Never throws, whatever the values are. */
export const diffOf = async (was: Json | undefined, is: Json | undefined, options: DiffOptions): Promise<Diff> => {
  const differences: Difference[] = []
  let more = false
  let work = 0
  for (const found of new Comparison(options).compare(was, is, options.repeated ?? [], '', 0)) {
    if (found) {
      if (differences.length < MOST) differences.push(found)
      else {
        more = true
        break
      }
    }
    if (++work % SLICE === 0) await nextTask()
  }
  return { differences, counting: differences.filter(({ accepted }) => accepted === undefined).length, more }
}

/** `undefined` between differences, so that the caller can pause. */
type Comparisons = Generator<Difference | undefined>
type Repeated = readonly (Json | undefined)[]

class Comparison {
  readonly #options: DiffOptions

  constructor(options: DiffOptions) {
    this.#options = options
  }

  /** @param again the values at the same place in the repeated responses */
  *compare(was: Json | undefined, is: Json | undefined, again: Repeated, pointer: string, depth: number): Comparisons {
    if (was === is) return void (yield undefined)
    if (typeof was === 'string' && holdsMark(was)) return void (yield* this.#redacted(was, is, again, pointer, depth))
    if (depth < DEEPEST) {
      if (isObject(was) && isObject(is)) return void (yield* this.#objects(was, is, again, pointer, depth))
      if (Array.isArray(was) && Array.isArray(is)) {
        return void (yield* this.#lists(was as readonly Json[], is as readonly Json[], again, pointer, depth))
      }
    } else if (JSON.stringify(was) === JSON.stringify(is)) return
    yield this.#difference(was, is, again, pointer)
  }

  /** Nobody knows what was removed, so anything may stand in its place. */
  *#redacted(was: string, is: Json | undefined, again: Repeated, pointer: string, depth: number): Comparisons {
    if (is !== undefined && fitsMarks(was, typeof is === 'string' ? is : JSON.stringify(is)))
      return void (yield undefined)
    // A JSON text is written anew when something in it is removed.
    const [before, now] = [jsonIn(was), typeof is === 'string' ? jsonIn(is) : undefined]
    if (typeof before === 'object' && before !== null && now !== undefined && depth < DEEPEST) {
      const others = again.map((one) => (typeof one === 'string' ? jsonIn(one) : undefined))
      return void (yield* this.compare(before, now, others, pointer, depth + 1))
    }
    yield this.#difference(was, is, again, pointer)
  }

  #difference(was: Json | undefined, is: Json | undefined, again: Repeated, pointer: string): Difference {
    const { rules, method, clock } = this.#options
    const rule = acceptedBy(rules, method, pointer, was, is, clock)?.id
    const accepted = rule ?? (isUnsteady(was, is, again) ? CALIBRATED : undefined)
    const kind = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'
    return { pointer, kind, was, is, ...(accepted === undefined ? {} : { accepted }) }
  }

  *#objects(was: JsonObject, is: JsonObject, again: Repeated, pointer: string, depth: number): Comparisons {
    for (const key of Object.keys(was)) {
      const at = `${pointer}/${escapeToken(key)}`
      yield* this.compare(was[key], memberOf(is, key), membersOf(again, key), at, depth + 1)
    }
    for (const key of Object.keys(is)) {
      if (!Object.hasOwn(was, key))
        yield this.#difference(undefined, is[key], membersOf(again, key), `${pointer}/${escapeToken(key)}`)
    }
  }

  *#lists(was: readonly Json[], is: readonly Json[], again: Repeated, pointer: string, depth: number): Comparisons {
    const [before, after] = [keyed(was), keyed(is)]
    if (before && after) {
      const others = again.map((one) => (Array.isArray(one) ? (one as readonly Json[]) : []))
      const keys = others.map(keyed)
      const itemsOf = (key: string) => others.map((other, index) => other[keys[index]?.get(key) ?? -1])
      for (const [key, at] of before) {
        const now = after.get(key)
        const item = now === undefined ? undefined : is[now]
        yield* this.compare(was[at], item, itemsOf(key), `${pointer}/${at}`, depth + 1)
      }
      for (const [key, at] of after) {
        if (!before.has(key)) yield this.#difference(undefined, is[at], itemsOf(key), `${pointer}/${at}`)
      }
      return
    }
    for (let at = 0; at < Math.max(was.length, is.length); at++) {
      const items = again.map((one) => (Array.isArray(one) ? (one as readonly Json[])[at] : undefined))
      yield* this.compare(was[at], is[at], items, `${pointer}/${at}`, depth + 1)
    }
  }
}

const memberOf = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

const membersOf = (values: Repeated, key: string): Repeated => values.map((value) => memberOf(value, key))

/** Members that identify the items of the protocol's lists. */
const NAMES = ['name', 'uri', 'uriTemplate', 'id', 'taskId'] as const

const keyed = (list: readonly Json[]): ReadonlyMap<string, number> | undefined => {
  for (const name of NAMES) {
    const keys = new Map<string, number>()
    for (const [at, item] of list.entries()) {
      const key = isObject(item) ? item[name] : undefined
      if (typeof key !== 'string' || keys.has(key)) break
      keys.set(key, at)
    }
    if (list.length > 0 && keys.size === list.length) return keys
  }
  return undefined
}
