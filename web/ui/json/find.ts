/**
 * Finds a text in the names and scalars of a JSON value, in steps, because a value may contain hundreds of thousands of
 * them; and the arrays in it that are worth a table.
 */
import { NumberText, Unfinished, type Value, isList, isRecord } from '../../json/index.ts'

/** ms of uninterrupted work that leave time for a frame. */
const SLICE = 8

/**
 * Runs a generator to its end, with pauses that keep the page responsive.
 * @param wanted checked after each pause
 * @returns `undefined` if it was no longer wanted
 */
export const inSteps = async <Result>(
  steps: Generator<void, Result>,
  wanted: () => boolean,
): Promise<Result | undefined> => {
  let begun = performance.now()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (performance.now() - begun < SLICE) continue
    await new Promise((resolve) => setTimeout(resolve))
    if (!wanted()) return undefined
    begun = performance.now()
  }
}

export type Path = readonly (string | number)[]

export interface Found {
  /** In tree order. */
  readonly paths: readonly Path[]
  /** There are more matches than requested. */
  readonly more: boolean
}

/** Values searched between two pauses: takes a few milliseconds. */
const STEP = 4_000

interface Visit {
  readonly value: readonly Value[] | { readonly [key: string]: Value }
  readonly keys: readonly string[] | undefined
  readonly path: Path
  at: number
}

/** @param needle case-insensitive @param most maximum number of matches */
export function* finding(root: Value, needle: string, most: number): Generator<void, Found> {
  const wanted = needle.toLowerCase()
  const paths: Path[] = []
  if (wanted === '') return { paths, more: false }
  const has = (text: string) => text.toLowerCase().includes(wanted)
  const stack: Visit[] = []
  let seen = 0
  const enter = (value: Value, path: Path) => {
    if (isList(value)) stack.push({ value, keys: undefined, path, at: 0 })
    else if (isRecord(value)) stack.push({ value, keys: Object.keys(value), path, at: 0 })
    else return has(scalarText(value))
    return false
  }
  if (enter(root, [])) paths.push([])
  while (stack.length > 0) {
    const top = stack.at(-1)!
    const { value, keys, path } = top
    const index = top.at++
    if (index >= (keys ?? (value as readonly Value[])).length) {
      stack.pop()
      continue
    }
    if (++seen % STEP === 0) yield
    const step = keys ? keys[index]! : index
    const inner = (value as { readonly [key: string | number]: Value })[step]!
    const here = [...path, step]
    const matches = enter(inner, here)
    if (!matches && !(keys && has(keys[index]!))) continue
    if (paths.length >= most) return { paths, more: true }
    paths.push(here)
  }
  return { paths, more: false }
}

const scalarText = (value: Value): string => {
  if (value instanceof NumberText || value instanceof Unfinished) return value.text
  return typeof value === 'object' ? 'null' : String(value)
}

/** The arrays that are worth a table, with their paths: the value itself, or arrays down to its third level. */
export const tablesIn = (
  value: Value,
  most = 20,
): readonly { readonly path: Path; readonly rows: readonly Value[] }[] => {
  const found: { path: Path; rows: readonly Value[] }[] = []
  const look = (value: Value, path: Path, left: number): void => {
    if (found.length >= most) return
    if (isList(value)) {
      // A sample is enough to decide.
      if (value.slice(0, 20).some((item) => isRecord(item))) found.push({ path, rows: value })
    } else if (isRecord(value) && left > 0) {
      let seen = 0
      for (const key in value) {
        if (++seen > 200) return
        look(value[key]!, [...path, key], left - 1)
      }
    }
  }
  look(value, [], 3)
  return found
}
