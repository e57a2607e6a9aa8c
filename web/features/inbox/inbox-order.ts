/** The order of the Inbox, and which of its requests it opens with. */
import type { ServerView } from '../feature.ts'
import type { ServerRequest } from '../server-request.ts'

export interface InboxItem {
  readonly question: ServerRequest
  /** Sent the request. */
  readonly server: ServerView
}

/** The place of the settings for automatic responses, instead of a request. */
export const RULES = 'rules'

/** What is open first, the one that waits longest at the top; then what is over, the latest first. */
export const inOrder = (
  questions: Iterable<ServerRequest>,
  serverOf: (link: string) => ServerView | undefined,
): readonly InboxItem[] => {
  const open: InboxItem[] = []
  const over: InboxItem[] = []
  for (const question of questions) {
    const server = serverOf(question.link)
    // Of a server that was removed nothing is shown any more; it is in the Trace.
    if (server) (question.state === 'open' ? open : over).push({ question, server })
  }
  return [...open, ...over.reverse()]
}

/**
 * Which request to open the Inbox with in place of the selected one: the one that waits longest, unless the selected one
 * waits itself. The rules stay open.
 * @param items as `inOrder` returns them
 * @returns its id; `undefined`: the selection stays
 */
export const waitingInstead = (
  items: readonly { readonly question: Pick<ServerRequest, 'id' | 'state'> }[],
  selected: string,
): string | undefined => {
  const first = items[0]?.question
  if (first?.state !== 'open' || selected === RULES) return undefined
  const isWaiting = items.some(({ question: { id, state } }) => id === selected && state === 'open')
  return isWaiting ? undefined : first.id
}
