/** The outgoing session: redacted, limited to the chosen part, without large bodies, and with a head that says so. */
import {
  type Exchange,
  type Exchanges,
  type Frame,
  type FrameOf,
  type Json,
  type Link,
  type Seq,
  eachInSteps,
  exchanges,
  foldInSteps,
  isObject,
  nextTask,
} from '../mcp/index.ts'
import {
  type Omission,
  type Part,
  type Removal,
  type SessionHead,
  type SharedView,
  moved,
  namedReferencesOf,
  withoutBodies,
} from '../session-file/index.ts'
import type { Place } from '../secrets/redaction.ts'
import type { Redacted } from './redact.ts'
import { callOf, isStep } from '../replay/index.ts'

export interface Choice {
  readonly part: Part
  /** A frame of the exchange, if `part` is the exchange. */
  readonly seq?: Seq
  /** Only this server's frames, if `part` isn't the exchange. Absent: those of all servers. */
  readonly link?: Link | undefined
  /** Bodies larger than this are left out. In UTF-8 bytes. */
  readonly omitAbove?: number
}

export interface Outgoing {
  readonly head: SessionHead
  readonly frames: readonly Frame[]
  /** Redactions in this part and in the head. */
  readonly changes: readonly Place[]
  readonly suspects: readonly Place[]
  readonly omitted: readonly Omission[]
}

/** Maximum number of removals listed in the head; the number of further ones is in `more.removedBeyond`. */
const MOST_REMOVALS = 10_000

/** Secret values are learned from the whole session, so redact first and choose the part afterwards. */
export const outgoing = async (redacted: Redacted, { part, seq, link, omitAbove }: Choice): Promise<Outgoing> => {
  const taken = await takenOf(redacted.frames, { part, seq, link })
  const places = taken && new Map(taken.from.map((old, place) => [old, place] as const))
  const placeOf = (old: Seq): Seq | undefined => (places ? places.get(old) : old)
  const links = taken && new Set(taken.frames.map(({ link }) => link))
  const pointerOf = serverPointers(redacted.head.servers.map(({ link }) => !links || links.has(link)))
  const isIn = ({ seq: old, pointer }: Pick<Place, 'seq' | 'pointer'>): boolean =>
    old === undefined ? pointerOf(pointer) !== undefined : placeOf(old) !== undefined
  const changes = redacted.changes.filter(isIn)
  const bodies = omitAbove === undefined ? undefined : await withoutBodies(taken?.frames ?? redacted.frames, omitAbove)
  const frames = bodies?.frames ?? taken?.frames ?? redacted.frames
  const { bookmarks, removed = [], more, part: before, servers, view: seen, ...head } = redacted.head
  const own = changes.map(({ seq: old, pointer, rule }): Removal => {
    const place = old === undefined ? undefined : placeOf(old)
    return { seq: place, pointer: old === undefined ? pointerOf(pointer)! : pointer, rule }
  })
  const earlier = removed.flatMap(({ seq: old, ...rest }): Removal[] => {
    if (!isIn({ seq: old, pointer: rest.pointer })) return []
    return old === undefined ? [{ ...rest, pointer: pointerOf(rest.pointer)! }] : [{ seq: placeOf(old), ...rest }]
  })
  const removals = [...earlier, ...own]
  const beyond = removals.length - MOST_REMOVALS
  const marks = bookmarks?.flatMap(({ seq: old, text }) => {
    const place = placeOf(old)
    return place === undefined ? [] : [{ seq: place, text }]
  })
  const isShown = seen && (link === undefined || seen.link === undefined || seen.link === link)
  const view = part === 'session' && isShown ? viewOf(seen, placeOf, redacted.changes) : undefined
  const kept = part === 'session' ? before : part
  return {
    head: {
      ...head,
      servers: links ? servers.filter(({ link }) => links.has(link)) : servers,
      ...(kept && kept !== 'session' ? { part: kept } : {}),
      ...(marks && marks.length > 0 ? { bookmarks: marks } : {}),
      ...(view ? { view } : {}),
      ...(removals.length > 0 ? { removed: removals.slice(0, MOST_REMOVALS) } : {}),
      ...(bodies && bodies.omitted.length > 0 && omitAbove !== undefined ? { omittedAbove: omitAbove } : {}),
      ...(beyond > 0 ? { more: { ...more, removedBeyond: beyond } } : more ? { more } : {}),
    },
    frames,
    changes,
    suspects: once(redacted.suspects.filter(isIn)),
    omitted: bodies?.omitted ?? [],
  }
}

