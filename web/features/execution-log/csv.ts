/** Tables as CSV. @see https://www.rfc-editor.org/rfc/rfc4180 */

/**
 * Spreadsheets run a cell that begins with one of these as a formula, even from a file that only holds data. Names and
 * arguments come from servers, so such a cell begins with an apostrophe, which spreadsheets take for “this is text”.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^[\t\r ]*[=+\-@＝＋－＠]/

export type Cell = string | number | undefined

export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

/** Numbers stay numbers, also negative ones: only text can hold a formula. */
const cellOf = (cell: Cell): string => {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
