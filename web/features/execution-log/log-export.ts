/** The execution log as a table for a file. Its words are stable, not translated: programs read them. */
import { foldAll, isObject, type Exchanges, type Frame, type Seq } from '../../mcp/index.ts'
import { csvOf, type Cell } from './csv.ts'
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
      const sent = argumentsOf(call, frame)
      const result = resultOf(call, exchanges)
      const took = tookOf(result)
      return [
        new Date(begunAt + call.at).toISOString(),
        server,
        redacted?.tool,
        sent === undefined || (isObject(sent) && Object.keys(sent).length === 0) ? undefined : JSON.stringify(sent),
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
