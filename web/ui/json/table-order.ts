/** Sorting a table by one column, in steps. */
import { NumberText, Unfinished, type Value } from '../../json/index.ts'
import { previewOf } from './rows.ts'
import { cellOf, type Table } from './table.ts'

/** Rows compared between two pauses. */
const STEP = 2_000

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
    if (at % STEP === STEP - 1) yield
    ranks.push(rankOf(cellOf(row, key)))
  }
  const before = (a: number, b: number) => compare(ranks[a]!, ranks[b]!, down) || a - b
  let from = Uint32Array.from(rows, (_, at) => at)
  let to = new Uint32Array(rows.length)
  for (let start = 0; start < rows.length; start += STEP) {
    from.subarray(start, start + STEP).sort(before)
    yield
  }
  for (let width = STEP; width < rows.length; width *= 2) {
    let merged = 0
    for (let start = 0; start < rows.length; start += 2 * width) {
      const middle = Math.min(start + width, rows.length)
      const end = Math.min(start + 2 * width, rows.length)
      for (let left = start, right = middle, at = start; at < end; at++) {
        const takeLeft = right >= end || (left < middle && before(from[left]!, from[right]!) < 0)
        to[at] = takeLeft ? from[left++]! : from[right++]!
        if (++merged % STEP === 0) yield
      }
    }
    ;[from, to] = [to, from]
  }
  return from
}
