/**
 * Whether a process does anything, as the system counts it and by what it prints: a package manager that downloads a server
 * may print nothing for minutes.
 */
import type { ProcessUsage } from '../../../proxy/wire.ts'
import { wait } from '../deadline.ts'
import { TransportError } from '../errors.ts'

/** ms between two samples. */
const INTERVAL = 5_000
/**
 * Bytes per s. An idle program that reads its own state from /proc once a second moves about 1,400. A slower download than
 * this counts only while it prints.
 */
const BYTES = 13_000
/** Share of a core, where the system counts no bytes: programs that only wait for a database use less. */
const CPU = 0.1

/** What the processes have done since they started. `bytes`: read and written; absent if the system doesn't count them. */
type Totals = ReadonlyMap<number, { readonly cpu: number; readonly bytes?: number | undefined }>

interface Sample {
  readonly totals: Totals
  /** ms of a clock. */
  readonly at: number
}

const sampleOf = ({ processes }: ProcessUsage): Sample => ({
  totals: new Map(processes.map(({ pid, cpu, io }) => [pid, { cpu, bytes: io }])),
  at: performance.now(),
})

/** Whether they did more than idle processes between two samples. One that has started since has done all of it since. */
export const wasActive = (before: Sample, now: Sample): boolean => {
  let [bytes, cpu, counted] = [0, 0, false]
  for (const [pid, { cpu: used, bytes: moved }] of now.totals) {
    const earlier = before.totals.get(pid)
    cpu += Math.max(0, used - (earlier?.cpu ?? 0))
    if (moved === undefined) continue
    counted = true
    bytes += Math.max(0, moved - (earlier?.bytes ?? 0))
  }
  // A page in the background takes samples less often.
  const seconds = (now.at - before.at) / 1000
  // A server that hangs in a loop uses CPU time as well.
  return counted ? bytes >= BYTES * seconds : cpu >= CPU * seconds
}

/** Calls back with each sign of activity, until `signal` is aborted or the process has ended. Never rejects. */
export const watchActivity = async (
  usage: () => Promise<ProcessUsage>,
  onActivity: () => void,
  signal: AbortSignal,
  interval = INTERVAL,
): Promise<void> => {
  let before: Sample | undefined
  while (!signal.aborted) {
    try {
      const now = sampleOf(await usage())
      if (signal.aborted) return
      if (before && wasActive(before, now)) onActivity()
      // Each sample is compared with the one before it: over a whole limit, every idle process adds up to activity.
      if (now.totals.size > 0) before = now
    } catch (error) {
      if (error instanceof TransportError && error.code === 'process-exited') return
      // The proxy responded too late, which says nothing about the process.
    }
    await wait(interval, signal)
  }
}

/** Lines that are remembered, and their characters. */
const [MOST_LINES, LONGEST_LINE] = [1_000, 300]

/**
 * Tells new lines of a log from those that repeat an earlier one, such as “retrying in 5 s (attempt 12)”: a process that only
 * repeats itself makes no progress.
 */
export class NewLines {
  readonly #seen = new Set<string>()

  /** Whether the line differs from each earlier one in more than its digits. */
  isNew(line: string): boolean {
    const plain = line.slice(0, LONGEST_LINE).replaceAll(/\d+/g, '0')
    if (this.#seen.has(plain)) return false
    const [oldest] = this.#seen
    if (this.#seen.size >= MOST_LINES) this.#seen.delete(oldest!)
    this.#seen.add(plain)
    return true
  }
}
