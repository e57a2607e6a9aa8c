/**
 * Signals a child's process group. Killing only `npx` or `sh` would leave the real server running (rule 3). Windows has no
 * groups, so it gets the process tree.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const WINDOWS = process.platform === 'win32'

/** Never throws: a process that is already gone is the desired result. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  // kill(2): 0 means our own group, and -1 every process.
  if (pid <= 1) return
  if (WINDOWS) {
    // Windows has no SIGTERM for console programs without a window, so every signal ends the tree.
    const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    killer.on('error', () => {})
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // ESRCH: already gone. EPERM: it changed its user, so only root could end it.
  }
}

/**
 * Whether any process of the group still runs. Only valid after the leader has exited: while a member is left, the kernel
 * doesn't reuse the group's ID.
 */
export function groupAlive(pid: number): boolean {
  if (WINDOWS) return false
  try {
    process.kill(-pid, 0)
  } catch (error) {
    // macOS returns EPERM for a group of zombies.
    return (error as NodeJS.ErrnoException).code === 'EPERM' && process.platform !== 'darwin'
  }
  return process.platform !== 'linux' || hasLivingMember(pid)
}

/** In a container whose init doesn't reap, zombies stay indefinitely, and signals to them still succeed. */
function hasLivingMember(group: number): boolean {
  let entries: string[]
  try {
    entries = readdirSync('/proc')
  } catch {
    return true
  }
  for (const entry of entries) {
    if (!/^\d+$/.test(entry)) continue
    try {
      // "pid (name) state ppid pgrp …": the name may contain spaces and parentheses, so start after the last one.
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1')
      const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (Number(pgrp) === group && state !== 'Z' && state !== 'X') return true
    } catch {
      // The process ended meanwhile.
    }
  }
  return false
}
