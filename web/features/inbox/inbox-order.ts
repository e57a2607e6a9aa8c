/** The order of the Inbox, and the request that it opens with. */
import type { ServerView } from '../feature.ts'
import type { ServerRequest } from '../server-request.ts'

export interface InboxItem {
  readonly request: ServerRequest
  /** The server that sent the request. */
  readonly server: ServerView
}

/** The place of the settings for automatic responses, in the position of a request's id. */
export const RULES = 'rules'

/** Pending requests first, oldest at the top; then the others, latest first. */
export const inOrder = (
  requests: Iterable<ServerRequest>,
  serverOf: (link: string) => ServerView | undefined,
): readonly InboxItem[] => {
  const open: InboxItem[] = []
  const over: InboxItem[] = []
  for (const request of requests) {
    const server = serverOf(request.link)
    // Requests of a removed server aren't shown; they are in the Trace.
    if (server) (request.state === 'open' ? open : over).push({ request, server })
  }
  return [...open, ...over.reverse()]
}

/**
 * The request to select when the Inbox opens: the one that has been pending longest, unless the selected one is pending
 * too.
 * @param items as `inOrder` returns them
 * @param isSection the selection is a section rather than a request, and stays
 * @returns its id; `undefined`: keep the selection
 */
export const waitingInstead = (
  items: readonly { readonly request: Pick<ServerRequest, 'id' | 'state'> }[],
  selected: string,
  isSection = selected === RULES,
): string | undefined => {
  const first = items[0]?.request
  if (first?.state !== 'open' || isSection) return undefined
  const isWaiting = items.some(({ request: { id, state } }) => id === selected && state === 'open')
  return isWaiting ? undefined : first.id
}
