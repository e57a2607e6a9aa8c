/** Messages generated from JSON Schemas, and mutants of messages: the same in each run. */
import type { Json, JsonObject } from '../frame.ts'
import { isObject } from '../jsonrpc.ts'
import type { JsonSchema } from './official.case.ts'

export type Dice = () => number

/** Numbers from 0 to 1, always the same for a seed (mulberry32). */
export const dice = (seed: number): Dice => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const pick = <T>(roll: Dice, from: readonly T[]): T => from[Math.floor(roll() * from.length)]!

const TEXTS = [
  '',
  'x',
  'file:///a',
  'object',
  'string',
  'text',
  'complete',
  'input_required',
  '2025-06-18',
  'user',
  '2.0',
]
const NUMBERS = [0, 1, -1, 0.5, 7, 1e300, -32042, -32021]
const VALUES: readonly Json[] = [null, true, false, 'x', 0, -1, 0.5, [], {}, ['x'], [{}], { x: null }, [[]], { x: {} }]

/** A copy, because mutations change what they receive. */
const anything = (roll: Dice): Json => structuredClone<Json>(pick(roll, VALUES))

/** Generates a value that is usually valid for a schema: `optional` is the probability of optional members. */
export const make = (
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  roll: Dice,
  optional: number,
  depth = 0,
): Json => {
  const sub = (child: JsonSchema) => make(child, definitions, roll, optional, depth + 1)
  if (schema.$ref !== undefined) return sub(definitions[schema.$ref.replace(/.*\//, '')]!)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return pick(roll, schema.enum)
  if (schema.anyOf) return sub(pick(roll, schema.anyOf))
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(sub)) as JsonObject
  const type = typeof schema.type === 'string' ? schema.type : schema.type && pick(roll, schema.type)
  switch (type ?? (schema.properties && 'object')) {
    case 'string':
      return pick(roll, TEXTS)
    case 'boolean':
      return roll() < 0.5
    case 'null':
      return null
    case 'integer':
    case 'number': {
      const fits = NUMBERS.filter(
        (number) =>
          number >= (schema.minimum ?? -Infinity) &&
          number <= (schema.maximum ?? Infinity) &&
          (type === 'number' || Number.isInteger(number)),
      )
      return pick(roll, fits)
    }
    case 'array':
      return Array.from({ length: depth > 12 ? 0 : Math.floor(roll() * 3) }, () => sub(schema.items ?? {}))
    case 'object': {
      const made: Record<string, Json> = {}
      for (const [key, child] of Object.entries(schema.properties ?? {})) {
        if (schema.required?.includes(key) || roll() < optional) made[key] = sub(child)
      }
      const more = schema.additionalProperties
      if (typeof more === 'object' && Object.keys(schema.properties ?? {}).length === 0) {
        for (let left = Math.floor(roll() * 3); left > 0; left--) made[`key${left}`] = sub(more)
      }
      return made
    }
    default:
      return anything(roll)
  }
}

interface Place {
  readonly holder: Json[] | Record<string, Json>
  readonly key: string | number
}

const places = (value: Json, found: Place[] = []): Place[] => {
  if (typeof value !== 'object' || value === null) return found
  for (const key of Object.keys(value)) {
    const holder = value as Record<string, Json>
    found.push({ holder, key })
    places(holder[key]!, found)
  }
  return found
}

const get = ({ holder, key }: Place): Json => (holder as Record<string, Json>)[key]!
const set = ({ holder, key }: Place, value: Json): void => void ((holder as Record<string, Json>)[key] = value)

/** Material for mutations: keys that some definition has, values from other messages. */
export interface Stock {
  readonly keys: readonly string[]
  readonly texts: readonly string[]
  /** Subtrees of messages by their key. */
  readonly parts: ReadonlyMap<string, readonly Json[]>
}

export const stockOf = (messages: readonly Json[], definitions: Readonly<Record<string, JsonSchema>>): Stock => {
  const keys = new Set<string>()
  const texts = new Set(TEXTS)
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { properties, enum: choices, const: constant } = node as JsonSchema
    if (isObject(properties)) for (const key of Object.keys(properties)) keys.add(key)
    for (const choice of Array.isArray(choices) ? [...(choices as Json[]), constant] : [constant]) {
      if (typeof choice === 'string') texts.add(choice)
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(definitions)
  const parts = new Map<string, Json[]>()
  for (const message of messages) {
    for (const place of places(message)) {
      if (typeof place.key === 'number' || /^\d+$/.test(place.key)) continue
      parts.set(place.key, [...(parts.get(place.key) ?? []).slice(-20), get(place)])
    }
  }
  return { keys: [...keys], texts: [...texts], parts }
}

/** A copy with one to three mutations, which may turn out to be valid. */
export const mutate = (message: Json, stock: Stock, roll: Dice): Json => {
  const root = { message: structuredClone<Json>(message) }
  for (let left = roll() < 0.6 ? 1 : roll() < 0.6 ? 2 : 3; left > 0; left--) {
    const all = places(root)
    pick(roll, MUTATIONS)(pick(roll, all), stock, roll, all)
  }
  return root.message
}

type Mutation = (place: Place, stock: Stock, roll: Dice, all: readonly Place[]) => void

const MUTATIONS: readonly Mutation[] = [
  // Removed.
  (place) => {
    if (Array.isArray(place.holder)) place.holder.splice(Number(place.key), 1)
    else if (place.key !== 'message') delete place.holder[place.key]
  },
  (place, _, roll) => set(place, anything(roll)),
  (place, _, roll) => set(place, pick(roll, NUMBERS)),
  (place, stock, roll) => set(place, pick(roll, stock.texts)),
  // Negated, halved, or turned into a string.
  (place, _, roll) => {
    const value = get(place)
    if (typeof value === 'number') set(place, pick(roll, [-value - 1, value / 2 + 0.25, String(value)]))
    else if (typeof value === 'boolean') set(place, String(value))
    else if (typeof value === 'string') set(place, `${value}s`)
  },
  // An extra member whose name means something elsewhere.
  (place, stock, roll) => {
    const value = get(place)
    const key = pick(roll, stock.keys)
    const known = stock.parts.get(key)
    const more = known && roll() < 0.6 ? pick(roll, known) : anything(roll)
    if (isObject(value)) set(place, { ...value, [key]: structuredClone<Json>(more) })
    else if (Array.isArray(value)) set(place, [...(value as Json[]), structuredClone<Json>(more)])
  },
  // The value of the same key from elsewhere.
  (place, stock, roll) => {
    const known = stock.parts.get(String(place.key))
    if (known) set(place, structuredClone<Json>(pick(roll, known)))
  },
  // Nested wrongly.
  (place) => set(place, [get(place)]),
  (place) => set(place, { [place.key]: get(place) }),
  (place, _, roll) => {
    const value = get(place)
    if (typeof value === 'object' && value !== null) {
      const children = Object.values<Json>(value)
      if (children.length > 0) set(place, pick(roll, children))
    }
  },
  // Two swapped; as copies, because one may contain the other.
  (place, _, roll, all) => {
    const other = pick(roll, all)
    const [one, two] = structuredClone<[Json, Json]>([get(place), get(other)])
    set(place, two)
    set(other, one)
  },
  // An array that is too long.
  (place) => {
    const value = get(place)
    if (Array.isArray(value))
      set(
        place,
        Array.from({ length: 101 }, () => (value[0] ?? 'x') as Json),
      )
  },
]

const FAULTS: readonly Json[] = ['x', 0.5, -1, 7, true, null, {}, []]

/**
 * Every single fault of some kinds in turn: each value removed, and replaced by one of each type. The value passed to
 * `put` changes as soon as `put` returns.
 */
export const eachFault = (message: Json, put: (broken: Json) => void): void => {
  const root = { message: structuredClone<Json>(message) }
  for (const place of places(root)) {
    const value = get(place)
    for (const fault of FAULTS) {
      set(place, fault)
      put(root.message)
    }
    set(place, value)
    if (Array.isArray(place.holder) || place.key === 'message') continue
    delete place.holder[place.key]
    put(root.message)
    set(place, value)
  }
}
