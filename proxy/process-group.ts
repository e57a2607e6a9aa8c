/**
 * A child and all that it started. On POSIX they are one process group, led by the child and named by its pid; killing
 * only `npx` or `sh` would leave the real server running (rule 3). On Windows there is only the tree below the child.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const WINDOWS = process.platform === 'win32'

/** Never throws: whoever is gone has got what we wanted. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  // To the system 0 means our own group and -1 means every process there is.
  if (pid <= 1) return
  if (WINDOWS) {
    // Windows has no SIGTERM for a console program without a window, so both steps end the tree.
    const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    killer.on('error', () => {})
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // ESRCH: gone. EPERM: it changed its user, and nobody but root could end it.
  }
}

/**
 * Whether any process of the group still runs. Only for a group whose leader has exited: as long as one member is
 * left, the kernel gives the number to nobody else.
 */
export function groupAlive(pid: number): boolean {
  if (WINDOWS) return false
  try {
    process.kill(-pid, 0)
  } catch (error) {
    // macOS says EPERM for a group of zombies.
    return (error as NodeJS.ErrnoException).code === 'EPERM' && process.platform !== 'darwin'
  }
  return process.platform !== 'linux' || hasLivingMember(pid)
}

/** A container whose first process never reaps keeps zombies for ever, and a signal still "reaches" them. */
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
      // "pid (name) state ppid pgrp …": the name may hold spaces and brackets, so read behind the last one.
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1')
      const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (Number(pgrp) === group && state !== 'Z' && state !== 'X') return true
    } catch {
      // Gone while we looked.
    }
  }
  return false
}
