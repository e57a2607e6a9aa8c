/**
 * Selects the frames in the list, and stays up to date without visiting the whole trace for one frame.
 *
 * There is one mechanism: a scanner walks the trace in slices with real task boundaries in between, and collects
 * matches. New frames extend its range; a new query restarts it; a frame whose exchange settled after the scanner had
 * passed is checked again. So the result is that of a full scan, and a burst of any length costs the caller of
 * `Trace.append` next to nothing.
 */
import {
  type Exchange,
  type Exchanges,
  type Frame,
  type FrameOf,
  type HttpExchanges,
  type Link,
  nextTask,
  pacer,
  type Projection,
  type Seq,
  Signal,
  type SignIns,
  type Trace,
} from '../mcp/index.ts'
import { requestBehind, stepOf, type Surroundings } from './facts.ts'
import { type Filter, parseFilter } from './filter.ts'
import { type ExchangeGroup, ExchangeGroups, ShownGroups } from './groups.ts'
import { type Order, RowOrder, type Sorting } from './sort.ts'
import { LargeTexts } from './large-texts.ts'
import { TimeAxis } from './time-axis.ts'
import { troubleIn, Troubles } from './trouble.ts'
import { type Counts, countsFrom, findingsOf, type FindingSource, noCounts } from './found.ts'

export interface RowSource {
  readonly trace: Trace
  readonly exchanges: Projection<Exchanges>
  readonly runs: Projection<HttpExchanges>
  readonly signIns: Projection<SignIns>
  readonly names: (link: Link) => string
}

/** What to show now. A new object for each change; `seqs` itself is shared with the index and changes in place. */
export interface Rows {
  readonly filter: Filter
  /** The frames that match, in order. */
  readonly seqs: readonly Seq[]
  /** The exchanges that contain them, in the order of their first frames. */
  readonly groups: readonly ExchangeGroup[]
  /** What the filter finds, by server; those of other servers too if only one is shown. */
  readonly byServer: ReadonlyMap<Link, readonly Seq[]>
  /** The same frames, or exchanges, sorted otherwise; absent if they are shown in order of time. */
  readonly seqOrder?: Order<Seq> | undefined
  readonly groupOrder?: Order<ExchangeGroup> | undefined
  /** Frames that were checked: the `1,204` of "214 of 1,204 frames". */
  readonly total: number
  /** Frames hidden by "clear". */
  readonly earlier: number
  /** Frames that arrived while paused; `undefined` when not paused. */
  readonly waiting: number | undefined
  /** Findings in the frames since `earlier`, by keyword. */
  readonly findings: Counts
  /** Whether they include frames of more than one connection. */
  readonly several: boolean
  /** The scanner hasn't reached the end yet. */
  readonly scanning: boolean
}

/** ms for which the previous result stays on screen during a scan: most scans finish within that time. */
const STAND_IN = 200

export class RowIndex {
  readonly #source: RowSource
  readonly #around: { -readonly [K in keyof Surroundings]: Surroundings[K] }
  readonly #pending: PendingExchanges
  readonly #changes = new Signal()
  readonly subscribe = this.#changes.subscribe
  readonly #unsubscribe: () => void
  #filter: Filter
  /** First frame that counts. */
  #from: Seq = 0
  /** Where the list was paused. */
  #pausedAt: Seq | undefined
  /** Next frame for the scanner. */
  #next: Seq = 0
  #found: Seq[] = []
  #foundGroups = new ShownGroups()
  #byServer = new Map<Link, Seq[]>()
  /** The connection whose frames are shown; absent for all. */
  #only: Link | undefined
  /** The exchanges of the whole trace, as far as the scanner has come. */
  readonly groups: ExchangeGroups
  readonly axis = new TimeAxis()
  /** Also of the whole trace. */
  readonly #troubles: Troubles
  readonly #order: RowOrder
  /** The previous result, while `#found` is new. */
  #former: { readonly rows: Rows; readonly until: number } | undefined
  /** Without a source of findings: those captured with the frames. */
  #counts = noCounts()
  #frozen: Counts | undefined
  #unwatch: (() => void) | undefined
  /** Frames before this one had been judged when their requests were last checked. */
  #judged: Seq = 0
  #link: Link | undefined
  #several = false
  /** Frames that the scanner has passed but must check again. */
  readonly #again = new Set<Seq>()
  /** The requests whose frames were checked again because they were probes. */
  readonly #probes = new WeakSet<Exchange>()
  #running: Promise<void> | undefined
  #shown: Rows | undefined
  #closed = false

