/** How often each method and tool was called, how long responses took, and how large they were. */
import { OPENING_METHODS, verdictOf, type Exchange, type Link, type Seq } from '../../mcp/index.ts'

export interface MethodStatistics {
  readonly method: string
  /** The tool, prompt or resource, if the method names one. */
  readonly subject: string
  readonly count: number
  /** Responses with an error, tool errors, and requests without a response. Probes of the version aren't among them. */
  readonly errors: number
  /** ms of the median, the slowest twentieth and the slowest response; absent without any. */
  readonly p50?: number
  readonly p95?: number
  readonly max?: number
  /** Of requests and responses, UTF-8. */
  readonly bytes: number
  /** The latest request. */
  readonly last: Seq
}

export type StatisticsColumn = 'method' | 'count' | 'errors' | 'p50' | 'p95' | 'max' | 'bytes'

interface Group {
  readonly method: string
  readonly subject: string
  count: number
  errors: number
  /** Errors, or probes once the session opens. */
  readonly failedOpenings: Readonly<Exchange>[]
  bytes: number
  last: Seq
  readonly times: number[]
  isSorted: boolean
}

/** Counts the requests to a server. Each is visited when it is sent and while it waits, so counting costs the same however long the trace is. */
export class Statistics {
  readonly #link: Link
  readonly #sizeOf: (seq: Seq) => number
  readonly #groups = new Map<string, Group>()
  /** Requests without a verdict yet. */
  #waiting: Readonly<Exchange>[] = []
  #counted = 0

  /**
   * @param link the server's connection; only requests to it count
   * @param sizeOf bytes of a frame
   */
  constructor(link: Link, sizeOf: (seq: Seq) => number) {
    this.#link = link
    this.#sizeOf = sizeOf
  }

  /** @param all exchanges in the order of their requests, with those of earlier calls at the start */
  count(all: readonly Readonly<Exchange>[]): readonly MethodStatistics[] {
    this.#waiting = this.#waiting.filter((exchange) => !this.#settle(exchange))
    for (; this.#counted < all.length; this.#counted++) {
      const exchange = all[this.#counted]!
      if (exchange.link !== this.#link || exchange.direction !== 'sent') continue
      const group = this.#groupOf(exchange)
      group.count++
      group.last = exchange.request
      group.bytes += this.#sizeOf(exchange.request)
      if (!this.#settle(exchange)) this.#waiting.push(exchange)
    }
    return [...this.#groups.values()].map(rowOf)
  }

  /** @returns whether the exchange has its final verdict, which is counted now */
  #settle(exchange: Readonly<Exchange>): boolean {
    const verdict = verdictOf(exchange)
    if (verdict === 'pending' || verdict === 'waiting') return false
    const { response, startedAt, endedAt } = exchange
    const group = this.#groupOf(exchange)
    if (verdict !== 'ok') {
      if (OPENING_METHODS.has(exchange.method)) group.failedOpenings.push(exchange)
      else group.errors++
    }
    if (response === undefined) return true
    group.bytes += this.#sizeOf(response)
    if (endedAt === undefined) return true
    group.times.push(endedAt - startedAt)
    group.isSorted = false
    return true
  }

  #groupOf({ method, subject = '', request }: Readonly<Exchange>): Group {
    const key = `${method}\n${subject}`
    let group = this.#groups.get(key)
    if (!group) {
      group = {
        method,
        subject,
        count: 0,
        errors: 0,
        failedOpenings: [],
        bytes: 0,
        last: request,
        times: [],
        isSorted: true,
      }
      this.#groups.set(key, group)
    }
    return group
  }
}

const rowOf = (group: Group): MethodStatistics => {
  const { method, subject, count, bytes, last, times } = group
  const errors = group.errors + group.failedOpenings.filter((exchange) => verdictOf(exchange) !== 'probe').length
  if (!group.isSorted) times.sort((one, other) => one - other)
  group.isSorted = true
  const row = { method, subject, count, errors, bytes, last }
  if (times.length === 0) return row
  return { ...row, p50: quantile(times, 0.5), p95: quantile(times, 0.95), max: times.at(-1)! }
}

/** The smallest value that at least this share of the values doesn't exceed. @param sorted not empty */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!

export const sortedBy = (
  rows: readonly MethodStatistics[],
  column: StatisticsColumn,
  descending: boolean,
): readonly MethodStatistics[] => {
  const sign = descending ? -1 : 1
  return rows.toSorted((one, other) => {
    if (column === 'method')
      return sign * (one.method.localeCompare(other.method) || one.subject.localeCompare(other.subject))
    return sign * ((one[column] ?? -1) - (other[column] ?? -1)) || (one.method < other.method ? -1 : 1)
  })
}
