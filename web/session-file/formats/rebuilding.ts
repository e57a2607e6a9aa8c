/**
 * A session put together from another format. What an importer finds is added in any order, each with its time, and
 * comes out as frames in theirs: with openings and ends, which no other format has, made from the messages.
 */
import {
  type Frame,
  type FrameDraft,
  type Json,
  type Link,
  type Peer,
  REVISIONS,
  type Revision,
  type Seq,
  eraOf,
  idKey,
  isObject,
  isRequestId,
  isRevision,
  pacer,
} from '../../mcp/index.ts'
import { moved } from '../references.ts'
import { answersLast } from './causal.ts'
import { headOf } from '../write.ts'
import { type Damage, type OpenedSession, type RecordedServer, SessionFileError } from '../file.ts'
import { type ImportFormat, type Imported, type LossCode, importedNotes } from './imported.ts'

/** What a server said of itself when a connection was opened, read from its answer. */

/**
 * @param method what was answered
 * @param handshake the connection was opened by `initialize`, so that a probe before it opened nothing
 * @returns `undefined`: it opens nothing
 */
const openingOf = (method: string | undefined, result: Json | undefined, handshake: boolean): Peer | undefined =>
  method === 'initialize' ? shaken(result) : method === 'server/discover' && !handshake ? discovered(result) : undefined

const shaken = (result: Json | undefined): Peer | undefined => {
  if (!isObject(result)) return undefined
  const named = typeof result.protocolVersion === 'string' ? result.protocolVersion : ''
  const revision = nearest(named)
  return {
    era: 'handshake',
    revision: eraOf(revision) === 'handshake' ? revision : '2025-11-25',
    info: isObject(result.serverInfo) ? result.serverInfo : {},
    capabilities: isObject(result.capabilities) ? result.capabilities : {},
    ...(typeof result.instructions === 'string' ? { instructions: result.instructions } : {}),
    evidence: [{ saw: 'answered', revision: named.slice(0, 100) }],
  }
}

const discovered = (result: Json | undefined): Peer | undefined => {
  if (!isObject(result) || !Array.isArray(result.supportedVersions)) return undefined
  const supported = (result.supportedVersions as readonly Json[]).filter((one) => typeof one === 'string').slice(0, 100)
  const revision = supported.filter(isRevision).sort().at(-1)
  if (revision === undefined || eraOf(revision) !== 'stateless') return undefined
  const meta = isObject(result._meta) ? result._meta['io.modelcontextprotocol/serverInfo'] : undefined
  const info = isObject(meta) ? meta : result.serverInfo
  return {
    era: 'stateless',
    revision,
    info: isObject(info) ? info : {},
    capabilities: isObject(result.capabilities) ? result.capabilities : {},
    ...(typeof result.instructions === 'string' ? { instructions: result.instructions } : {}),
    evidence: [{ saw: 'probe', revision, outcome: 'answered' }],
    supported,
  }
}

/** The newest that is no newer: revisions are dates, so their order is that of their texts. */
const nearest = (named: string): Revision =>
  isRevision(named) ? named : (REVISIONS.findLast((revision) => revision <= named) ?? REVISIONS[0])

/** Frames made of a file at most: more would take a page longer than its user waits. */
const MOST_FRAMES = 100_000
const MOST_LINKS = 1_000
/** Damage is listed so often; the rest is counted. */
const MOST_DAMAGE = 100
const LONGEST_NAME = 200

interface Drafted {
  readonly draft: FrameDraft
  /** ms since the epoch. */
  readonly time: number
  /** Among those of one time. */
  readonly order: number
}

export class Rebuilding {
  readonly #format: ImportFormat
  readonly #drafts: Drafted[] = []
  readonly #servers = new Map<string, RecordedServer>()
  readonly #losses = new Map<LossCode, number>()
  readonly #damage: Damage[] = []
  #damaged = 0
  /** Who wrote the file, as it says. */
  tool: string | undefined
  /** Times of messages may be too coarse to tell answers from what they answer. */
  coarse = false
  /** ISO 8601, where the file says when it began; default: the earliest time in it. */
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

