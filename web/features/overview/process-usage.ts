/** What the process of a stdio server uses of the machine, asked of the local proxy while somebody looks. */
import type { ProcessUsage } from '../../../proxy/wire.ts'
import type { RelayOptions } from '../../mcp/index.ts'

type Channel = Extract<RelayOptions, { readonly channel: unknown }>['channel']

/** ms between two samples. */
const INTERVAL = 2_000

export interface UsageSample {
  readonly usage: ProcessUsage
  /** ms, as of `performance.now()`. */
  readonly at: number
  readonly processes: number
  /** Bytes of all processes. Memory that they share counts for each. */
  readonly memory: number
  /** Of one core, since the sample before, rounded; 0 for the first one. */
  readonly percent: number
}

/** @param before the sample before, if it is of the same process */
export const sampled = (usage: ProcessUsage, at: number, before?: UsageSample): UsageSample => {
  const { processes } = usage
  const earlier = new Map(before?.usage.processes.map(({ pid, cpu }) => [pid, cpu]))
  // A process that has started since has spent all of its time since; one that has ended takes its time with it.
  const spent = before
    ? processes.reduce((sum, { pid, cpu }) => sum + Math.max(0, cpu - (earlier.get(pid) ?? 0)), 0)
    : 0
  return {
    usage,
    at,
    processes: processes.length,
    memory: processes.reduce((sum, { memory }) => sum + memory, 0),
    percent: before && at > before.at ? Math.round((spent * 100_000) / (at - before.at)) : 0,
  }
}

/**
 * Asks every 2 s while the page is visible. Stops by itself when the process has ended or the system reports nothing.
 * @returns stops it
 */
export const watchUsage = (
  channel: Channel,
  pid: number,
  onusage: (usage: ProcessUsage, at: number) => void,
): (() => void) => {
  const stop = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const next = async (): Promise<void> => {
    if (!document.hidden) {
      try {
        const response = await channel.ask('GET', `/processes/${pid}`, { signal: stop.signal })
        const usage = (await response.json()) as ProcessUsage
        if (stop.signal.aborted || usage.processes.length === 0) return
        onusage(usage, performance.now())
      } catch {
        // The process has ended, or the proxy has: both are shown elsewhere.
        return
      }
    }
    if (!stop.signal.aborted) timer = setTimeout(() => void next(), INTERVAL)
  }
  void next()
  return () => {
    stop.abort()
    clearTimeout(timer)
  }
}