/** Pointers into the head, after the servers that aren't kept have left its list; `undefined`: into one of those. */
const serverPointers = (kept: readonly boolean[]): ((pointer: string) => string | undefined) => {
  let next = 0
  const places = kept.map((isKept) => (isKept ? next++ : undefined))
  return (pointer) => {
    const [, at, rest = ''] = /^\/servers\/(\d+)(.*)$/su.exec(pointer) ?? []
    if (at === undefined) return pointer
    const place = places[Number(at)]
    return place === undefined ? undefined : `/servers/${place}${rest}`
  }
}

/** A place from which a secret was removed no longer leads anywhere. */
const viewOf = (
  { seq, ...view }: SharedView,
  placeOf: (old: Seq) => Seq | undefined,
  changes: readonly Place[],
): SharedView | undefined => {
  if (changes.some((change) => change.seq === undefined && change.pointer.startsWith('/view'))) return undefined
  const place = seq === undefined ? undefined : placeOf(seq)
  return place === undefined ? view : { ...view, seq: place }
}

/** Keeps the first place of each value, because the user decides about a value once. */
const once = (places: readonly Place[]): readonly Place[] => {
  const seen = new Set<string>()
  return places.filter(({ value }) => !seen.has(value) && seen.add(value))
}

/** `undefined`: the whole session. */
const takenOf = async (
  frames: readonly Frame[],
  { part, seq, link }: Pick<Choice, 'part' | 'seq' | 'link'>,
): Promise<TakenPart | undefined> => {
  if (part === 'exchange') return seq === undefined ? undefined : await exchangeWith(frames, seq)
  const taken = part === 'steps' ? await stepsOnly(frames) : undefined
  if (link === undefined) return taken
  const own = await serverOnly(taken?.frames ?? frames, link)
  return taken ? { frames: own.frames, from: own.from.map((at) => taken.from[at]!) } : own
}

/** All frames of one server. */
const serverOnly = async (frames: readonly Frame[], link: Link): Promise<TakenPart> => {
  const wanted = new Set<Seq>()
  await eachInSteps(frames, (frame) => void (frame.link === link && wanted.add(frame.seq)))
  return await partOf(frames, wanted)
}

/**
 * A part of a session that can be shared separately: one exchange with everything it caused, or the requests without
 * their results. It contains no references outside itself.
 */
export interface TakenPart {
  /** `seq` starts at 0. The frames are otherwise unchanged except for their references. */
  readonly frames: readonly Frame[]
  /** The original `seq` of each frame. */
  readonly from: readonly Seq[]
}

/** References that a frame can't do without; other references are dropped if their frame isn't included. */
const NEEDED: ReadonlySet<string> = new Set(['request', 'begun'])

/** @param frames in order and without gaps @param wanted any of them; the frames they require are added */
const partOf = async (frames: readonly Frame[], wanted: ReadonlySet<Seq>): Promise<TakenPart> => {
  const all = new Set(wanted)
  await eachInSteps(all, (seq) => {
    const frame = frames[seq]
    for (const [name, reference] of frame ? namedReferencesOf(frame) : [])
      if (NEEDED.has(name) && frames[reference]) all.add(reference)
  })
  const from: Seq[] = []
  const sorted = [...all].sort((one, other) => one - other)
  await eachInSteps(sorted, (seq) => {
    // A required frame may be missing, as in a file with gaps.
    if (frames[seq] && isWhole(frames[seq], frames)) from.push(seq)
  })
  const places = new Map(from.map((seq, place) => [seq, place] as const))
  const taken: Frame[] = []
  await eachInSteps(from, (seq) =>
    taken.push(moved(alone(frames[seq]!, places), taken.length, (old) => places.get(old))),
  )
  return { frames: taken, from }
}

const isWhole = (frame: Frame, frames: readonly Frame[], depth = 0): boolean =>
  namedReferencesOf(frame).every(
    ([name, seq]) =>
      !NEEDED.has(name) ||
      (frames[seq] !== undefined && seq < frame.seq && depth < 10 && isWhole(frames[seq], frames, depth + 1)),
  )

const alone = (frame: Frame, places: ReadonlyMap<Seq, Seq>): Frame => {
  const gone = namedReferencesOf(frame).filter(([name, seq]) => !NEEDED.has(name) && !places.has(seq))
  if (gone.length === 0) return frame
  const names = new Set<string>(gone.map(([name]) => name))
  return Object.fromEntries(Object.entries(frame).filter(([name]) => !names.has(name))) as unknown as Frame
}

/** The opening frames of each connection involved: without them the protocol version is unknown. */
const openings = async (frames: readonly Frame[], wanted: ReadonlySet<Seq>): Promise<Seq[]> => {
  const links = new Map<Link, Seq>()
  await eachInSteps(wanted, (seq) => links.set(frames[seq]!.link, Math.max(seq, links.get(frames[seq]!.link) ?? 0)))
  const found = new Map<string, Seq>()
  await eachInSteps(frames, (frame) => {
    if (frame.kind !== 'session' || frame.phase !== 'open') return
    const last = links.get(frame.link)
    // The last opening before the frame, or the first after it if the frame itself is part of the opening.
    if (last !== undefined && (frame.seq < last || !found.has(frame.link))) found.set(frame.link, frame.seq)
  })
  return [...found.values()]
}

