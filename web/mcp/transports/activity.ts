/**
 * Whether a process does anything, as the system counts it: a package manager that downloads a server may print nothing for
 * minutes.
 */
import type { ProcessUsage } from '../../../proxy/wire.ts'
import { wait } from '../deadline.ts'

/** ms between two samples, and what must have happened since the last sign of activity. */
const INTERVAL = 5_000
/** Bytes: an idle runtime reads and writes a few now and then. */
const BYTES = 65_536
/** s of CPU time, for systems that don't count bytes. */
const CPU = 0.5

/** What the processes have done since they started. `bytes`: read and written; absent if the system doesn't count them. */
type Totals = ReadonlyMap<number, { readonly cpu: number; readonly bytes?: number | undefined }>

const totalsOf = ({ processes }: ProcessUsage): Totals =>
  new Map(processes.map(({ pid, cpu, io }) => [pid, { cpu, bytes: io }]))

/** Whether that is more than an idle process does. One that has started since has done all of it since. */
export const wasActive = (before: Totals, now: Totals): boolean => {
  let [bytes, cpu, counted] = [0, 0, false]
  for (const [pid, { cpu: used, bytes: moved }] of now) {
    const earlier = before.get(pid)
    cpu += Math.max(0, used - (earlier?.cpu ?? 0))
    if (moved === undefined) continue
    counted = true
    bytes += Math.max(0, moved - (earlier?.bytes ?? 0))
  }
  // A server that hangs in a loop uses CPU time as well.
  return counted ? bytes >= BYTES : cpu >= CPU
}

/** Calls back with each sign of activity, until `signal` is aborted or nothing can be learned any more. Never rejects. */
export const watchActivity = async (
  usage: () => Promise<ProcessUsage>,
  onActivity: () => void,
  signal: AbortSignal,
  interval = INTERVAL,
): Promise<void> => {
  try {
    let before = totalsOf(await usage())
    while (before.size > 0) {
      await wait(interval, signal)
      if (signal.aborted) return
      const now = totalsOf(await usage())
      if (signal.aborted) return
      if (!wasActive(before, now)) continue
      before = now
      onActivity()
    }
  } catch {
    // The process has ended, or the proxy has: both are reported elsewhere.
  }
}
