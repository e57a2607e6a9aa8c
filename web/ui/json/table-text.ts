/** A table as text for a spreadsheet (RFC 4180, with commas or tabs), in steps. */
import { stringify, type Value } from '../../json/index.ts'
import { cellOf, type Table } from './table.ts'

/** Cells written between two pauses. */
const STEP = 4_000

/** @param order row numbers, if sorted @param other heading of the column for items that aren't objects */
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
    if (cells < STEP) continue
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
