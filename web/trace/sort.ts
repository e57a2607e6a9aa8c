/**
 * The rows of a list in another order than that of time, kept while frames arrive.
 *
 * What changes is put in its place with a binary search, so that a frame costs next to nothing in a trace of any
 * length. Only much at once, such as another filter or another column, sorts everything again, in slices with real task
 * boundaries in between; until then the rows keep their former order.
 */
import type { Frame, Seq, Trace } from '../mcp/index.ts'
import { directionOf, methodOf, pairOf, sizeOf, type Status, statusOf, type Surroundings, tookOf } from './facts.ts'
import { findingsOf, type Keyword } from './found.ts'
import type { ExchangeGroup } from './groups.ts'

export type SortBy = 'number' | 'time' | 'server' | 'direction' | 'method' | 'status' | 'duration' | 'size' | 'problems'

export interface Sorting {
  readonly by: SortBy
  readonly down: boolean
}

/** What a row is sorted by. Rows without one, such as a running call without a duration, come last in both directions. */
type Key = number | string | undefined

/** From what went well to what went badly. An HTTP status is among those of `ok` or `error`. */
const STATUSES: readonly Exclude<Status, number>[] = [
  'ok', 'probe', 'resumed', 'undone', 'forced', 'pending', 'waiting', 'cancelled', 'gap', 'unexpected', 'invalid', 'tool-error', 'error',
  'timed-out', 'lost',
] // prettier-ignore

const rankOf = (status: Status | undefined): number | undefined => {
  if (status === undefined) return undefined
  if (typeof status !== 'number') return STATUSES.indexOf(status)
  return STATUSES.indexOf(status < 400 ? 'ok' : 'error') + status / 1000
}

const SEVERITY: Readonly<Record<Keyword, number>> = { ADVICE: 1, MAY: 2, SHOULD: 3, MUST: 4 }

/** Frames of an exchange whose problems are counted, as in its row. */
const JUDGED = 200

/** The strongest keyword first, then their number. */
const problemKey = (seqs: readonly Seq[], trace: Trace, around: Surroundings): number | undefined => {
  let [strongest, count] = [0, 0]
  for (const seq of seqs.slice(0, JUDGED)) {
    const frame = trace.at(seq)
    // The request repeats the findings of its response.
    if (!frame || (seqs.length > 1 && pairOf(frame, around)?.request === seq)) continue
    for (const { keyword } of findingsOf(frame, around.findings)) {
      strongest = Math.max(strongest, SEVERITY[keyword])
      count++
    }
  }
  return count === 0 ? undefined : strongest + Math.min(count, 999) / 1000
}

/** UTF-16 units that are compared: names come from servers. */
const COMPARED = 200

/** Frames without a method are sorted by what they are. */
const methodKey = (frame: Frame, around: Surroundings): string => {
  const kind =
    frame.kind === 'http' || frame.kind === 'session' ? frame.phase : 'event' in frame ? frame.event : frame.type
  const words = [methodOf(frame, around) ?? `${frame.kind} ${kind}`, pairOf(frame, around)?.subject ?? '']
  return words.join(' ').slice(0, COMPARED).toLowerCase()
}

export const frameKey = (frame: Frame, by: SortBy, trace: Trace, around: Surroundings): Key => {
  switch (by) {
    case 'direction':
      return directionOf(frame)
    case 'problems':
      return problemKey([frame.seq], trace, around)
    case 'number':
      return frame.seq
    case 'time':
      return frame.at
    case 'server':
      return around.names(frame.link).toLowerCase()
    case 'method':
      return methodKey(frame, around)
    case 'status':
      return rankOf(statusOf(frame, around))
    case 'duration':
      return tookOf(frame, around)
    case 'size':
      return sizeOf(frame)
  }
}

/** As its row shows it. */
export const groupKey = (group: ExchangeGroup, by: SortBy, trace: Trace, around: Surroundings): Key => {
  const main = trace.at(group.main)
  if (!main) return undefined
  if (by === 'size') return group.size || undefined
  if (by === 'problems') return problemKey(group.frames, trace, around)
  if (group.kind === 'connect') {
    if (by === 'method') return 'connect'
    if (by === 'status')
      return rankOf(group.outcome === undefined ? 'pending' : group.outcome === 'open' ? 'ok' : 'error')
    if (by === 'duration') return group.endedAt === undefined ? undefined : group.endedAt - group.startedAt
  }
  return frameKey(main, by, trace, around)
}

