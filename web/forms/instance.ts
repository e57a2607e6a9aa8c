/** A value prepared for validation: plain JSON, so that it can be sent to a worker. */
import { isList, isRecord, plain, type Json, type Value } from '../json/index.ts'
import { unfinishedIn } from './value.ts'

export interface Instance {
  /** Absent if there is no value, or if it is too large. */
  readonly value: Json | undefined
  /** JSON pointers to text that isn't valid JSON. */
  readonly unfinished: readonly string[]
  readonly tooLarge: boolean
}

const MOST_VALUES = 100_000
const DEEPEST = 400

/** @param scale the value may have this many times as many parts as an edited one. Default 1. */
export const instanceOf = (value: Value | undefined, scale = 1): Instance => {
  const unfinished = unfinishedIn(value)
  const tooLarge = isTooLarge(value, scale * MOST_VALUES)
  return { value: tooLarge || value === undefined ? undefined : plain(value), unfinished, tooLarge }
}

const isTooLarge = (value: Value | undefined, most: number): boolean => {
  let count = 0
  const walk = (value: Value | undefined, depth: number): boolean => {
    if (++count > most || depth > DEEPEST) return true
    if (isList(value)) return value.some((item) => walk(item, depth + 1))
    return isRecord(value) && Object.values(value).some((inner) => walk(inner, depth + 1))
  }
  return walk(value, 0)
}

/** Every string and key of a value, the length of the longest string, and of the longest array. */
export const measure = (value: Json | undefined) => {
  const strings = new Set<string>()
  let longest = 0
  let widest = 0
  const walk = (value: Json | undefined): void => {
    if (typeof value === 'string') {
      strings.add(value)
      longest = Math.max(longest, value.length)
    } else if (isList(value)) {
      widest = Math.max(widest, value.length)
      for (const item of value) walk(item)
    } else if (isRecord(value)) {
      for (const [key, inner] of Object.entries(value)) {
        strings.add(key)
        walk(inner)
      }
    }
  }
  walk(value)
  return { strings, longest, widest }
}
