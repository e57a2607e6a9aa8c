/** A child and its descendants: its process group, and the processes that left the group (`process-list.ts`). */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Descendants, listProcesses, listProcessesSync, MARKER, readStatus, signalProcesses } from './process-list.ts'
import type { Leader, ProcessInfo } from './process-list.ts'

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

  /** The pids of the child and its descendants. */
  async members(): Promise<number[]> {
    const found = this.#descendants?.find(await listProcesses()) ?? []
    return Array.from(found, ({ pid }) => pid)
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

// Starts the watchdog with the first child and keeps it informed about the children. If this process is killed (SIGKILL, out
// of memory), it can't end them itself, so the watchdog does.

/** Restarts of a watchdog that was killed. */
const MAX_STARTS = 10

/** Longer markers of an outer Periscope are left out. */
const MAX_OUTER_MARKER = 1000

class Watchdog {
  /** Identifies this run of Periscope in each child's marker. */
  readonly launch = randomBytes(12).toString('hex')
  readonly #leaders = new Map<number, Leader>()
  #process: ChildProcess | undefined
  #starts = 0
  #markers = 0

  /** A marker for a new child. The watchdog is running once this returns. */
  nextMarker(): string {
    this.#start()
    return `${this.launch}/${++this.#markers}`
  }

  /** The value of `MARKER` for a child. Includes the marker of this process, so that an outer Periscope also finds it. */
  environment(marker: string): { readonly [MARKER]: string } {
    const outer = process.env[MARKER] ?? ''
    return { [MARKER]: outer === '' || outer.length > MAX_OUTER_MARKER ? marker : `${outer},${marker}` }
  }

  add(leader: Leader): void {
    this.#leaders.set(leader.pid, leader)
    this.#send(`+${leader.pid} ${leader.started}\n`)
  }

  remove(pid: number): void {
    if (this.#leaders.delete(pid)) this.#send(`-${pid}\n`)
  }

  #send(text: string): void {
    this.#process?.stdin?.write(text)
  }

  #start(): void {
    if (this.#process || this.#starts++ >= MAX_STARTS) return
    const [file, ...args] = command(this.launch)
    const watching = spawn(file, args, {
      // Its own session: Ctrl+C, or a shell that ends its children, must not reach it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      // Keeps no folder busy, and carries no marker of an outer Periscope.
      cwd: process.platform === 'win32' ? undefined : '/',
      env: process.platform === 'win32' ? { SYSTEMROOT: process.env['SYSTEMROOT'], PATH: process.env['PATH'] } : {},
      windowsHide: true,
    })
    this.#process = watching
    watching.on('error', () => {
      if (watching.pid === undefined) this.#process = undefined
    })
    watching.stdin.on('error', () => {})
    watching.once('exit', () => {
      this.#process = undefined
      if (this.#leaders.size > 0) this.#start()
    })
    watching.unref()
    ;(watching.stdin as Socket).unref()
    for (const { pid, started } of this.#leaders.values()) this.#send(`+${pid} ${started}\n`)
  }
}

/** Shared by all children of this process. */
const watchdog = new Watchdog()

/** The build embeds the bundled script. From the sources, tsx runs it. */
function command(launch: string): [string, ...string[]] {
  if (typeof __WATCHDOG__ === 'string') return [process.execPath, '-e', __WATCHDOG__, launch]
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const script = fileURLToPath(new URL('./watchdog-process.ts', import.meta.url))
  return [process.execPath, '--import', tsx, '-e', `import(${JSON.stringify(pathToFileURL(script).href)})`, launch]
}
