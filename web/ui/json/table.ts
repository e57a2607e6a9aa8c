/**
 * An array of objects as a table: one column for each key that any of them has. Items that aren't objects have their
 * own column, so that nothing is lost.
 */
import { NumberText, Unfinished, type Value, isRecord, stringify } from '../../json/index.ts'
import { previewOf } from './rows.ts'

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

/** Rows compared between two pauses. */
const SORT_STEP = 2_000

/** Numbers before strings before everything else. Missing cells come last in either sort direction. */
type Rank = readonly [kind: number, number: number, text: string]

const rankOf = (cell: Value | undefined): Rank => {
  if (cell === undefined) return [9, 0, '']
  if (typeof cell === 'number') return [0, cell, '']
  if (cell instanceof NumberText) return [0, cell.number, '']
  if (typeof cell === 'string') return [1, 0, cell.slice(0, 200)]
  if (typeof cell === 'boolean') return [2, Number(cell), '']
  if (cell === null) return [4, 0, '']
  return [3, 0, cell instanceof Unfinished ? cell.text : previewOf(cell)]
}

const collator = new Intl.Collator(undefined, { numeric: true })

const compare = (a: Rank, b: Rank, down: boolean): number => {
  const last = Number(a[0] === 9) - Number(b[0] === 9)
  if (last !== 0) return last
  const found = a[0] - b[0] || a[1] - b[1] || (a[2] === b[2] ? 0 : collator.compare(a[2], b[2]))
  return down ? -found : found
}

/** The row numbers in their new order; equal rows keep their order. */
export function* ordering(table: Table, key: string | undefined, down: boolean): Generator<void, Uint32Array> {
  const { rows } = table
  const ranks: Rank[] = []
  for (const [at, row] of rows.entries()) {
    if (at % SORT_STEP === SORT_STEP - 1) yield
    ranks.push(rankOf(cellOf(row, key)))
  }
  const before = (a: number, b: number) => compare(ranks[a]!, ranks[b]!, down) || a - b
  let from = Uint32Array.from(rows, (_, at) => at)
  let to = new Uint32Array(rows.length)
  for (let start = 0; start < rows.length; start += SORT_STEP) {
    from.subarray(start, start + SORT_STEP).sort(before)
    yield
  }
  for (let width = SORT_STEP; width < rows.length; width *= 2) {
    let merged = 0
    for (let start = 0; start < rows.length; start += 2 * width) {
      const middle = Math.min(start + width, rows.length)
      const end = Math.min(start + 2 * width, rows.length)
      for (let left = start, right = middle, at = start; at < end; at++) {
        const takeLeft = right >= end || (left < middle && before(from[left]!, from[right]!) < 0)
        to[at] = takeLeft ? from[left++]! : from[right++]!
        if (++merged % SORT_STEP === 0) yield
      }
    }
    ;[from, to] = [to, from]
  }
  return from
}

/** Cells written between two pauses. */
const CELLS_STEP = 4_000

/** A table as text for a spreadsheet (RFC 4180, with commas or tabs), in steps. @param order row numbers, if sorted @param other heading of the column for items that aren't objects */
export function* writing(
  { rows, columns }: Table,
  separator: ',' | '\t',
  other: string,
  order?: Uint32Array,
): Generator<void, string> {
  const lines = [columns.map(({ key }) => field(key ?? other, separator)).join(separator)]
  let cells = 0
  for (let at = 0; at < rows.length; at++) {
    const row = rows[order?.[at] ?? at]
    lines.push(columns.map(({ key }) => field(textOf(cellOf(row, key)), separator)).join(separator))
    cells += columns.length
    if (cells < CELLS_STEP) continue
    cells = 0
    yield
  }
  return lines.join('\r\n')
}

/** The rows as JSON, in their order. */
export function* writingJson({ rows }: Table, order?: Uint32Array): Generator<void, string> {
  const parts: string[] = []
  for (let at = 0; at < rows.length; at++) {
    parts.push(stringify(rows[order?.[at] ?? at]!, 2))
    if (at % 500 === 499) yield
  }
  return `[${parts.join(',\n')}]`
}

/**
 * Strings are written as they are, everything else as JSON. A missing cell is empty, but `null` is written as `null`.
 */
const textOf = (cell: Value | undefined): string =>
  cell === undefined ? '' : typeof cell === 'string' ? cell : stringify(cell)

const field = (text: string, separator: string): string =>
  text.includes('"') || text.includes('\n') || text.includes('\r') || text.includes(separator)
    ? `"${text.replaceAll('"', '""')}"`
    : text
