/**
 * A list of objects as a table: a column for each name that any of them has. What is no object has a column of its own,
 * so that no item and no cell is lost.
 */
import { isList, isRecord, type Value } from '../../json/index.ts'
import type { Path } from './find.ts'

export interface Column {
  /** `undefined`: the items that are no objects. */
  readonly key: string | undefined
  /** Rows that have it. */
  filled: number
}

export interface Table {
  readonly rows: readonly Value[]
  readonly columns: readonly Column[]
  /** Names beyond the bound: they are not columns, and stand in their rows all the same. */
  readonly more: number
}

/** Columns at most; a list of maps by id has as many names as values. */
const WIDEST = 100
/** Rows looked at between two pauses. */
const STEP = 2_000

/** The lists that are worth a table, with where they stand: the value itself, or down to the third level in it. */
export const tablesIn = (
  value: Value,
  most = 20,
): readonly { readonly path: Path; readonly rows: readonly Value[] }[] => {
  const found: { path: Path; rows: readonly Value[] }[] = []
  const look = (value: Value, path: Path, left: number): void => {
    if (found.length >= most) return
    if (isList(value)) {
      // A few of them tell.
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

/** In steps. */
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

/** `undefined`: the row has no such cell. */
export const cellOf = (row: Value | undefined, key: string | undefined): Value | undefined => {
  if (key === undefined) return isRecord(row) ? undefined : row
  return isRecord(row) && Object.hasOwn(row, key) ? row[key] : undefined
}