/** Requests, notifications and manually sent texts, in order, without anything received. */
export const stepsOnly = async (frames: readonly Frame[]): Promise<TakenPart> => {
  const wanted = new Set<Seq>()
  await eachInSteps(frames, (frame) => void (isStep(frame) && wanted.add(frame.seq)))
  return await partOf(frames, new Set([...wanted, ...(await openings(frames, wanted))]))
}

/**
 * The exchange that a frame belongs to, with its rounds, response, progress, server requests and their carriers.
 * @returns an empty part if the frame doesn't belong to an exchange
 */
export const exchangeWith = async (frames: readonly Frame[], seq: Seq): Promise<TakenPart> => {
  const state = await foldInSteps(exchanges, frames)
  const first = exchangeOf(frames, state, seq)
  if (!first) return { frames: [], from: [] }
  const wanted = new Set<Seq>()
  const members = await chainOf(frames, state, first)
  for (const one of await askedBy(frames, state, members)) members.add(one)
  for (const one of tasksOf(frames, state, members)) members.add(one)
  await eachInSteps(state.bySeq, ([of, exchange]) => void (members.has(exchange) && wanted.add(of)))
  await carriedWith(frames, wanted, members)
  await eachInSteps(frames, (frame) => void (endsOne(frame, members, wanted) && wanted.add(frame.seq)))
  await marksBefore(frames, wanted)
  for (const opening of await openings(frames, wanted)) wanted.add(opening)
  return await partOf(frames, wanted)
}

/**
 * The marks of injected faults: without them, what was injected would look like the server's own. A mark is before what
 * it is about, on the same line or HTTP request.
 */
const marksBefore = async (frames: readonly Frame[], wanted: Set<Seq>): Promise<void> => {
  const open = new Map<string, { readonly marks: Seq[]; left: number }>()
  await eachInSteps(frames, (frame) => {
    if (frame.kind === 'fault') {
      if (frame.event !== 'injected') return
      const line = `${frame.link} ${frame.request ?? ''}`
      const { marks, left } = open.get(line) ?? { marks: [], left: 0 }
      marks.push(frame.seq)
      // The second one of two messages that swapped their places.
      open.set(line, { marks, left: Math.max(left, frame.fault === 'reorder' ? 2 : 1) })
      return
    }
    const isCut = frame.kind === 'session' && (frame.phase === 'closed' || frame.phase === 'failed')
    const isMessage = frame.kind === 'message' && frame.direction === 'received'
    // A corrupted line of stdout may not look like a message.
    if (!isCut && !isMessage && !(frame.kind === 'process' && frame.event === 'stdout-noise')) return
    const line = `${frame.link} ${(isMessage && frame.carrier) || ''}`
    const before = open.get(line)
    if (!before) return
    if (wanted.has(frame.seq)) for (const mark of before.marks) wanted.add(mark)
    if (--before.left === 0) open.delete(line)
  })
}

/** The exchange of a frame. For a frame that carries messages: the exchange of the first message that has one. */
export const exchangeOf = (frames: readonly Frame[], state: Exchanges, seq: Seq): Exchange | undefined => {
  const direct = state.bySeq.get(seq)
  if (direct) return direct
  const frame = frames[seq]
  if (!frame) return undefined
  const carrier =
    frame.kind === 'http' && frame.phase === 'request' ? seq : 'request' in frame ? frame.request : undefined
  if (carrier === undefined) return undefined
  const told = state.bySeq.get(carrier)
  if (told) return told
  const carried = frames.find((one) => one.kind === 'message' && one.carrier === carrier && state.bySeq.has(one.seq))
  return carried && state.bySeq.get(carried.seq)
}

/** All rounds and retries of a call, including the exchange that contains its response. */
const chainOf = async (frames: readonly Frame[], state: Exchanges, first: Exchange): Promise<Set<Exchange>> => {
  const members = new Set([first])
  const next = new Map<Seq, Seq[]>()
  await eachInSteps(frames, (frame) => {
    if (frame.kind === 'message' && frame.follows !== undefined)
      next.set(frame.follows, [...(next.get(frame.follows) ?? []), frame.seq])
  })
  for (const one of members) {
    const frame = frames[one.request]
    const around = [
      ...(frame?.kind === 'message' && frame.follows !== undefined ? [frame.follows] : []),
      ...(next.get(one.request) ?? []),
    ]
    for (const seq of around) {
      const other = state.bySeq.get(seq)
      if (other) members.add(other)
    }
  }
  return members
}

