/**
 * An array of objects as a table: one column for each key that any of them has. Items that aren't objects have their
 * own column, so that nothing is lost.
 */
import { isList, isRecord, type Value } from '../../json/index.ts'
import type { Path } from './find.ts'

export interface Column {
  /** `undefined`: the column for items that aren't objects. */
  readonly key: string | undefined
  /** Number of rows with this cell. */
  filled: number
}

export interface Table {
  readonly rows: readonly Value[]
  readonly columns: readonly Column[]
  /** Number of keys beyond the limit: they have no column, but still show in their rows. */
  readonly more: number
}

/** Maximum number of columns; an array of maps keyed by id has as many keys as values. */
const WIDEST = 100
/** Rows scanned between two pauses. */
const STEP = 2_000

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

export function* tabling(rows: readonly Value[], widest = WIDEST): Generator<void, Table> {
  const columns = new Map<string | undefined, Column>()
  const others = new Set<string>()
  const count = (key: string | undefined) => {
    const column = columns.get(key)
    if (column) column.filled++
    else if (columns.size < widest || key === undefined) columns.set(key, { key, filled: 1 })
    else if (others.size < 10_000) others.add(key)
  }
  for (const [at, row] of rows.entries()) {
    if (at % STEP === STEP - 1) yield
    if (!isRecord(row)) count(undefined)
    else for (const key of Object.keys(row)) count(key)
  }
  return { rows, columns: [...columns.values()], more: others.size }
}

/** `undefined`: the row doesn't have this cell. */
export const cellOf = (row: Value | undefined, key: string | undefined): Value | undefined => {
  if (key === undefined) return isRecord(row) ? undefined : row
  return isRecord(row) && Object.hasOwn(row, key) ? row[key] : undefined
}
