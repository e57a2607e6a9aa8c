/** The outgoing session: redacted, limited to the chosen part, without large bodies, and with a head that says so. */
import type { Frame, Seq } from '../mcp/index.ts'
import { withoutBodies, type Omission, type Part, type Removal, type SessionHead } from '../session-file/index.ts'
import { exchangeWith, stepsOnly, type TakenPart } from './parts.ts'
import type { Place, Redacted } from './redact.ts'

export interface Choice {
  readonly part: Part
  /** A frame of the exchange, if `part` is the exchange. */
  readonly seq?: Seq
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
export const outgoing = async (redacted: Redacted, { part, seq, omitAbove }: Choice): Promise<Outgoing> => {
  const taken = await takenOf(redacted.frames, part, seq)
  const places = taken && new Map(taken.from.map((old, place) => [old, place] as const))
  const placeOf = (old: Seq): Seq | undefined => (places ? places.get(old) : old)
  const isIn = (place: Place): boolean => place.seq === undefined || placeOf(place.seq) !== undefined
  const changes = redacted.changes.filter(isIn)
  const bodies = omitAbove === undefined ? undefined : await withoutBodies(taken?.frames ?? redacted.frames, omitAbove)
  const frames = bodies?.frames ?? taken?.frames ?? redacted.frames
  const links = new Set(frames.map(({ link }) => link))
  const { bookmarks, removed = [], more, part: before, servers, ...head } = redacted.head
  const own = changes.map(({ seq: old, pointer, rule }): Removal => {
    const place = old === undefined ? undefined : placeOf(old)
    return { ...(place === undefined ? {} : { seq: place }), pointer, rule }
  })
  const earlier = removed.flatMap(({ seq: old, ...rest }): Removal[] => {
    const place = old === undefined ? undefined : placeOf(old)
    return old === undefined ? [rest] : place === undefined ? [] : [{ seq: place, ...rest }]
  })
  const removals = [...earlier, ...own]
  const beyond = removals.length - MOST_REMOVALS
  const marks = bookmarks?.flatMap(({ seq: old, text }) => {
    const place = placeOf(old)
    return place === undefined ? [] : [{ seq: place, text }]
  })
  const kept = part === 'session' ? before : part
  return {
    head: {
      ...head,
      servers: taken ? servers.filter(({ link }) => links.has(link)) : servers,
      ...(kept && kept !== 'session' ? { part: kept } : {}),
      ...(marks && marks.length > 0 ? { bookmarks: marks } : {}),
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

/** Keeps the first place of each value, because the user decides about a value once. */
const once = (places: readonly Place[]): readonly Place[] => {
  const seen = new Set<string>()
  return places.filter(({ value }) => !seen.has(value) && seen.add(value))
}

/** `undefined`: the whole session. */
const takenOf = async (frames: readonly Frame[], part: Part, seq: Seq | undefined): Promise<TakenPart | undefined> => {
  if (part === 'steps') return await stepsOnly(frames)
  return part === 'exchange' && seq !== undefined ? await exchangeWith(frames, seq) : undefined
}