/** The rows in order; `items` changes in place. */
export interface Order<Item> {
  readonly items: readonly Item[]
  /** @returns -1 if it isn't among them */
  indexOf(item: Item): number
}

interface Parts<Item> {
  /** All items that belong to the order now. */
  readonly all: () => readonly Item[]
  readonly has: (item: Item) => boolean
  readonly keyOf: (item: Item) => Key
  /** Their number in order of time, which decides between equal ones. */
  readonly placeOf: (item: Item) => number
  readonly down: boolean
}

/** Changes, and changes for each row, above which sorting everything again is faster. */
const MANY = 500
const MANY_OF_ALL = 1 / 16
/** Items that are sorted at once, and merged with the others afterwards: a few ms on a slow machine. */
const RUN = 512
/** Items between two looks at the clock: reading one's key may cost as much as drawing its row. */
const LOOKED_AT = 64

export class SortedRows<Item> implements Order<Item> {
  readonly #parts: Parts<Item>
  #items: Item[] = []
  /** The keys by which the items were placed: theirs may have changed since. */
  #keys = new Map<Item, Key>()
  #changed = new Set<Item>()
  /** Everything must be sorted again. */
  #all = true
  #sorting = false

  constructor(parts: Parts<Item>) {
    this.#parts = parts
  }

  get items(): readonly Item[] {
    return this.#items
  }

  /** Nothing is in its place yet. */
  get unsorted(): boolean {
    return this.#all
  }

  /** Something isn't in its place yet. */
  get behind(): boolean {
    return this.#all || this.#changed.size > 0
  }

