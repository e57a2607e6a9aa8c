/** The execution log as a table for a file. Its words are stable, not translated: programs read them. */
import { isList, isRecord, readExactly, stringify, type Value } from '../../json/index.ts'
import { foldAll, type Exchanges, type Frame, type Seq } from '../../mcp/index.ts'
import { argumentsOf, executionLogFold, resultOf, tookOf, type LoggedCall } from './log-fold.ts'

const COLUMNS = ['time', 'server', 'tool', 'arguments', 'started by', 'policy', 'approved', 'outcome', 'error code', 'duration ms', 'frame'] as const // prettier-ignore

interface LogSource {
  readonly calls: readonly LoggedCall[]
  readonly exchanges: Pick<Exchanges, 'all' | 'bySeq'>
  /** As the window names it. */
  readonly server: string
  /** ms since the epoch. */
  readonly begunAt: number
  /** The frames of the calls without secrets, by seq. */
  readonly frames: ReadonlyMap<Seq, Frame>
}

/** Names and arguments are those of the redacted frames. */
export const logCsv = ({ calls, exchanges, server, begunAt, frames }: LogSource): string =>
  csvOf([
    COLUMNS,
    ...calls.map((call): readonly Cell[] => {
      const frame = frames.get(call.seq)
      const redacted = frame && foldAll(executionLogFold, [frame]).get(frame.link)?.[call.index]
      const sent = writtenArguments(call, frame)
      const result = resultOf(call, exchanges)
      const took = tookOf(result)
      return [
        new Date(begunAt + call.at).toISOString(),
        server,
        redacted?.tool,
        sent === undefined || (isRecord(sent) && Object.keys(sent).length === 0) ? undefined : stringify(sent),
        call.origin,
        call.policy,
        call.held ?? call.by,
        result.outcome,
        result.exchange?.error?.code,
        took === undefined ? undefined : Math.round(took),
        call.seq,
      ]
    }),
  ])

/** The arguments with numbers as they were sent, which JavaScript may not be able to hold. */
const writtenArguments = (call: LoggedCall, frame: Frame | undefined): Value | undefined => {
  if (frame?.kind !== 'message' || frame.raw === undefined) return argumentsOf(call, frame)
  const message = readExactly(frame.raw)
  const parts = (isList(message) ? message : [message]).filter((part) => isRecord(part) && part.method === 'tools/call')
  const part = parts[call.index]
  return isRecord(part) && isRecord(part.params) ? part.params.arguments : undefined
}

/**
 * Spreadsheets run a cell that begins with one of these as a formula, even from a file that only holds data. Names and
 * arguments come from servers, so such a cell begins with an apostrophe, which spreadsheets take for “this is text”.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^[\t\r ]*[=+\-@＝＋－＠]/

type Cell = string | number | undefined

/** @see https://www.rfc-editor.org/rfc/rfc4180 */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

/** Numbers stay numbers, also negative ones: only text can hold a formula. */
const cellOf = (cell: Cell): string => {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
