/**
 * Builds a session from another format. An importer adds its data in any order, each with its time, and gets frames in
 * order of time, including session openings and ends, which no other format has, inferred from the messages.
 */
import {
  eraOf,
  frameOf,
  idKey,
  isObject,
  isRequestId,
  isRevision,
  messagesIn,
  pacer,
  peerOf,
  REVISIONS,
} from '../../mcp/index.ts'
import type { Frame, FrameDraft, Json, Link, Peer, Revision, Seq } from '../../mcp/index.ts'
import { moved } from '../references.ts'
import { headOf } from '../write.ts'
import { type Damage, type OpenedSession, type RecordedServer, SessionFileError } from '../file.ts'
import { type Imported, importedNotes, type ImportFormat, type LossCode } from './imported.ts'

/**
 * The peer that a connection opened with, read from the response to its first request.
 *
 * @param method of the request
 * @param handshake the connection was opened by `initialize`, so an earlier probe didn't open it
 * @returns `undefined` if it doesn't open a session
 */
const openingOf = (method: string | undefined, result: Json | undefined, handshake: boolean): Peer | undefined =>
  method === 'initialize' ? shaken(result) : method === 'server/discover' && !handshake ? discovered(result) : undefined

const shaken = (result: Json | undefined): Peer | undefined => {
  if (!isObject(result)) return undefined
  const named = typeof result.protocolVersion === 'string' ? result.protocolVersion : ''
  const revision = nearest(named)
  const spoken = eraOf(revision) === 'handshake' ? revision : '2025-11-25'
  return peerOf(spoken, result, [{ saw: 'answered', revision: named.slice(0, 100) }])
}

const discovered = (result: Json | undefined): Peer | undefined => {
  if (!isObject(result) || !Array.isArray(result.supportedVersions)) return undefined
  const supported = (result.supportedVersions as readonly Json[]).filter((one) => typeof one === 'string').slice(0, 100)
  const revision = supported.filter(isRevision).sort().at(-1)
  if (revision === undefined || eraOf(revision) !== 'stateless') return undefined
  return { ...peerOf(revision, result, [{ saw: 'probe', revision, outcome: 'answered' }]), supported }
}

/** The newest known version that isn't newer: versions are dates, so string order is their order. */
const nearest = (named: string): Revision =>
  isRevision(named) ? named : (REVISIONS.findLast((revision) => revision <= named) ?? REVISIONS[0])

/** Frames created from a file: more would take too long. */
const MOST_FRAMES = 100_000
const MOST_LINKS = 1_000
/** Problems listed; further ones are counted. */
const MOST_DAMAGE = 100
const LONGEST_NAME = 200

interface Drafted {
  readonly draft: FrameDraft
  /** ms since the epoch. */
  readonly time: number
  /** The order among frames with the same time. */
  readonly order: number
}

export class Rebuilding {
  readonly #format: ImportFormat
  readonly #drafts: Drafted[] = []
  readonly #servers = new Map<string, RecordedServer>()
  readonly #losses = new Map<LossCode, number>()
  readonly #damage: Damage[] = []
  #damaged = 0
  /** The tool named in the file. */
  tool: string | undefined
  /** Times of messages may be too coarse to order requests and responses. */
  coarse = false
  /** ISO 8601, if the file says when it began; default: the earliest time in it. */
  begunAt: string | undefined

  constructor(format: ImportFormat) {
    this.#format = format
  }

  get full(): boolean {
    return this.#drafts.length >= MOST_FRAMES
  }

  get length(): number {
    return this.#drafts.length
  }

