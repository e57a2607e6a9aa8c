/**
 * Ends a command when whatever started it is gone (rule 5): nothing else tells a process that its client, its terminal or
 * `npm start` around it was killed.
 */
import { fstatSync, readFileSync } from 'node:fs'
import { readStatus } from './processes.ts'

/** ms between two looks for the parent. */
const POLL_INTERVAL = 1_000

/**
 * Calls `ended` once the parent process has ended. Not for a process with a session of its own (`setsid`, a service):
 * whoever starts one so wants it to outlive its parent.
 */
export function watchParent(ended: () => void): void {
  const parent = process.ppid
  // Below the first process of the system there is nothing to watch, nor where the parent was gone before this was asked.
  if (parent <= 1 || readStatus(process.pid)?.session === process.pid) return
  // npm runs a command by a shell, which outlives an npm that is killed.
  const npm = process.env['npm_execpath'] !== undefined && isShell(parent) ? readStatus(parent)?.parent : undefined
  const looking = setInterval(() => {
    if (process.ppid === parent && isAlive(parent) && (npm === undefined || readStatus(parent)?.parent === npm)) return
    clearInterval(looking)
    ended()
  }, POLL_INTERVAL)
  looking.unref()
}

/**
 * Calls `ended` at the end of stdin, where that is a pipe. One that has ended before this is called, as under cron, says
 * nothing about who started this process, and neither do a terminal, a file or `/dev/null`.
 */
export async function watchStdin(ended: () => void): Promise<void> {
  try {
    const stdin = fstatSync(0)
    if (!stdin.isFIFO() && !stdin.isSocket()) return
  } catch {
    // Closed.
    return
  }
  let watching = false
  let over = false
  const end = (): void => {
    if (watching && !over) ended()
    over = true
  }
  process.stdin.once('end', end).once('close', end).on('error', end).resume()
  // What had happened to it before is known after one round of the event loop, and after a second one for what it held.
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve))
  watching = true
}

function isShell(pid: number): boolean {
  try {
    return /^(ba|da|z|k)?sh\n/.test(readFileSync(`/proc/${pid}/comm`, 'latin1'))
  } catch {
    return false
  }
}

/** On Windows the number of the parent stays when it has ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
