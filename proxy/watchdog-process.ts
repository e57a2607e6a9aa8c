/**
 * The watchdog: a separate process that ends the children of a proxy that was killed (rule 5). Only the proxy holds the
 * other end of its stdin, so the pipe closes when the proxy dies, whatever the cause. Lines on stdin:
 *
 *     +PID STARTED    a child was started, as the leader of a group
 *     -PID            nothing of it is left
 *
 * Runs as `node -e`, so it imports as little as possible. `process.argv[1]` is the launch part of its markers.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Descendants, listProcesses, signalProcesses, type ProcessInfo } from './process-list.ts'

/** ms: the children's stdin has closed; then comes SIGTERM, then SIGKILL until nothing is left. */
const STDIN_GRACE = 1_000
const TERM_GRACE = 2_000
const KILL_TIMEOUT = 5_000

// A signal to all processes would leave the children without a watchdog. The end of the pipe ends this process soon enough.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => {})

const leaders = new Map<number, string>()
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const [, sign, pid, started = ''] = /^([+-])(\d+)(?: (\S.*))?$/.exec(line) ?? []
  if (sign === '+') leaders.set(Number(pid), started)
  else leaders.delete(Number(pid))
})
process.stdin.on('error', () => lines.close())
lines.once('close', () => void end().finally(() => process.exit()))

async function end(): Promise<void> {
  if (process.platform === 'win32') return endTrees()
  const all = Array.from(leaders, ([pid, started]) => ({ pid, started }))
  const descendants = new Descendants(`${process.argv[1]}/`, all, false)
  const find = async (): Promise<ProcessInfo[]> => descendants.find(await listProcesses())
  const goneWithin = async (limit: number): Promise<boolean> => {
    for (const until = Date.now() + limit; (await find()).length > 0; await sleep(50)) {
      if (Date.now() > until) return false
    }
    return true
  }
  if (await goneWithin(STDIN_GRACE)) return
  signalProcesses(await find(), 'SIGTERM')
  if (await goneWithin(TERM_GRACE)) return
  for (const until = Date.now() + KILL_TIMEOUT; Date.now() < until; await sleep(20)) {
    const left = await find()
    if (left.length === 0) return
    signalProcesses(left, 'SIGKILL')
  }
}

/** Windows has no groups and no readable environments. Each listed child was alive a moment ago. */
async function endTrees(): Promise<void> {
  await sleep(STDIN_GRACE)
  const killing = Array.from(leaders.keys(), (pid) => {
    const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    return new Promise<void>((resolve) => killer.once('close', () => resolve()).once('error', () => resolve()))
  })
  await Promise.all(killing)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