  /** The connection for a key; created on first use. */
  link(key: string, server: Omit<RecordedServer, 'link'>): Link {
    const known = this.#servers.get(key)
    if (known) return known.link
    // Beyond the limit, all share the last connection: only the IDs of their messages may collide.
    if (this.#servers.size >= MOST_LINKS) return `s${MOST_LINKS}`
    const link = `s${this.#servers.size + 1}`
    this.#servers.set(key, { ...server, link, name: server.name.slice(0, LONGEST_NAME) })
    return link
  }

  /**
   * @param time ms since the epoch
   * @returns the reference for other drafts
   */
  add(draft: FrameDraft, time: number, order = 0): Seq {
    if (this.full) return this.#drafts.length - 1
    return this.#drafts.push({ draft, time: Number.isFinite(time) ? time : 0, order }) - 1
  }

  harm(damage: Damage): void {
    this.#damaged++
    if (this.#damage.length < MOST_DAMAGE) this.#damage.push(damage)
  }

  /** Counts something in the file that a session can't hold, or something of a session that the file lacks. */
  lost(code: LossCode, count = 1): void {
    this.#losses.set(code, (this.#losses.get(code) ?? 0) + count)
  }

  /** @throws {SessionFileError} nothing to show was found */
  async opened(): Promise<OpenedSession> {
    if (this.#drafts.length === 0) {
      throw new SessionFileError('empty', 'The file contains no MCP messages', { format: this.#format })
    }
    this.lost('session')
    if (this.full) this.harm({ code: 'too-many-frames', limit: MOST_FRAMES })
    const order = this.#drafts.map((_, at) => at)
    const drafts = this.#drafts
    order.sort(
      (one, other) =>
        drafts[one]!.time - drafts[other]!.time || drafts[one]!.order - drafts[other]!.order || one - other,
    )
    const begun = this.begunAt === undefined ? Number.NaN : Date.parse(this.begunAt)
    const first = drafts[order[0]!]!.time
    // A file may claim a start after its first message.
    const start = Number.isFinite(begun) ? Math.min(begun, first) : first
    const sorted = this.coarse
      ? await answersLast(
          order,
          drafts.map(({ draft }) => draft),
        )
      : order
    const { placed, places } = await this.#placed(sorted, start)
    const pause = pacer()
    const frames: Frame[] = []
    for (const { frame, made } of placed) {
      frames.push(made ? frame : moved(frame, frames.length, (seq) => places.get(seq)))
      await pause()
    }
    const imported: Imported = {
      format: this.#format,
      ...(this.tool === undefined ? {} : { tool: this.tool.slice(0, LONGEST_NAME) }),
      losses: [...this.#losses].map(([code, count]) => ({ code, count })),
    }
    return {
      head: headOf({
        begunAt: dateOf(start),
        tool: { name: this.tool?.slice(0, LONGEST_NAME) ?? '', version: '' },
        servers: [...this.#servers.values()],
        notes: importedNotes(imported),
        more: { imported: imported as unknown as Json },
      }),
      frames,
      damage: this.#damage,
      damaged: this.#damaged,
    }
  }

  /** In order, with session openings after a server's description, and ends. */
  async #placed(order: readonly number[], start: number) {
    /** `made`: created here, so no other frame refers to it or is referred to by it. */
    const placed: { frame: Frame; made: boolean }[] = []
    const places = new Map<Seq, Seq>()
    const methods = new Map<string, string>()
    const handshakes = this.#handshakes()
    const links = new Set<Link>()
    const pause = pacer()
    const transports = new Map([...this.#servers.values()].map(({ link, transport }) => [link, transport ?? 'unknown']))
    const make = (draft: FrameDraft, at: number) =>
      placed.push({ frame: frameOf(draft, placed.length, at), made: true })
    let at = 0
    for (const id of order) {
      const { draft, time } = this.#drafts[id]!
      at = Math.max(at, time - start)
      places.set(id, placed.length)
      placed.push({ frame: frameOf(draft, id, at), made: false })
      links.add(draft.link)
      if (draft.kind === 'message' && isObject(draft.message) && isRequestId(draft.message.id)) {
        const { message, link } = draft
        const key = `${link} ${idKey(draft.message.id)}`
        if (draft.direction === 'sent' && typeof message.method === 'string') methods.set(key, message.method)
        else if (draft.direction === 'received' && 'result' in message) {
          const method = methods.get(key)
          methods.delete(key)
          const peer = openingOf(method, message.result, handshakes.has(link))
          if (peer) make({ kind: 'session', phase: 'open', link, peer, transport: transports.get(link)! }, at)
        }
      }
      await pause()
    }
    // A request without a response by now will get none, so it must not look pending.
    const end = placed.at(-1)!.frame.at
    for (const link of links) make({ kind: 'session', phase: 'closed', link, why: 'The file ends here' }, end)
    return { placed, places }
  }

  /** Connections that `initialize` opened: a probe before it opened nothing. */
  #handshakes(): ReadonlySet<Link> {
    const links = new Set<Link>()
    for (const { draft } of this.#drafts) {
      if (draft.kind === 'message' && isObject(draft.message) && draft.message.method === 'initialize')
        links.add(draft.link)
    }
    return links
  }
}

/** Times outside the range of dates begin at the epoch. */
const dateOf = (time: number): string => new Date(Math.abs(time) <= 8.64e15 ? time : 0).toISOString()

// Orders responses after their requests if times are too coarse, or only estimated.

/**
 * @param order indexes of drafts, sorted by time
 * @returns the same indexes: a response before the only request it can belong to is moved right after it
 */
const answersLast = async (order: readonly number[], drafts: readonly FrameDraft[]): Promise<number[]> => {
  const pause = pacer()
  /** The numbers of requests still to come, and of those awaiting a response. */
  const ahead = new Map<string, number>()
  const open = new Map<string, number>()
  for (const place of order) for (const { key, asks } of idsOf(drafts[place]!)) if (asks) count(ahead, key, 1)
  const held = new Map<string, number[]>()
  const sorted: number[] = []
  for (const place of order) {
    const ids = idsOf(drafts[place]!)
    // A request is never held back: a response may be waiting for it.
    const asking = ids.some(({ asks }) => asks)
    const early = asking ? undefined : ids.find(({ key }) => !open.get(key) && (ahead.get(key) ?? 0) > 0)
    if (early) {
      const waiting = held.get(early.key)
      if (waiting) waiting.push(place)
      else held.set(early.key, [place])
      count(ahead, early.key, -1)
      continue
    }
    sorted.push(place)
    for (const { key, asks } of ids) {
      const waiting = asks ? held.get(key)?.shift() : undefined
      if (waiting !== undefined) sorted.push(waiting)
      else if (asks) {
        count(ahead, key, -1)
        count(open, key, 1)
      } else if (open.get(key)) count(open, key, -1)
    }
    await pause()
  }
  return sorted
}

const count = (counts: Map<string, number>, key: string, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

interface Id {
  readonly key: string
  readonly asks: boolean
}

/** The request and response IDs in a draft; the key names the requesting side. */
const idsOf = (draft: FrameDraft): Id[] => {
  if (draft.kind !== 'message') return []
  const { message, direction, link } = draft
  return messagesIn(message).flatMap(({ id, method }) => {
    if (!isRequestId(id)) return []
    const asks = typeof method === 'string'
    return [{ key: `${link} ${(direction === 'sent') === asks ? 'client' : 'server'} ${idKey(id)}`, asks }]
  })
}
