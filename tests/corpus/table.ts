/** The outcome as a Markdown table and as one line. */
import type { Row } from './trial.ts'

const HEAD = ['Server', 'Way', 'Expected', 'Ended as', 'How', 'Opened', 'Seen', 'Closed by', 'As expected']

export const tableHead = (): string => `${line(HEAD)}\n${line(HEAD.map(() => '---'))}`

export const tableRow = (row: Row): string =>
  line([
    row.id,
    row.label === undefined ? row.way : `${row.way} ${row.label}`,
    row.expected,
    short(row.ended),
    row.how,
    `${Math.round(row.openMs)} ms`,
    row.noted.map(short).join('; '),
    row.closed,
    row.differences.length === 0 ? 'yes' : `**no**: ${row.differences.map(short).join('; ')}`,
  ])

export const summary = (rows: readonly Row[]): string => {
  const differing = rows.filter(({ differences }) => differences.length > 0)
  const names = differing.map(({ id, way, label }) => `  ${[id, way, label].filter(Boolean).join(' ')}`)
  return [...names, `${rows.length - differing.length} of ${rows.length} end as expected`].join('\n')
}

const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`

/** A server's text may contain characters that end a cell or a row. */
const escaped = (cell: string): string => cell.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('|', '\\|')

const short = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text)