  constructor(source: RowSource, query = '') {
    this.#source = source
    this.#filter = parseFilter(query)
    this.#pending = new PendingExchanges(source.exchanges)
    // The projections' states are changed in place, so these references stay valid.
    const { exchanges, runs, signIns, names } = source
    const large = new LargeTexts(this.#filter.texts)
    this.#around = { exchanges: exchanges.current, runs: runs.current, signIns: signIns.current, names, large }
    this.groups = new ExchangeGroups(this.#around)
    this.#troubles = new Troubles(source.trace, this.#around)
    this.#order = new RowOrder({
      trace: source.trace,
      around: this.#around,
      seqs: () => this.#found,
      groups: () => this.#foundGroups.list,
      hasSeq: (seq) => this.#finds(seq),
      hasGroup: this.#isShown,
    })
    this.#unsubscribe = source.trace.subscribe((frame) => this.#arrived(frame))
    this.#wake()
  }

  get current(): Rows {
    return (this.#shown ??= this.#rows())
  }

  /** Resolves when the scanner has caught up. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running
  }

  filter(query: string): void {
    if (query === this.#filter.text) return
    this.#filter = parseFilter(query)
    this.#around.large = new LargeTexts(this.#filter.texts)
    this.#restart()
  }

  /** Sorts one of the two lists. @param sorting absent: in order of time */
  sort(rows: 'frames' | 'exchanges', sorting: Sorting | undefined): void {
    this.#order.set(rows, sorting)
    this.#wake()
    this.#changed()
  }

  /** Shows the frames of one connection. @param link absent: of all */
  show(link: Link | undefined): void {
    if (link === this.#only) return
    this.#only = link
    this.#restart()
  }

  /** Sets the source of findings. It may still have frames to catch up with. */
  judgedBy(findings: FindingSource): void {
    this.#unwatch?.()
    this.#around.findings = findings
    this.#judged = findings.reached
    for (const seq of findings.current.bySeq.keys()) this.#checkAgain(seq)
    let checked = findings.reached
    this.#unwatch = findings.subscribe(() => {
      for (; checked < findings.reached; checked++) if (findings.current.bySeq.has(checked)) this.#checkAgain(checked)
      // A filter on findings waits at the first frame that hasn't been judged.
      if (this.#filter.finds) {
        this.#lookAgainAtRequests(findings.reached)
        this.#wake()
      }
      this.#changed()
    })
    if (this.#filter.finds) this.#restart()
    else this.#changed()
  }

  /** Sets the user's notes. Frames whose notes changed are checked again. */
  notedBy(notes: ReadonlyMap<Seq, string>): void {
    const before = this.#around.notes
    this.#around.notes = notes
    for (const seq of new Set([...(before?.keys() ?? []), ...notes.keys()])) {
      if (before?.get(seq) !== notes.get(seq) && seq >= this.#from && seq < this.#next) this.#again.add(seq)
    }
    this.#wake()
    this.#changed()
  }

  /** Hides the current frames. */
  clear(): void {
    this.#from = this.#limit
    this.#restart()
  }

  /** Undoes `clear`. */
  showEarlier(): void {
    this.#from = 0
    this.#restart()
  }

  /** Freezes the list; the trace keeps receiving frames. */
  pause(): void {
    this.#pausedAt ??= this.#source.trace.length
    this.#frozen ??= this.#counted()
    this.#changed()
  }

  resume(): void {
    this.#pausedAt = undefined
    this.#frozen = undefined
    this.#order.reset()
    this.#wake()
    this.#changed()
  }

  /** The first `most` exchanges in the list that show an error or a violation. */
  troubled(most: number): readonly ExchangeGroup[] {
    return this.#troubles.first(most, this.#isShown)
  }

  /**
   * The frame to select for the next exchange in the list that shows an error or a violation; after the last one, the
   * first. It is the frame in question, or the first of its exchange that the filter shows.
   *
   * @param from where to begin; absent: at the beginning, or backwards from the end
   */
  nextTrouble(from: Seq | undefined, step: 1 | -1): Seq | undefined {
    const group = this.#troubles.next(from === undefined ? undefined : this.groups.of(from), step, this.#isShown)
    const wanted = group && troubleIn(group, this.#source.trace, this.#around)
    if (wanted === undefined || this.#finds(wanted)) return wanted
    return group?.frames.find((seq) => this.#finds(seq))
  }

  #finds(seq: Seq): boolean {
    return this.#found[positionOf(this.#found, seq)] === seq
  }

  readonly #isShown = (group: ExchangeGroup): boolean => this.#foundGroups.has(group)

  close(): void {
    this.#closed = true
    this.#unsubscribe()
    this.#unwatch?.()
    this.#changes.clear()
  }

  get #limit(): Seq {
    return this.#pausedAt ?? this.#source.trace.length
  }

  /** The limit of the scanner. */
  get #reachable(): Seq {
    const { findings } = this.#around
    return this.#filter.finds && findings ? Math.min(this.#limit, findings.reached) : this.#limit
  }

  #counted(): Counts {
    const { findings } = this.#around
    return findings ? countsFrom(findings.current, this.#from) : { ...this.#counts }
  }

  #rows(): Rows {
    if (this.#former) {
      const { rows } = this.#former
      return { ...rows, filter: this.#filter, waiting: this.#waiting(), scanning: true }
    }
    return {
      filter: this.#filter,
      seqs: this.#found,
      groups: this.#foundGroups.list,
      byServer: this.#byServer,
      seqOrder: this.#order.frames,
      groupOrder: this.#order.groups,
      total: this.#next - this.#from,
      earlier: this.#from,
      waiting: this.#waiting(),
      findings: this.#frozen ?? this.#counted(),
      several: this.#several,
      scanning: this.#next < this.#limit,
    }
  }

  #waiting(): number | undefined {
    return this.#pausedAt === undefined ? undefined : this.#source.trace.length - this.#pausedAt
  }

  #changed(): void {
    this.#shown = undefined
    this.#changes.emit()
  }

