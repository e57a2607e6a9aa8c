/**
 * Lists processes and finds a child's descendants. The process group isn't enough: `setsid`, daemons and job-control shells
 * leave it. So each child gets a marker in its environment, which its descendants inherit.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** The marker's variable: `LAUNCH/NUMBER`. Inside another Periscope, both markers, separated by a comma. */
export const MARKER = 'PERISCOPE_CHILD'

export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** 0 if the system doesn't report it. */
  readonly session: number
  /** The start time as the system prints it. Pids are reused, but not with the same start time. */
  readonly started: string
  /** Value of `MARKER`; empty if there is none, or if the environment isn't readable. */
  readonly marker: string
}

/** A child spawned as the leader of its own group and session. */
export interface Leader {
  readonly pid: number
  /** As in `ProcessInfo`; empty if the system doesn't report it. */
  readonly started: string
}

/** Running processes, without zombies. Empty if the system has neither `/proc` nor `ps`. */
export async function listProcesses(): Promise<ProcessInfo[]> {
  if (process.platform === 'linux') return listProcessesSync()
  if (process.platform === 'win32') return []
  return new Promise((resolve) => {
    // BSD syntax, which Linux also supports: `e` prints the environment after the command.
    const args = ['axeww', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,command=']
    const env = { ...process.env, LC_ALL: 'C' }
    execFile('ps', args, { env, maxBuffer: 256 * 1024 * 1024 }, (_, stdout) => resolve(parseProcesses(stdout)))
  })
}

/** `listProcesses` where it needs no other program: on Linux. */
export function listProcessesSync(): ProcessInfo[] {
  if (process.platform !== 'linux') return []
  let entries: string[]
  try {
    entries = readdirSync('/proc')
  } catch {
    return []
  }
  return entries.flatMap((entry) => (/^\d+$/.test(entry) ? (readProcess(Number(entry)) ?? []) : []))
}

function readProcess(pid: number): ProcessInfo | undefined {
  const stat = readStatus(pid)
  // Kernel threads have no group.
  return stat && stat.group !== 0 ? { ...stat, marker: readMarker(pid) } : undefined
}

/** A process without its marker; `undefined` if it has ended, or if the system can only list all processes. */
export function readStatus(pid: number): Omit<ProcessInfo, 'marker'> | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    // "pid (name) state ppid pgrp session …": the name may contain spaces and parentheses, so start after the last one.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, parent, group, session] = fields
    if (state === 'Z' || state === 'X') return undefined
    return { pid, parent: Number(parent), group: Number(group), session: Number(session), started: fields[19] ?? '' }
  } catch {
    // The process ended meanwhile.
    return undefined
  }
}

function readMarker(pid: number): string {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
    const at = `\0${environment}`.indexOf(`\0${MARKER}=`)
    if (at === -1) return ''
    const from = at + MARKER.length + 1
    const end = environment.indexOf('\0', from)
    return environment.slice(from, end === -1 ? undefined : end)
  } catch {
    // The process belongs to another user, or it ended.
    return ''
  }
}

/** Parses the output of `ps axeww -o pid=,ppid=,pgid=,stat=,lstart=,command=`. */
export function parseProcesses(output: string): ProcessInfo[] {
  return output.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, started, command] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+[\d:]+\s+\d{4})(.*)$/.exec(line) ?? []
    if (!pid || state!.startsWith('Z')) return []
    const marker = new RegExp(`\\s${MARKER}=(\\S*)`).exec(command!)?.[1] ?? ''
    const found = { pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, marker }
    return [{ ...found, started: started!.replace(/\s+/g, ' ') }]
  })
}

/**
 * Finds the processes that belong to children: those with the marker, those in a leader's group or session, and their
 * descendants. Remembers them, so that a process stays known after it loses its parent.
 */
export class Descendants {
  readonly #isMarker: (marker: string) => boolean
  /** Leaders, and whether the group is known to be theirs rather than one that reuses the ID. */
  readonly #groups = new Map<number, { readonly started: string; trusted: boolean }>()
  readonly #found = new Map<number, string>()

  /**
   * @param marker of one child, or of all children of a launch if it ends with a slash
   * @param trusted the leaders are children of this process, so their pids can't have been reused
   */
  constructor(marker: string, leaders: Iterable<Leader>, trusted: boolean) {
    const matches = (part: string) => (marker.endsWith('/') ? part.startsWith(marker) : part === marker)
    this.#isMarker = (value) => value !== '' && value.split(',').some(matches)
    for (const { pid, started } of leaders) if (pid > 1) this.#groups.set(pid, { started, trusted })
  }

  /** The matching processes. Call it often enough that no pid can have been reused meanwhile. */
  find(processes: readonly ProcessInfo[]): ProcessInfo[] {
    const all = processes.filter(({ pid }) => pid > 1 && pid !== process.pid)
    const found = new Set<ProcessInfo>()
    for (const each of all) {
      if (this.#isMarker(each.marker) || this.#found.get(each.pid) === each.started) found.add(each)
    }
    for (const [leader, group] of this.#groups) {
      const members = all.filter((each) => each.group === leader || each.session === leader)
      group.trusted ||= members.some(
        (each) => found.has(each) || (each.pid === leader && group.started !== '' && each.started === group.started),
      )
      if (members.length === 0) this.#groups.delete(leader)
      else if (group.trusted) for (const each of members) found.add(each)
    }
    // A parent may follow its child in the list, so repeat until nothing new is found.
    const numbers = new Set(Array.from(found, ({ pid }) => pid))
    for (let before = -1; before < found.size;) {
      before = found.size
      for (const each of all) {
        if (!numbers.has(each.parent) || found.has(each)) continue
        found.add(each)
        numbers.add(each.pid)
      }
    }
    for (const { pid, started } of found) this.#found.set(pid, started)
    return [...found]
  }
}

/** Never throws: a process that is already gone is the desired result. */
export function signalProcesses(processes: readonly ProcessInfo[], signal: NodeJS.Signals): void {
  // Signal whole groups, to include processes started after the list was made.
  for (const group of new Set(processes.map((each) => each.group))) {
    // kill(2): 0 means our own group, and -1 every process.
    if (group <= 1) continue
    try {
      process.kill(-group, signal)
    } catch {
      // ESRCH: already gone. EPERM: it changed its user, so only root could end it.
    }
  }
}
