/**
 * Groups the frames of a trace into exchanges: a request with its response, its notifications, the server's requests
 * during the call, retries, HTTP requests and resumptions. Connecting is one group, and so is a sign-in. What belongs to
 * nothing else is a group of its own.
 *
 * Each frame is added once, and costs the same in a trace of any length.
 */
import type { Exchange, Frame, FrameOf, Link, Seq } from '../mcp/index.ts'
import type { Surroundings } from './facts.ts'

export interface ExchangeGroup {
  readonly kind: 'connect' | 'exchange' | 'http' | 'sign-in' | 'frame'
  /** Its first frame, by which it is known. */
  readonly first: Seq
  /** The frame that its row describes, such as the request. */
  readonly main: Seq
  /** All frames in order, `first` and `main` included. */
  readonly frames: readonly Seq[]
  readonly link: Link
  /** ms since the trace began, of the first and the last frame. */
  readonly startedAt: number
  readonly lastAt: number
  /** Bytes of its messages; of its bodies if it has no message. */
  readonly size: number
  /** How connecting ended, and when, in ms since the trace began. With HTTP+SSE, frames of its stream follow for good. */
  readonly outcome?: 'open' | 'failed'
  readonly endedAt?: number
}

type Building = { -readonly [Key in keyof ExchangeGroup]: ExchangeGroup[Key] } & { readonly frames: Seq[] }

export class ExchangeGroups {
  readonly #around: Surroundings
  /** In the order of their first frames. */
  readonly #all: Building[] = []
  /** By seq. */
  readonly #of: Building[] = []
  /** The connections being opened. */
  readonly #connecting = new Map<Link, Building>()
  readonly #open = new Set<Link>()

  constructor(around: Surroundings) {
    this.#around = around
  }

  get all(): readonly ExchangeGroup[] {
    return this.#all
  }

  /** Number of frames added: the seq of the next one. */
  get length(): number {
    return this.#of.length
  }

  /** The group of a frame that was added. */
  of(seq: Seq): ExchangeGroup | undefined {
    return this.#of[seq]
  }

  /** Call it once per frame, in order. */
  add(frame: Frame): void {
    const group = this.#groupOf(frame)
    this.#of.push(group)
    group.frames.push(frame.seq)
    group.lastAt = frame.at
    if (frame.kind === 'message') group.size += frame.size
    else if (group.kind === 'http' && 'size' in frame && typeof frame.size === 'number') group.size += frame.size
    if (frame.kind !== 'session') return
    if (frame.phase === 'open' || frame.phase === 'failed') {
      if (group.kind === 'connect') {
        group.outcome = frame.phase
        group.endedAt = frame.at
      }
      this.#connecting.delete(frame.link)
      if (frame.phase === 'open') this.#open.add(frame.link)
    } else if (frame.phase === 'closed') {
      this.#connecting.delete(frame.link)
      this.#open.delete(frame.link)
    }
  }

  #groupOf(frame: Frame): Building {
    return this.#belongsTo(frame) ?? this.#new(kindOf(frame), frame)
  }

  #belongsTo(frame: Frame): Building | undefined {
    switch (frame.kind) {
      case 'message':
        return this.#messageGroup(frame)
      case 'http':
        return this.#httpGroup(frame)
      case 'stream':
        return this.#of[frame.request]
      case 'auth':
        return this.#signInGroup(frame)
      case 'session':
        if (frame.phase === 'gave-up' || frame.phase === 'extended') return this.#of[frame.request]
        return frame.phase === 'opening' && !this.#open.has(frame.link)
          ? this.#connect(frame)
          : this.#connecting.get(frame.link)
      case 'process':
        return frame.event === 'spawn' || frame.event === 'spawn-failed'
          ? this.#connect(frame)
          : this.#connecting.get(frame.link)
      case 'fault':
        if (frame.event === 'injected' && frame.request !== undefined) return this.#of[frame.request]
        return this.#connecting.get(frame.link)
      case 'transport':
        return frame.event === 'opening' ? this.#connect(frame) : this.#connecting.get(frame.link)
    }
  }

  #messageGroup(frame: FrameOf<'message'>): Building | undefined {
    const connecting = this.#connecting.get(frame.link)
    if (connecting) return connecting
    const exchange: Exchange | undefined = this.#around.exchanges.bySeq.get(frame.seq)
    if (exchange && exchange.request < frame.seq) return this.#of[exchange.request]
    const carrier = frame.carrier === undefined ? undefined : this.#of[frame.carrier]
    if (!carrier) return undefined
    // The request that a POST carries is what its row is about.
    if (carrier.kind === 'http' && carrier.main === frame.carrier && frame.direction === 'sent') {
      Object.assign(carrier, { kind: 'exchange', main: frame.seq, size: 0 } satisfies Partial<ExchangeGroup>)
      return carrier
    }
    // Messages on a stream that isn't the response to a request belong to nothing.
    return carrier.kind === 'http' ? undefined : carrier
  }

  #httpGroup(frame: FrameOf<'http'>): Building | undefined {
    if (frame.phase !== 'request') return this.#of[frame.request]
    const before = frame.again ?? frame.origin
    const earlier = before === undefined ? undefined : this.#of[before]
    if (earlier) return earlier
    if (frame.step !== undefined && frame.step < frame.seq) return this.#of[frame.step]
    return this.#connecting.get(frame.link)
  }

  #signInGroup(frame: FrameOf<'auth'>): Building | undefined {
    if (frame.event === 'flow') return undefined
    const { steps, flows } = this.#around.signIns
    const begun = frame.event === 'step' ? frame.seq : 'begun' in frame ? frame.begun : undefined
    const flow = (begun === undefined ? undefined : steps.get(begun)?.of?.begun) ?? flows.get(frame.seq)?.begun
    return flow === undefined || flow >= frame.seq ? undefined : this.#of[flow]
  }

  /** The group of the attempt to connect that a frame belongs to, or begins. */
  #connect(frame: Frame): Building {
    let group = this.#connecting.get(frame.link)
    if (!group) this.#connecting.set(frame.link, (group = this.#new('connect', frame)))
    return group
  }

  #new(kind: ExchangeGroup['kind'], { seq, link, at }: Frame): Building {
    const group = { kind, first: seq, main: seq, frames: [], link, startedAt: at, lastAt: at, size: 0 }
    this.#all.push(group)
    return group
  }
}

