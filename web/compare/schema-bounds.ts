/** Compares the bounds of two JSON Schemas: numbers, lengths and counts. */
import type { Json, JsonObject } from '../mcp/index.ts'

/** `other`: neither narrower nor wider, or undecidable. */
export type Direction = 'narrowed' | 'widened' | 'other'

interface Moved {
  /** The keyword whose value changed. */
  readonly keyword: string
  readonly low?: Direction
  readonly high?: Direction
}

interface Limit {
  readonly at: number
  readonly open: boolean
}

const LENGTHS = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const

/** The bounds that differ. */
export const boundsOf = (was: JsonObject, is: JsonObject): readonly Moved[] => {
  const moved: Moved[] = []
  const low = moveOf(lowest(was), lowest(is), 1)
  if (low) moved.push({ keyword: named(was, is, 'minimum', 'exclusiveMinimum'), low })
  const high = moveOf(highest(was), highest(is), -1)
  if (high) moved.push({ keyword: named(was, is, 'maximum', 'exclusiveMaximum'), high })
  for (const [min, max] of LENGTHS) {
    // A minimum of 0 isn't a constraint: no length is below 0.
    const least = moveOf(limit(was[min], 0), limit(is[min], 0), 1)
    if (least) moved.push({ keyword: min, low: least })
    const most = moveOf(limit(was[max]), limit(is[max]), -1)
    if (most) moved.push({ keyword: max, high: most })
  }
  const step = stepOf(was.multipleOf, is.multipleOf)
  if (step) moved.push({ keyword: 'multipleOf', low: step })
  return moved
}

export const directionOfBounds = (low: Direction | undefined, high: Direction | undefined): Direction | undefined =>
  low === undefined || high === undefined || low === high ? (low ?? high) : 'other'

const named = (was: JsonObject, is: JsonObject, plain: string, open: string): string =>
  plain in is || (plain in was && !(open in is)) ? plain : open

const limit = (value: Json | undefined, none?: number): Limit | undefined =>
  typeof value === 'number' && value !== none ? { at: value, open: false } : undefined

/** In draft 4, `exclusiveMinimum: true` makes `minimum` exclusive. */
const lowest = ({ minimum, exclusiveMinimum }: JsonObject): Limit | undefined =>
  stricter(
    typeof minimum === 'number' ? { at: minimum, open: exclusiveMinimum === true } : undefined,
    typeof exclusiveMinimum === 'number' ? { at: exclusiveMinimum, open: true } : undefined,
    1,
  )

const highest = ({ maximum, exclusiveMaximum }: JsonObject): Limit | undefined =>
  stricter(
    typeof maximum === 'number' ? { at: maximum, open: exclusiveMaximum === true } : undefined,
    typeof exclusiveMaximum === 'number' ? { at: exclusiveMaximum, open: true } : undefined,
    -1,
  )

/** Above 0: `one` is stricter. @param sign 1 for lower bounds, -1 for upper bounds */
const order = (one: Limit, other: Limit, sign: 1 | -1): number =>
  one.at === other.at ? Number(one.open) - Number(other.open) : sign * (one.at - other.at)

const stricter = (one: Limit | undefined, other: Limit | undefined, sign: 1 | -1): Limit | undefined =>
  one && other ? (order(one, other, sign) >= 0 ? one : other) : (one ?? other)

const moveOf = (was: Limit | undefined, is: Limit | undefined, sign: 1 | -1): Direction | undefined => {
  if (!was || !is) return is ? 'narrowed' : was ? 'widened' : undefined
  const by = order(is, was, sign)
  return by > 0 ? 'narrowed' : by < 0 ? 'widened' : undefined
}

const stepOf = (was: Json | undefined, is: Json | undefined): Direction | undefined => {
  const [before, after] = [was, is].map((each) => (typeof each === 'number' && each > 0 ? each : undefined))
  if (before === undefined || after === undefined)
    return after === undefined ? (before === undefined ? undefined : 'widened') : 'narrowed'
  if (before === after) return undefined
  // With fractions, the result is undecidable.
  if (!Number.isInteger(before) || !Number.isInteger(after)) return 'other'
  return before % after === 0 ? 'widened' : after % before === 0 ? 'narrowed' : 'other'
}