  /** An item came, went, or its row changed. */
  touch(item: Item): void {
    if (this.#all) return
    this.#changed.add(item)
    // A sort under way isn't begun again: in a burst it would never end.
    if (!this.#sorting && this.#changed.size > MANY + this.#items.length * MANY_OF_ALL) this.reset()
  }

  /** Everything may have changed. */
  reset(): void {
    this.#all = true
    this.#changed.clear()
  }

  indexOf(item: Item): number {
    if (!this.#keys.has(item)) return -1
    const at = this.#find(this.#keys.get(item), this.#parts.placeOf(item))
    return this.#items[at] === item ? at : -1
  }

  /** Puts what changed in its place. @param pace yields to the page if it is time to */
  async settle(pace: () => Promise<void> | undefined): Promise<void> {
    while (this.behind) {
      if (this.#all) {
        this.#sorting = true
        await this.#sortAll(pace)
        this.#sorting = false
      } else {
        const [item] = this.#changed
        this.#changed.delete(item!)
        this.#place(item!)
        const pause = pace()
        if (pause) await pause
      }
    }
  }

  #place(item: Item): void {
    const at = this.indexOf(item)
    if (at >= 0) this.#items.splice(at, 1)
    this.#keys.delete(item)
    if (!this.#parts.has(item)) return
    const key = this.#parts.keyOf(item)
    this.#items.splice(this.#find(key, this.#parts.placeOf(item)), 0, item)
    this.#keys.set(item, key)
  }

  async #sortAll(pace: () => Promise<void> | undefined): Promise<void> {
    this.#all = false
    this.#changed.clear()
    const keys = new Map<Item, Key>()
    const before = (one: Item, other: Item) =>
      this.#compare(keys.get(one), this.#parts.placeOf(one), keys.get(other), this.#parts.placeOf(other))
    let runs: Item[][] = []
    let run: Item[] = []
    // A copy: what comes and goes meanwhile is touched, and placed afterwards.
    for (const item of [...this.#parts.all()]) {
      keys.set(item, this.#parts.keyOf(item))
      run.push(item)
      if (run.length >= RUN) {
        runs.push(run.sort(before))
        run = []
      }
      if (run.length % LOOKED_AT > 0) continue
      const pause = pace()
      if (pause) await pause
      if (this.#all) return
    }
    runs.push(run.sort(before))
    while (runs.length > 1) {
      const merged: Item[][] = []
      for (let at = 0; at < runs.length; at += 2) {
        const [one, other] = [runs[at]!, runs[at + 1]]
        merged.push(other ? await this.#merged(one, other, before, pace) : one)
        if (this.#all) return
      }
      runs = merged
    }
    this.#items = runs[0]!
    this.#keys = keys
  }

  async #merged(
    one: readonly Item[],
    other: readonly Item[],
    before: (one: Item, other: Item) => number,
    pace: () => Promise<void> | undefined,
  ): Promise<Item[]> {
    const merged: Item[] = []
    let [left, right] = [0, 0]
    while (left < one.length || right < other.length) {
      if (merged.length % LOOKED_AT === 0) {
        const pause = pace()
        if (pause) await pause
        if (this.#all) return merged
      }
      const fromLeft = right >= other.length || (left < one.length && before(one[left]!, other[right]!) <= 0)
      merged.push(fromLeft ? one[left++]! : other[right++]!)
    }
    return merged
  }

  #find(key: Key, place: number): number {
    let low = 0
    let high = this.#items.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const there = this.#items[middle]!
      if (this.#compare(this.#keys.get(there), this.#parts.placeOf(there), key, place) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #compare(one: Key, onePlace: number, other: Key, otherPlace: number): number {
    if (one !== other) {
      if (one === undefined) return 1
      if (other === undefined) return -1
      return one < other === this.#parts.down ? 1 : -1
    }
    return onePlace - otherPlace
  }
}

/** The order of the list on screen, of frames or of exchanges; none while it is that of time. */
export class RowOrder {
  readonly #source: RowOrderSource
  #by: SortBy | undefined
  #frames: SortedRows<Seq> | undefined
  #groups: SortedRows<ExchangeGroup> | undefined
  #begun = false

  constructor(source: RowOrderSource) {
    this.#source = source
  }

  get by(): SortBy | undefined {
    return this.#by
  }

  /** Absent until it is sorted for the first time. */
  get frames(): Order<Seq> | undefined {
    return this.#begun ? this.#frames : undefined
  }

  get groups(): Order<ExchangeGroup> | undefined {
    return this.#begun ? this.#groups : undefined
  }

  /** Everything must be sorted again. */
  get unsorted(): boolean {
    return (this.#frames ?? this.#groups)?.unsorted ?? false
  }

  get behind(): boolean {
    return (this.#frames ?? this.#groups)?.behind ?? false
  }

  set(rows: 'frames' | 'exchanges', sorting: Sorting | undefined): void {
    this.#begun = false
    this.#frames = this.#groups = undefined
    this.#by = sorting?.by
    if (!sorting) return
    const { by, down } = sorting
    const { trace, around, seqs, groups, hasSeq, hasGroup } = this.#source
    if (rows === 'frames')
      this.#frames = new SortedRows({
        all: seqs,
        has: hasSeq,
        keyOf: (seq) => frameKey(trace.at(seq)!, by, trace, around),
        placeOf: (seq) => seq,
        down,
      })
    else
      this.#groups = new SortedRows({
        all: groups,
        has: hasGroup,
        keyOf: (group) => groupKey(group, by, trace, around),
        placeOf: ({ first }) => first,
        down,
      })
  }

  /** A frame or its exchange came, went, or changed. */
  touch(seq: Seq, group: ExchangeGroup | undefined): void {
    this.#frames?.touch(seq)
    if (group) this.#groups?.touch(group)
  }

  reset(): void {
    this.#frames?.reset()
    this.#groups?.reset()
  }

  async settle(pace: () => Promise<void> | undefined): Promise<void> {
    const sorted = this.#frames ?? this.#groups
    await sorted?.settle(pace)
    if (sorted === (this.#frames ?? this.#groups)) this.#begun = true
  }
}

interface RowOrderSource {
  readonly trace: Trace
  readonly around: Surroundings
  readonly seqs: () => readonly Seq[]
  readonly groups: () => readonly ExchangeGroup[]
  readonly hasSeq: (seq: Seq) => boolean
  readonly hasGroup: (group: ExchangeGroup) => boolean
}
