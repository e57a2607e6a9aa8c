/**
 * The value edited in the form and as JSON.
 *
 * It is immutable: a change creates a new value that shares the unchanged parts. Three states of a property are
 * distinct: absent (`undefined` here, no key on the wire), null, and empty (`''`, `[]`, `{}`). Unknown keys are kept.
 */
import {
  type Json,
  NumberText,
  Unfinished,
  type Value,
  formatPointer,
  hasSpelling,
  isList,
  isRecord,
  plain,
  stringify,
} from '../json/index.ts'

/** Whether the JSON text of a value exceeds a number of characters, approximately. */
export const isLong = (value: Value | undefined, limit: number): boolean => {
  let left = limit
  const stack: (Value | undefined)[] = [value]
  while (stack.length > 0 && left >= 0) {
    const each = stack.pop()
    if (typeof each === 'string') left -= each.length + 2
    else if (each instanceof NumberText || each instanceof Unfinished) left -= each.text.length
    else if (isList(each)) {
      left -= each.length + 2
      if (left >= 0) for (const item of each) stack.push(item)
    } else if (isRecord(each)) {
      for (const [key, inner] of Object.entries(each)) {
        left -= key.length + 4
        if (left < 0) break
        stack.push(inner)
      }
    } else left -= 4
  }
  return left < 0
}

/** Whether a value is nested more deeply than anyone would read. */
export const isDeep = (value: Value | undefined, limit = 60): boolean => {
  if (limit < 0) return true
  if (isList(value)) return value.some((item) => isDeep(item, limit - 1))
  return isRecord(value) && Object.values(value).some((inner) => isDeep(inner, limit - 1))
}

/** The JSON text of a value, shortened if long: a default may be ten megabytes. */
export const brief = (value: Value, longest: number): string => {
  if (!isLong(value, 20_000) && !isDeep(value, 200)) return stringify(value)
  if (typeof value === 'string') return JSON.stringify(value.slice(0, longest))
  return isList(value) ? '[…]' : '{…}'
}

/** Names of properties and indices of items, from the root. */
export type Path = readonly (string | number)[]

export type State = 'absent' | 'null' | 'empty' | 'set'

export const stateOf = (value: Value | undefined): State => {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (value === '') return 'empty'
  if (isList(value)) return value.length === 0 ? 'empty' : 'set'
  if (isRecord(value)) return Object.keys(value).length === 0 ? 'empty' : 'set'
  return 'set'
}

export const get = (value: Value | undefined, path: Path): Value | undefined => {
  for (const step of path) {
    if (typeof step === 'number') value = isList(value) ? value[step] : undefined
    else value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined
  }
  return value
}

/**
 * Puts `next` at `path`; `undefined` removes the property or item. Missing objects on the path are created, so that a
 * field of an absent group can be filled in, but removing never creates them.
 */
export const put = (value: Value | undefined, path: Path, next: Value | undefined): Value | undefined => {
  const [step, ...rest] = path
  if (step === undefined) return next
  const inner = put(get(value, [step]), rest, next)
  if (typeof step === 'number') {
    const items = isList(value) ? [...value] : []
    if (inner === undefined) items.splice(step, 1)
    else items[Math.min(step, items.length)] = inner
    return items
  }
  if (inner !== undefined) return { ...(isRecord(value) ? value : {}), [step]: inner }
  if (!isRecord(value) || !Object.hasOwn(value, step)) return value
  const { [step]: _, ...others } = value
  return others
}

/** Moves an item. */
export const move = (list: readonly Value[], from: number, to: number): readonly Value[] => {
  const items = [...list]
  items.splice(to, 0, ...items.splice(from, 1))
  return items
}

/** JSON pointers to text that isn't valid JSON. */
export const unfinishedIn = (value: Value | undefined, path: Path = []): string[] => {
  if (value instanceof Unfinished) return [formatPointer(path)]
  if (isList(value)) return value.flatMap((item, at) => unfinishedIn(item, [...path, at]))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => unfinishedIn(inner, [...path, key]))
}

export type Wire =
  | {
      readonly sendable: true
      /** The value as plain JavaScript; absent if there is none. */
      readonly json: Json | undefined
      /** The exact text; absent if the value is absent. */
      readonly text: string | undefined
      /** `JSON.stringify(json)` would write a number differently, so send `text`. */
      readonly spelled: boolean
    }
  | {
      readonly sendable: false
      /** Pointers to text that isn't valid JSON. */
      readonly unfinished: readonly string[]
    }

/** The value as it is sent. */
export const wireOf = (value: Value | undefined): Wire => {
  const unfinished = unfinishedIn(value)
  if (unfinished.length > 0) return { sendable: false, unfinished }
  if (value === undefined) return { sendable: true, json: undefined, text: undefined, spelled: false }
  return { sendable: true, json: plain(value), text: stringify(value), spelled: hasSpelling(value) }
}

/**
 * The exact text of an object with `value` inserted at `path`: for example, the complete `params` of a
 * call with its `arguments`.
 *
 *     session.call('tools/call', params, { paramsText: textWith(params, ['arguments'], value) })
 */
export const textWith = (object: Json, path: Path, value: Value | undefined): string =>
  stringify(put(object, path, value) ?? null)
