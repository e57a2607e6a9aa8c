/**
 * Fetches a list, page by page, and again when the server says that it has changed.
 *
 * What was fetched is read from the Trace like everything else; here is only what to ask for next.
 */
import { messagesIn } from '../../mcp/index.ts'
import type { Frame, JsonObject, Link, Seq, Trace } from '../../mcp/index.ts'
import type { Listed, Listing, Listings } from './listing-fold.ts'

/** The part of a Session that is needed here. */
export interface Asker {
  readonly trace: Trace
  readonly link: Link
  /** @throws {UsageError} the session is not open */
  call(method: string, params?: JsonObject): { readonly seq: number | undefined; readonly result: Promise<JsonObject> }
}

/** A server that answers every list with another `list_changed` is refreshed this often … */
const REFRESHES_MAX = 3
/** … in this many ms; then the list stays `stale` until the user asks for it. */
export const REFRESH_WINDOW = 10_000

/** `listening-again`: what changed meanwhile is unknown (SUB-09), so the list has to be followed again. */
const ENDS: ReadonlySet<string> = new Set(['closed', 'failed', 'renewing', 'listening-again'])

/** Walks through all pages. Never throws: failures are in the Trace, where the fold reads them. */
export const fetchListing = async <Item>(
  asker: Asker,
  { method }: Listed<Item>,
  lists: { readonly current: Listings<Item> },
): Promise<void> => await walk(asker, method, () => lists.current.get(asker.link))

/**
 * Goes on after the limit of pages, where its user wants that (SF-PAGE-07). Never throws.
 * @param list as the fold has it: it changes while it grows
 */
export const continueListing = async (
  asker: Asker,
  { method }: Pick<Listed<unknown>, 'method'>,
  list: Listing<unknown>,
): Promise<void> => {
  if (list.more !== undefined) await walk(asker, method, () => list, list.begun, list.more)
}

/** @param begun the walk that is carried on with `cursor`; absent: a new one */
const walk = async (
  asker: Asker,
  method: string,
  listNow: () => Listing<unknown> | undefined,
  begun?: Seq,
  cursor?: string,
): Promise<void> => {
  do {
    try {
      const call = asker.call(method, cursor === undefined ? undefined : { cursor })
      await call.result
      begun ??= call.seq
    } catch {
      return
    }
    const list = listNow()
    // Another walk has started meanwhile and takes over.
    if (list?.begun !== begun) return
    cursor = list?.nextCursor
  } while (cursor !== undefined)
}

/**
 * Fetches now (unless `lazy`), and after each notification that the list has changed: one fetch in flight, at most one waiting.
 * @returns a function that stops it; it also stops when the session closes or is replaced
 */
export const followListing = <Item>(
  asker: Asker,
  listed: Listed<Item>,
  lists: { readonly current: Listings<Item> },
  { lazy = false }: { lazy?: boolean } = {},
): (() => void) => {
  const { trace, link } = asker
  const refreshed: number[] = []
  let running = false
  let waiting = false

  const run = async (): Promise<void> => {
    running = true
    await fetchListing(asker, listed, lists)
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
    if (tells(listed.changed, frame)) changed()
  })
  if (!lazy) void run()
  return stop
}

const tells = (method: string, frame: Frame): boolean => {
  if (frame.kind !== 'message' || frame.direction !== 'received') return false
  return messagesIn(frame.message).some((part) => part.method === method)
}
