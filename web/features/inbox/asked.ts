/** The order of the Inbox. */
import type { ServerView } from '../feature.ts'
import type { Question } from '../question.ts'

export interface Asked {
  readonly question: Question
  /** That asked. */
  readonly server: ServerView
}

/** Place of what is answered without asking, where no question is looked at. */
export const RULES = 'rules'

/** What is open first, the one that waits longest at the top; then what is over, the latest first. */
export const inOrder = (
  questions: Iterable<Question>,
  serverOf: (link: string) => ServerView | undefined,
): readonly Asked[] => {
  const open: Asked[] = []
  const over: Asked[] = []
  for (const question of questions) {
    const server = serverOf(question.link)
    // Of a server that was removed nothing is shown any more; it is in the Trace.
    if (server) (question.state === 'open' ? open : over).push({ question, server })
  }
  return [...open, ...over.reverse()]
}