const kindOf = (frame: Frame): ExchangeGroup['kind'] => {
  if (frame.kind === 'http') return 'http'
  if (frame.kind === 'auth') return frame.event === 'flow' ? 'sign-in' : 'frame'
  return frame.kind === 'message' && frame.type === 'request' ? 'exchange' : 'frame'
}

/** Which groups have matching frames, kept sorted while matches come and go. */
export class ShownGroups {
  readonly list: ExchangeGroup[] = []
  readonly #matches = new Map<ExchangeGroup, number>()

  has(group: ExchangeGroup): boolean {
    return this.#matches.has(group)
  }

  add(group: ExchangeGroup): void {
    const matches = this.#matches.get(group) ?? 0
    this.#matches.set(group, matches + 1)
    if (matches === 0) this.list.splice(positionIn(this.list, group.first), 0, group)
  }

  /** @param main absent: whatever its main frame is */
  drop(group: ExchangeGroup, main = group.main): void {
    if (group.main !== main || !this.#matches.delete(group)) return
    this.list.splice(positionIn(this.list, group.first), 1)
  }

  remove(group: ExchangeGroup): void {
    const matches = this.#matches.get(group) ?? 0
    if (matches > 1) this.#matches.set(group, matches - 1)
    else if (this.#matches.delete(group)) this.list.splice(positionIn(this.list, group.first), 1)
  }
}

/** The index of the group with this first frame in a sorted list, or where it would be inserted. */
export const positionIn = (groups: readonly ExchangeGroup[], first: Seq): number => {
  // Most groups are added at the end.
  if (groups.length === 0 || groups.at(-1)!.first < first) return groups.length
  let low = 0
  let high = groups.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (groups[middle]!.first < first) low = middle + 1
    else high = middle
  }
  return low
}

/** One line of the list: a group, or a frame of an open group. */
export interface GroupLine {
  readonly group: ExchangeGroup
  /** Absent: the line of the group itself. */
  readonly frame?: Seq
}

/** The lines of groups of which some are open. Finding a line takes time that grows with the open groups only. */
export class GroupLines {
  readonly #groups: readonly ExchangeGroup[]
  readonly #placeOf: (first: Seq) => number
  /** Positions of the open groups, and the number of lines above the first frame of each. */
  readonly #open: readonly { readonly at: number; readonly line: number; readonly frames: readonly Seq[] }[]
  readonly length: number

  /**
   * @param open the `first` of each open group
   * @param placeOf where the group with this first frame is; absent: the groups are in order of time
   */
  constructor(
    groups: readonly ExchangeGroup[],
    open: Iterable<Seq>,
    placeOf: (first: Seq) => number = (first) => positionIn(groups, first),
  ) {
    this.#groups = groups
    this.#placeOf = placeOf
    const positions: number[] = []
    for (const first of open) {
      const at = placeOf(first)
      if (groups[at]?.first === first) positions.push(at)
    }
    positions.sort((one, other) => one - other)
    let more = 0
    this.#open = positions.map((at) => {
      const { main, frames } = groups[at]!
      const folded = frames.filter((seq) => seq !== main)
      const line = at + 1 + more
      more += folded.length
      return { at, line, frames: folded }
    })
    this.length = groups.length + more
  }

  at(line: number): GroupLine | undefined {
    let more = 0
    for (const { at, line: from, frames } of this.#open) {
      if (line < from) break
      if (line < from + frames.length) return { group: this.#groups[at]!, frame: frames[line - from]! }
      more += frames.length
    }
    const group = this.#groups[line - more]
    return group && { group }
  }

  /** @returns -1 if no line shows the frame */
  lineOf(seq: Seq, of: ExchangeGroup | undefined): number {
    if (!of) return -1
    const at = this.#placeOf(of.first)
    if (this.#groups[at] !== of) return -1
    let more = 0
    for (const open of this.#open) {
      if (open.at > at) break
      if (open.at === at && seq !== of.main) {
        const index = open.frames.indexOf(seq)
        return index < 0 ? -1 : open.line + index
      }
      if (open.at < at) more += open.frames.length
    }
    // Within a closed group, the row of the group stands for its frames.
    return at + more
  }
}
