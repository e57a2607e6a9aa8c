/** What elicitations need from the Trace: who the requester is, and which URL-mode elicitations are complete. */
import {
  type Fold,
  type Json,
  type JsonObject,
  type Link,
  type Seq,
  getOrInsert,
  isObject,
  linkFold,
  messagesIn,
} from '../../mcp/index.ts'

/** The URL or command of a server, shown to the user when the server requests input (CF-ELIC-03). */
export const requesterFold = linkFold('', (before, frame) => {
  if (frame.kind === 'http' && frame.phase === 'request' && frame.purpose === 'message') return frame.url
  return frame.kind === 'process' && frame.event === 'spawn' ? [frame.command, ...frame.args].join(' ') : before
})

export interface Completion {
  readonly seq: Seq
  /** ms since the trace began. */
  readonly at: number
}

export interface Visits {
  /** By id; `undefined` while not complete. */
  readonly byId: ReadonlyMap<string, Completion | undefined>
  /** Frames of the ignored notifications. */
  readonly ignored: readonly { readonly seq: Seq; readonly id: string; readonly why: 'unknown' | 'again' | 'no-id' }[]
}

interface Book extends Visits {
  readonly byId: Map<string, Completion | undefined>
  readonly ignored: { seq: Seq; id: string; why: 'unknown' | 'again' | 'no-id' }[]
}

/** Most ids per connection. */
const MOST_IDS = 2000
const MOST_IGNORED = 100
const LONGEST_ID = 1000

/**
 * The state of URL-mode elicitations in 2025-11-25: the ids that were named, and those the server reported complete.
 * Notifications for ids that are unknown or already complete are ignored (CF-URL-05) but counted.
 */
export const visitsFold: Fold<Map<Link, Book>> = {
  initial: () => new Map(),

  step(state, frame) {
    if (frame.kind !== 'message' || frame.direction !== 'received') return false
    let changed = false
    for (const part of messagesIn(frame.message)) {
      const params = isObject(part.params) ? part.params : {}
      if (part.method === 'notifications/elicitation/complete') {
        complete(bookOf(state, frame.link), params.elicitationId, frame)
        changed = true
      } else if (part.method === 'elicitation/create') changed = named(state, frame.link, [params]) || changed
      else if (isObject(part.error) && part.error.code === -32042) {
        changed = named(state, frame.link, elicitationsIn(part.error.data)) || changed
      }
    }
    return changed ? undefined : false
  },
}

/** `data.elicitations` of -32042 (BP-34), without validation. */
const elicitationsIn = (data: Json | undefined): readonly Json[] =>
  isObject(data) && Array.isArray(data.elicitations) ? (data.elicitations as readonly Json[]) : []

const bookOf = (state: Map<Link, Book>, link: Link): Book =>
  getOrInsert(state, link, () => ({ byId: new Map(), ignored: [] }))

const named = (state: Map<Link, Book>, link: Link, elicitations: readonly Json[]): boolean => {
  let changed = false
  for (const each of elicitations.slice(0, MOST_IDS)) {
    if (!isObject(each) || each.mode !== 'url' || !isId(each.elicitationId)) continue
    const { byId } = bookOf(state, link)
    if (byId.has(each.elicitationId) || byId.size >= MOST_IDS) continue
    byId.set(each.elicitationId, undefined)
    changed = true
  }
  return changed
}

const complete = ({ byId, ignored }: Book, id: Json | undefined, { seq, at }: Completion): void => {
  const why = !isId(id) ? 'no-id' : !byId.has(id) ? 'unknown' : byId.get(id) ? 'again' : undefined
  if (why === undefined) byId.set(id as string, { seq, at })
  else if (ignored.length < MOST_IGNORED) ignored.push({ seq, id: isId(id) ? id : '', why })
}

const isId = (value: Json | undefined): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_ID

/** An elicitation from -32042, and its problem, if any (BP-34). */
export interface RequiredVisit {
  readonly params: JsonObject
  readonly faults: readonly ('not-object' | 'not-url' | 'no-id')[]
}

export const requiredVisits = (data: Json | undefined): RequiredVisit[] =>
  elicitationsIn(data).map((each) => {
    if (!isObject(each)) return { params: {}, faults: ['not-object'] }
    const faults: RequiredVisit['faults'][number][] = []
    if (each.mode !== 'url') faults.push('not-url')
    if (!isId(each.elicitationId)) faults.push('no-id')
    return { params: each, faults }
  })
