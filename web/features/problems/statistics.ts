/** How often each method and tool was called, how long responses took, and how large they were. */
import { verdictOf, type Exchange, type Link, type Seq } from '../../mcp/index.ts'

export interface MethodStatistics {
  readonly method: string
  /** The tool, prompt or resource, if the method names one. */
  readonly subject: string
  readonly count: number
  /** Responses with an error, tool errors, and requests without a response. */
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
  bytes: number
  last: Seq
  readonly times: number[]
}

/**
 * @param link the server's connection; only requests to it count
 * @param sizeOf bytes of a frame
 */
export const statisticsOf = (
  all: Iterable<Readonly<Exchange>>,
  link: Link,
  sizeOf: (seq: Seq) => number,
): readonly MethodStatistics[] => {
  const groups = new Map<string, Group>()
  for (const exchange of all) {
    const { link: of, direction, method, subject = '', request, response, startedAt, endedAt } = exchange
    if (of !== link || direction !== 'sent') continue
    const key = `${method}\n${subject}`
    let group = groups.get(key)
    if (!group) groups.set(key, (group = { method, subject, count: 0, errors: 0, bytes: 0, last: request, times: [] }))
    group.count++
    group.last = request
    group.bytes += sizeOf(request) + (response === undefined ? 0 : sizeOf(response))
    const verdict = verdictOf(exchange)
    if (verdict !== 'ok' && verdict !== 'pending' && verdict !== 'waiting') group.errors++
    if (response !== undefined && endedAt !== undefined) group.times.push(endedAt - startedAt)
  }
  return [...groups.values()].map(({ times, ...group }) => {
    times.sort((one, other) => one - other)
    if (times.length === 0) return group
    return { ...group, p50: quantile(times, 0.5), p95: quantile(times, 0.95), max: times.at(-1)! }
  })
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
