/** A child and its descendants: its process group, and the processes that left the group (`process-list.ts`). */
import { spawn } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import {
  Descendants,
  type ProcessInfo,
  listProcesses,
  listProcessesSync,
  readStatus,
  signalProcesses,
} from './process-list.ts'
import { watchdog } from './watchdog.ts'

const WINDOWS = process.platform === 'win32'

/**
 * Signals a child's process group. Killing only `npx` or `sh` would leave the real server running (rule 3). Windows has no
 * groups, so it gets the process tree. Never throws: a process that is already gone is the desired result.
 */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
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

/** ms to share one process list between children: if many end at once, each would list all processes. */
const CACHE_MS = 40

let latest: { readonly at: number; readonly list: Promise<ProcessInfo[]> } | undefined

export class ProcessTree {
  /** Variables to add to the child's environment, by which its descendants are found. */
  readonly environment: Readonly<Record<string, string>>
  readonly #marker: string
  #descendants: Descendants | undefined
  #pid = 0
  #startedAt = 0
  #groupGone = false

  /** Call before spawning the child, so that the watchdog is running by then. */
  constructor() {
    this.#marker = watchdog.nextMarker()
    this.environment = watchdog.environment(this.#marker)
  }

  /** Call right after the spawn. @param pid of the child, the leader of its group */
  start(pid: number): void {
    const leader = { pid, started: readStatus(pid)?.started ?? '' }
    this.#pid = pid
    this.#startedAt = performance.now()
    this.#descendants = new Descendants(this.#marker, [leader], true)
    watchdog.add(leader)
  }

  /** Whether any process is left. Call only after the child itself has exited, until it returns false. */
  async alive(): Promise<boolean> {
    this.#groupGone ||= !groupAlive(this.#pid)
    if (!this.#groupGone) return true
    if (!latest || latest.at < Math.max(this.#startedAt, performance.now() - CACHE_MS)) {
      latest = { at: performance.now(), list: listProcesses() }
    }
    if ((this.#descendants?.find(await latest.list) ?? []).length > 0) return true
    watchdog.remove(this.#pid)
    return false
  }

  async signal(signal: NodeJS.Signals): Promise<void> {
    if (!this.#groupGone) signalGroup(this.#pid, signal)
    signalProcesses(this.#descendants?.find(await listProcesses()) ?? [], signal)
  }

  /** Sends SIGKILL, synchronously where possible, because it runs when this process exits. */
  kill(): void {
    // Find strays first: once the group is gone, their origin can't be determined.
    const strays = this.#descendants?.find(listProcessesSync()) ?? []
    if (!this.#groupGone) signalGroup(this.#pid, 'SIGKILL')
    signalProcesses(strays, 'SIGKILL')
    if (process.platform !== 'linux') void this.signal('SIGKILL')
  }
}
