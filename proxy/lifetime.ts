/**
 * Ends a command when the process that started it is gone (rule 5). The system doesn't notify a process that its client, its
 * terminal or `npm start` was killed.
 */
import { fstatSync, readFileSync } from 'node:fs'
import { readStatus } from './process-list.ts'

/** ms between checks for the parent. */
const POLL_INTERVAL = 1_000

/**
 * Calls `ended` once the parent process has ended. Does nothing in a session leader (`setsid`, a service), which is meant to
 * outlive its parent.
 */
export function watchParent(ended: () => void): void {
  const parent = process.ppid
  // A parent pid of 1 means init, or that the parent has already gone.
  if (parent <= 1 || readStatus(process.pid)?.session === process.pid) return
  // npm runs commands in a shell, which survives when npm is killed.
  const npm = process.env['npm_execpath'] !== undefined && isShell(parent) ? readStatus(parent)?.parent : undefined
  const looking = setInterval(() => {
    if (process.ppid === parent && isAlive(parent) && (npm === undefined || readStatus(parent)?.parent === npm)) return
    clearInterval(looking)
    ended()
  }, POLL_INTERVAL)
  looking.unref()
}

/**
 * Calls `ended` at the end of stdin, if stdin is a pipe. A pipe that has already ended, as under cron, says nothing about the
 * parent, and neither does a terminal, a file or `/dev/null`.
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
  // An earlier end shows after one turn of the event loop; after another if the pipe held data.
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

/** On Windows, `ppid` stays the same after the parent has ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
