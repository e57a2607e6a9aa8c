/** The one desk where the questions of all servers wait, with all that features answer; and those of recordings. */
import type { Answering, ServerView } from '../features/feature.ts'
import { features } from '../features/index.ts'
import { QuestionDesk, questionsFold } from '../features/questions/index.ts'
import type { Fold, Projection, Trace } from '../mcp/index.ts'
import type { FoldedTrace } from './folded-trace.ts'

interface Bench {
  readonly trace: Trace
  readonly servers: readonly ServerView[]
  projectionOf<State>(fold: Fold<State>): Projection<State>
}

export const questionDesk = (bench: Bench): QuestionDesk =>
  new QuestionDesk({
    trace: bench.trace,
    questions: bench.projectionOf(questionsFold),
    answering: answering(),
    servers: () => bench.servers,
  })

/** Of a recording: the screens of its questions. Nobody waits there, and nothing is set that would answer by itself. */
export const recordedDesk = (moment: FoldedTrace, servers: () => readonly ServerView[]): QuestionDesk =>
  new QuestionDesk({
    trace: moment.trace,
    questions: moment.state(questionsFold),
    answering: Object.fromEntries(
      Object.entries(answering()).map(([method, { view, gist }]) => [method, { view, gist }]),
    ),
    servers,
  })

const answering = (): Record<string, Answering> =>
  Object.assign({}, ...features.map(({ answers }) => answers ?? {})) as Record<string, Answering>
