/** The one desk where the questions of all servers wait, with all that features answer. */
import type { ServerView } from '../features/feature.ts'
import { features } from '../features/index.ts'
import type { Answering } from '../features/question.ts'
import { QuestionDesk } from '../features/question-desk.ts'
import { questionsFold } from '../features/questions-fold.ts'
import type { Fold, Projection, Trace } from '../mcp/index.ts'

interface Bench {
  readonly trace: Trace
  readonly servers: readonly ServerView[]
  projectionOf<State>(fold: Fold<State>): Projection<State>
}

export const questionDesk = (bench: Bench): QuestionDesk =>
  new QuestionDesk({
    trace: bench.trace,
    questions: bench.projectionOf(questionsFold),
    answering: Object.assign({}, ...features.map(({ answers }) => answers ?? {})) as Record<string, Answering>,
    servers: () => bench.servers,
  })