  #restart(): void {
    this.#former = { rows: this.current, until: performance.now() + STAND_IN }
    this.#next = this.#from
    this.#found = []
    this.#foundGroups = new ShownGroups()
    this.#byServer = new Map()
    this.#counts = noCounts()
    this.#link = undefined
    this.#several = false
    this.#again.clear()
    this.#order.reset()
    this.#wake()
    this.#changed()
  }

  #arrived(frame: Frame): void {
    for (const exchange of this.#pending.settledBy(frame)) this.#lookAgain(exchange.request)
    if (frame.kind === 'http' && frame.phase !== 'request') this.#lookAgain(frame.request)
    if (frame.kind === 'auth') this.#stepped(frame)
    // A server's name is final once its session is open.
    if (frame.kind === 'session' && frame.phase === 'open') {
      this.#opened(frame.link)
      if (this.#filter.named) this.#restart()
      else if (this.#order.by === 'server') this.#order.reset()
    }
    if (this.#pausedAt === undefined) this.#wake()
    else this.#changed()
  }

  /** Rechecks the frames of the requests that were probes, now that the connection is open. */
  #opened(link: Link): void {
    const probes = this.#around.exchanges.failedOpenings.get(link) ?? []
    // A broken recording may open a connection many times.
    const groups = new Set(
      probes.filter((probe) => !this.#probes.has(probe)).map(({ request }) => this.groups.of(request)),
    )
    for (const probe of probes) this.#probes.add(probe)
    for (const group of groups) {
      for (const seq of group?.frames ?? []) {
        if (requestBehind(this.#source.trace.at(seq)!, this.#around)?.probe) this.#lookAgain(seq)
      }
    }
  }

  /** Rechecks the frames that a sign-in frame affects. */
  #stepped(frame: FrameOf<'auth'>): void {
    const { signIns } = this.#around
    const step = stepOf(frame, this.#around)
    for (const { begun, frames } of step ? [step, ...signIns.settled] : signIns.settled) {
      for (const seq of [begun, ...frames]) this.#lookAgain(seq)
    }
    const flow = frame.event === 'end' ? signIns.flows.get(frame.seq) : undefined
    if (flow) this.#lookAgain(flow.begun)
  }

  /** Findings of a response also appear on its request, which the scanner has already passed. */
  #lookAgainAtRequests(reached: Seq): void {
    const { exchanges } = this.#around
    for (; this.#judged < reached; this.#judged++) {
      const exchange = exchanges.bySeq.get(this.#judged)
      if (exchange?.response === this.#judged) this.#lookAgain(exchange.request)
    }
  }

  #checkAgain(seq: Seq): void {
    const group = this.groups.of(seq)
    // Frames that the scanner hasn't reached are checked there.
    if (!group) return
    this.#troubles.check(this.#source.trace.at(seq)!, group)
    this.#touch(seq)
  }

  /** A paused list keeps its order. */
  #touch(seq: Seq): void {
    if (this.#pausedAt === undefined) this.#order.touch(seq, this.groups.of(seq))
  }

  #lookAgain(seq: Seq): void {
    this.#checkAgain(seq)
    // Even if the filter is unaffected: the visible row shows the status and must be redrawn.
    if (this.#filter.settles && seq >= this.#from && seq < this.#next) this.#again.add(seq)
  }

  #wake(): void {
    this.#running ??= this.#scan().finally(() => {
      this.#running = undefined
      // A frame may have arrived since the scanner's last check.
      if (!this.#closed && this.#behind) this.#wake()
    })
  }

  async #scan(): Promise<void> {
    await nextTask()
    const pace = pacer()
    while (!this.#closed && this.#behind) {
      if (!this.#unscanned) {
        await this.#order.settle(pace)
        continue
      }
      // Check the clock only after several frames: it costs more than testing a frame.
      for (let left = 32; left > 0 && this.#unscanned; left--) this.#step()
      if (this.#former && (!this.#unscanned || performance.now() > this.#former.until)) this.#former = undefined
      const pause = pace()
      if (!pause) continue
      this.#changed()
      await pause
    }
    this.#former = undefined
    this.#changed()
  }

  get #behind(): boolean {
    return this.#unscanned || this.#order.unsorted || (this.#order.behind && this.#pausedAt === undefined)
  }

  get #unscanned(): boolean {
    return this.#next < this.#reachable || (this.#again.size > 0 && this.#pausedAt === undefined)
  }

  #step(): void {
    if (this.#next >= this.#reachable) {
      const [seq] = this.#again
      if (this.#isUnread(seq!)) return
      this.#again.delete(seq!)
      return this.#retest(seq!)
    }
    if (this.groups.length <= this.#next) {
      this.#group(this.#source.trace.at(this.groups.length)!)
      // `clear` skips frames, but later ones may belong to their exchanges.
      if (this.groups.length <= this.#next) return
    }
    if (this.#isUnread(this.#next)) return
    const frame = this.#source.trace.at(this.#next++)!
    if (!this.#around.findings) for (const { keyword } of findingsOf(frame, undefined)) this.#counts[keyword]++
    this.#link ??= frame.link
    this.#several ||= frame.link !== this.#link
    if (!this.#filter.matches(frame, this.#around)) {
      if (this.#filter.hides?.(frame, this.#around)) {
        this.#foundGroups.drop(this.groups.of(frame.seq)!, frame.seq)
        this.#touch(frame.seq)
      }
      return
    }
    const ofServer = this.#byServer.get(frame.link)
    if (ofServer) ofServer.push(frame.seq)
    else this.#byServer.set(frame.link, [frame.seq])
    if (this.#only !== undefined && frame.link !== this.#only) return
    this.#found.push(frame.seq)
    this.#showGroup(frame.seq)
  }

  /** Reads a piece of a large frame that the filter searches for words. @returns whether it must be read further */
  #isUnread(seq: Seq): boolean {
    const frame = this.#source.trace.at(seq)!
    const { large } = this.#around
    if (!large?.awaits(frame)) return false
    large.read(frame)
    return true
  }

  #showGroup(seq: Seq): void {
    const group = this.groups.of(seq)!
    const main = this.#source.trace.at(group.main)
    // An HTTP request is shown before the message it carries is known.
    if (main && this.#filter.hides?.(main, this.#around)) this.#foundGroups.drop(group)
    else this.#foundGroups.add(group)
    this.#touch(seq)
  }

  #group(frame: Frame): void {
    this.groups.add(frame)
    this.#checkAgain(frame.seq)
    const seq = frame.kind === 'session' && frame.phase === 'gave-up' ? frame.request : frame.seq
    this.axis.add(frame, this.#around.exchanges.bySeq.get(seq))
  }

  #retest(seq: Seq): void {
    const frame = this.#source.trace.at(seq)!
    const matches = this.#filter.matches(frame, this.#around)
    const ofServer = this.#byServer.get(frame.link)
    if (ofServer) toggle(ofServer, seq, matches)
    else if (matches) this.#byServer.set(frame.link, [seq])
    if (this.#only !== undefined && frame.link !== this.#only) return
    if (!toggle(this.#found, seq, matches)) return
    if (matches) return this.#showGroup(seq)
    this.#foundGroups.remove(this.groups.of(seq)!)
    this.#touch(seq)
  }
}

/** Adds a frame to a sorted array, or removes it. @returns whether that changed it */
const toggle = (seqs: Seq[], seq: Seq, wanted: boolean): boolean => {
  const at = positionOf(seqs, seq)
  const there = seqs[at] === seq
  if (there === wanted) return false
  seqs.splice(at, there ? 1 : 0, ...(wanted ? [seq] : []))
  return true
}

/** The index of `seq` in a sorted array, or where it would be inserted. */
export const positionOf = (seqs: readonly Seq[], seq: Seq): number => {
  let low = 0
  let high = seqs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (seqs[middle]! < seq) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Finds the exchanges that a frame has just settled, for readers that keep a mark per exchange and can't visit all of
 * them.
 */
export class PendingExchanges {
  readonly #exchanges: Projection<Exchanges>
  readonly #open = new Set<Exchange>()

  /** @param from exchanges with an earlier request are skipped */
  constructor(exchanges: Projection<Exchanges>, from: Seq = 0) {
    this.#exchanges = exchanges
    const { all } = exchanges.current
    for (let at = all.length - 1; at >= 0 && all[at]!.request >= from; at--) {
      if (all[at]!.status === 'pending') this.#open.add(all[at]!)
    }
  }

  /** Call once per new frame, after the exchanges have seen it. */
  settledBy(frame: Frame): readonly Exchange[] {
    const { bySeq } = this.#exchanges.current
    if (frame.kind === 'message') {
      // One batch may contain many requests and responses, and `bySeq` refers to only one of them.
      if (frame.type === 'batch') return this.#sweepBatch(frame)
      return this.#check(bySeq.get(frame.seq), frame)
    }
    if (frame.kind !== 'session') return NONE
    // The end of a connection settles everything that was pending on it.
    if (frame.phase === 'closed' || frame.phase === 'failed') return this.#sweep()
    return frame.phase === 'gave-up' ? this.#check(bySeq.get(frame.request), frame) : NONE
  }

  #check(exchange: Exchange | undefined, frame: Frame): readonly Exchange[] {
    if (!exchange) return NONE
    if (exchange.status === 'pending') {
      if (exchange.request === frame.seq) this.#open.add(exchange)
      return NONE
    }
    return this.#open.delete(exchange) ? [exchange] : NONE
  }

  #sweep(): readonly Exchange[] {
    const settled = [...this.#open].filter((exchange) => exchange.status !== 'pending')
    for (const exchange of settled) this.#open.delete(exchange)
    return settled
  }

  #sweepBatch(frame: Frame): readonly Exchange[] {
    const settled = this.#sweep()
    const { all } = this.#exchanges.current
    for (let at = all.length - 1; at >= 0 && all[at]!.request === frame.seq; at--) {
      if (all[at]!.status === 'pending') this.#open.add(all[at]!)
    }
    return settled
  }
}

const NONE: readonly Exchange[] = []