  /** The connection that a key stands for; a new one where it is met first. */
  link(key: string, server: Omit<RecordedServer, 'link'>): Link {
    const known = this.#servers.get(key)
    if (known) return known.link
    // Beyond the bound all share the last: the ids of their messages may be mixed up, and nothing else.
    if (this.#servers.size >= MOST_LINKS) return `s${MOST_LINKS}`
    const link = `s${this.#servers.size + 1}`
    this.#servers.set(key, { ...server, link, name: server.name.slice(0, LONGEST_NAME) })
    return link
  }

  /**
   * @param time ms since the epoch
   * @returns what other drafts name this one by
   */
  add(draft: FrameDraft, time: number, order = 0): Seq {
    if (this.full) return this.#drafts.length - 1
    return this.#drafts.push({ draft, time: Number.isFinite(time) ? time : 0, order }) - 1
  }

  harm(damage: Damage): void {
    this.#damaged++
    if (this.#damage.length < MOST_DAMAGE) this.#damage.push(damage)
  }

  /** Something of the file that a session cannot hold, or of a session that is not in the file. */
  lost(code: LossCode, count = 1): void {
    this.#losses.set(code, (this.#losses.get(code) ?? 0) + count)
  }

  /** @throws {SessionFileError} nothing was found that could be shown */
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
    // A file may say that it began after its first message.
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
      const wait = pause()
      if (wait) await wait
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

  /** In order, with openings where a server has introduced itself, and ends. */
  async #placed(order: readonly number[], start: number) {
    /** `made` here: nobody names it, and it names nobody. */
    const placed: { frame: Frame; made: boolean }[] = []
    const places = new Map<Seq, Seq>()
    const asked = new Map<string, string>()
    const handshakes = this.#handshakes()
    const links = new Set<Link>()
    const pause = pacer()
    const transports = new Map([...this.#servers.values()].map(({ link, transport }) => [link, transport ?? 'unknown']))
    const make = (draft: FrameDraft, at: number) =>
      placed.push({ frame: { ...draft, seq: placed.length, at }, made: true })
    let at = 0
    for (const id of order) {
      const { draft, time } = this.#drafts[id]!
      at = Math.max(at, time - start)
      places.set(id, placed.length)
      placed.push({ frame: { ...draft, seq: id, at }, made: false })
      links.add(draft.link)
      if (draft.kind === 'message' && isObject(draft.message) && isRequestId(draft.message.id)) {
        const { message, link } = draft
        const key = `${link} ${idKey(draft.message.id)}`
        if (draft.direction === 'sent' && typeof message.method === 'string') asked.set(key, message.method)
        else if (draft.direction === 'received' && 'result' in message) {
          const method = asked.get(key)
          asked.delete(key)
          const peer = openingOf(method, message.result, handshakes.has(link))
          if (peer) make({ kind: 'session', phase: 'open', link, peer, transport: transports.get(link)! }, at)
        }
      }
      const wait = pause()
      if (wait) await wait
    }
    // What has no answer by now will have none: it must not look as if it still ran.
    const end = placed.at(-1)!.frame.at
    for (const link of links) make({ kind: 'session', phase: 'closed', link, why: 'The file ends here' }, end)
    return { placed, places }
  }

  /** Connections that were opened by `initialize`: a probe before it opened nothing. */
  #handshakes(): ReadonlySet<Link> {
    const links = new Set<Link>()
    for (const { draft } of this.#drafts) {
      if (draft.kind === 'message' && isObject(draft.message) && draft.message.method === 'initialize')
        links.add(draft.link)
    }
    return links
  }
}

/** Times outside what a date can say begin at the epoch. */
const dateOf = (time: number): string => new Date(Math.abs(time) <= 8.64e15 ? time : 0).toISOString()