/** Server requests caused by these exchanges. */
const askedBy = async (
  frames: readonly Frame[],
  state: Exchanges,
  members: ReadonlySet<Exchange>,
): Promise<Exchange[]> => {
  const sent = state.all.filter(({ direction }) => direction === 'sent')
  const asked: Exchange[] = []
  await eachInSteps(state.all, (one) => {
    if (one.direction !== 'received' || one.method === 'ping') return
    const call = callOf(one, frames[one.request], sent, frames)
    if (call && members.has(call)) asked.push(one)
  })
  return asked
}

/** Requests about tasks that these exchanges created. */
const tasksOf = (frames: readonly Frame[], state: Exchanges, members: ReadonlySet<Exchange>): Exchange[] => {
  const tasks = new Set<Json>()
  for (const { response, link } of members) {
    const frame = response === undefined ? undefined : frames[response]
    const result =
      frame?.kind === 'message' && isObject(frame.message) && isObject(frame.message.result)
        ? frame.message.result
        : undefined
    const id = isObject(result?.task) ? result.task.taskId : result?.taskId
    if (typeof id === 'string') tasks.add(`${link} ${id}`)
  }
  if (tasks.size === 0) return []
  return state.all.filter((one) => one.method.startsWith('tasks/') && tasks.has(`${one.link} ${one.subject ?? ''}`))
}

/**
 * HTTP and stream frames that carried the messages, and everything else on streams used by these exchanges alone, faults
 * among it.
 */
const carriedWith = async (
  frames: readonly Frame[],
  wanted: Set<Seq>,
  members: ReadonlySet<Exchange>,
): Promise<void> => {
  const own = new Set([...members].map(({ request }) => request))
  const carriers = new Set<Seq>()
  /** Carriers of their own requests, but not of streams that others listen on. */
  const theirs = new Set<Seq>()
  for (const seq of wanted) {
    const frame = frames[seq]
    if (frame?.kind !== 'message' || frame.carrier === undefined) continue
    carriers.add(frame.carrier)
    if (own.has(seq) && frame.direction === 'sent' && frame.type !== 'batch') theirs.add(frame.carrier)
  }
  const [begun, ended] = timesOf(members)
  const http: (FrameOf<'http'> & { readonly phase: 'request' })[] = []
  await eachInSteps(frames, (frame) => void (frame.kind === 'http' && frame.phase === 'request' && http.push(frame)))
  // Interrupted streams are resumed on other requests, and rejected requests are sent again.
  for (const frame of http) if (frame.origin !== undefined && theirs.has(frame.origin)) theirs.add(frame.seq)
  for (const frame of http.toReversed())
    if (frame.again !== undefined && carriers.has(frame.seq)) carriers.add(frame.again)
  for (const seq of theirs) carriers.add(seq)
  await nextTask()
  await eachInSteps(frames, (frame) => {
    if (carriers.has(frame.seq)) wanted.add(frame.seq)
    else if (frame.kind === 'message') {
      if (frame.direction === 'received' && frame.carrier !== undefined && theirs.has(frame.carrier))
        wanted.add(frame.seq)
    } else if (frame.kind === 'fault') {
      if (frame.event === 'injected' && frame.request !== undefined && theirs.has(frame.request)) wanted.add(frame.seq)
    } else if (
      (frame.kind === 'http' || frame.kind === 'stream') &&
      'request' in frame &&
      carriers.has(frame.request)
    ) {
      const listening =
        frame.kind === 'stream' && !theirs.has(frame.request) && frame.event !== 'open' && frame.event !== 'close'
      if (!listening || (frame.at >= begun && frame.at <= ended)) wanted.add(frame.seq)
    }
  })
}

const timesOf = (members: ReadonlySet<Exchange>): readonly [begun: number, ended: number] => {
  let [begun, ended] = [Infinity, 0]
  for (const { startedAt, endedAt } of members) {
    begun = Math.min(begun, startedAt)
    ended = Math.max(ended, endedAt ?? Infinity)
  }
  return [begun, ended]
}

/** Session frames that record how an exchange ended. */
const endsOne = (frame: Frame, members: ReadonlySet<Exchange>, wanted: ReadonlySet<Seq>): boolean => {
  if (frame.kind !== 'session') return false
  if (frame.phase === 'gave-up' || frame.phase === 'extended') return wanted.has(frame.request)
  if (frame.phase !== 'closed' && frame.phase !== 'failed') return false
  for (const { link, status, endedAt, request } of members)
    if (link === frame.link && status === 'lost' && endedAt === frame.at && request < frame.seq) return true
  return false
}
