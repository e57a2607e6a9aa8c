/**
 * Requests a list page by page, and again when the server reports a change. The results are read from the Trace like
 * everything else: `listing-fold.ts` reads `nextCursor` and decides where to stop; this file requests the next page.
 */
import { messagesIn } from '../../mcp/index.ts'
import type { Fold, Frame, JsonObject, Link, Seq, Trace } from '../../mcp/index.ts'
import type { ServerView } from '../feature.ts'
import type { Listed, Listing, Listings } from './listing-fold.ts'

/** The part of a Session that is used here. */
interface Requester {
  readonly trace: Trace
  readonly link: Link
  /** @throws {UsageError} the session is not open */
  call(method: string, params?: JsonObject): { readonly seq: number | undefined; readonly result: Promise<JsonObject> }
}

/** If a server answers every list with another `list_changed`, refresh at most this often … */
const REFRESHES_MAX = 3
/** … within this many ms. Then the list stays `stale` until the user reloads it. */
export const REFRESH_WINDOW = 10_000

/** `listening-again`: changes in the meantime are unknown (SUB-09), so the list has to be followed again. */
const ENDS: ReadonlySet<string> = new Set(['closed', 'failed', 'renewing', 'listening-again'])

/** Walks through all pages. Never throws: failures are in the Trace, where the fold finds them. */
export const fetchListing = async <Item>(
  session: Requester,
  { method }: Listed<Item>,
  lists: { readonly current: Listings<Item> },
): Promise<void> => await walk(session, method, () => lists.current.get(session.link))

/**
 * Continues beyond the page limit, if the user wants that (SF-PAGE-07). Never throws.
 * @param list from the fold, which updates it in place
 */
export const continueListing = async (
  session: Requester,
  { method }: Pick<Listed<unknown>, 'method'>,
  list: Listing<unknown>,
): Promise<void> => {
  if (list.more !== undefined) await walk(session, method, () => list, list.begun, list.more)
}

/** @param begun the walk that `cursor` continues; absent: a new one */
const walk = async (
  session: Requester,
  method: string,
  listNow: () => Listing<unknown> | undefined,
  begun?: Seq,
  cursor?: string,
): Promise<void> => {
  do {
    try {
      const call = session.call(method, cursor === undefined ? undefined : { cursor })
      await call.result
      begun ??= call.seq
    } catch {
      return
    }
    const list = listNow()
    // Another walk has started and takes over.
    if (list?.begun !== begun) return
    cursor = list?.nextCursor
  } while (cursor !== undefined)
}

/**
 * Requests the list now (unless `lazy`), and after each notification that it has changed: at most one request in flight
 * and one queued.
 * @returns a function that stops it; it also stops when the session closes or is replaced
 */
export const followListing = <Item>(
  session: Requester,
  listed: Listed<Item>,
  lists: { readonly current: Listings<Item> },
  { lazy = false }: { lazy?: boolean } = {},
): (() => void) => {
  const { trace, link } = session
  const refreshed: number[] = []
  let running = false
  let waiting = false

  const run = async (): Promise<void> => {
    running = true
    await fetchListing(session, listed, lists)
    running = false
    if (!waiting) return
    waiting = false
    changed()
  }

  const changed = (): void => {
    if (running) {
      waiting = true
      return
    }
    const now = trace.elapsed
    while (refreshed.length > 0 && now - refreshed[0]! > REFRESH_WINDOW) refreshed.shift()
    if (refreshed.length >= REFRESHES_MAX) return
    refreshed.push(now)
    void run()
  }

  const stop = trace.subscribe((frame) => {
    if (frame.link !== link) return
    if (frame.kind === 'session' && ENDS.has(frame.phase)) return stop()
    if (announces(listed.changed, frame)) changed()
  })
  if (!lazy) void run()
  return stop
}

/**
 * Follows a list in a session that has just opened. A server that doesn't declare the capability gets the request only
 * when the user asks for it (SF-TOOL-01, SF-PROMPT-06, SF-RES-01).
 */
export const followDeclared = <Item>(
  server: Pick<ServerView, 'session' | 'peer' | 'state'>,
  capability: string,
  listed: Listed<Item>,
  fold: Fold<Listings<Item>>,
): void => {
  const { session, peer } = server
  if (!session) return
  followListing(session, listed, server.state(fold), { lazy: !peer || !(capability in peer.capabilities) })
}

/** Whether the server sends a notification of this method. */
export const announces = (method: string, frame: Frame): boolean => {
  if (frame.kind !== 'message' || frame.direction !== 'received') return false
  return messagesIn(frame.message).some((part) => part.method === method)
}
