/**
 * Which processes run, and which of them a child started. A group is not enough: `setsid`, a daemon or a job-control shell
 * leaves it. So each child carries a marker in its environment, which everything it starts inherits.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** The variable that holds the marker, `LAUNCH/NUMBER`; below another Periscope, that one's markers and ours, by commas. */
export const MARKER = 'PERISCOPE_CHILD'

export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** 0 where the system does not tell. */
  readonly session: number
  /** The system's own words for when it started: a pid is given again, a pid with its start is not. */
  readonly started: string
  /** Value of `MARKER`; empty for none, and for a process whose environment may not be read. */
  readonly marker: string
}

/** A child that was spawned as the leader of a group and a session of its own. */
export interface Leader {
  readonly pid: number
  /** As in `ProcessInfo`; empty where the system does not tell. */
  readonly started: string
}

/** Living processes; zombies are none. Empty where the system has neither `/proc` nor `ps`. */
export async function listProcesses(): Promise<ProcessInfo[]> {
  if (process.platform === 'linux') return listProcessesSync()
  if (process.platform === 'win32') return []
  return new Promise((resolve) => {
    // The words of BSD, which Linux knows as well: `e` prints the environment behind the command.
    const args = ['axeww', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,command=']
    const env = { ...process.env, LC_ALL: 'C' }
    execFile('ps', args, { env, maxBuffer: 256 * 1024 * 1024 }, (_, stdout) => resolve(parseProcesses(stdout)))
  })
}

/** `listProcesses` where it needs no other program, which is on Linux. */
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
  // The threads of the kernel have no group.
  return stat && stat.group !== 0 ? { ...stat, marker: readMarker(pid) } : undefined
}

/** One process without its marker; `undefined` where it has ended, or where the system tells only of all at once. */
export function readStatus(pid: number): Omit<ProcessInfo, 'marker'> | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    // "pid (name) state ppid pgrp session …": the name may hold spaces and brackets, so read behind the last one.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, parent, group, session] = fields
    if (state === 'Z' || state === 'X') return undefined
    return { pid, parent: Number(parent), group: Number(group), session: Number(session), started: fields[19] ?? '' }
  } catch {
    // It ended while we looked.
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
    // It is another user's, or it ended.
    return ''
  }
}

/** What `ps axeww -o pid=,ppid=,pgid=,stat=,lstart=,command=` prints. */
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
 * Tells, list by list, which processes belong to some children: what bears the marker, what is in a leader's group or
 * session, and what any of these started. Remembers what it found, so that one that loses its parent stays found.
 */
export class Descendants {
  readonly #isMarker: (marker: string) => boolean
  /** Whether each group was seen to be the leader's and not one that got the number later. */
  readonly #groups = new Map<number, { readonly started: string; trusted: boolean }>()
  readonly #found = new Map<number, string>()

  /**
   * @param marker of one child, or closed by a slash for all of a launch
   * @param trusted the leaders are children of this very process, so no other process can have their numbers yet
   */
  constructor(marker: string, leaders: Iterable<Leader>, trusted: boolean) {
    const matches = (part: string) => (marker.endsWith('/') ? part.startsWith(marker) : part === marker)
    this.#isMarker = (value) => value !== '' && value.split(',').some(matches)
    for (const { pid, started } of leaders) if (pid > 1) this.#groups.set(pid, { started, trusted })
  }

  /** Those of `processes` that belong. Call it often enough that no number of a process can have been given again. */
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
    // A parent may stand behind its child in the list, so again until nothing new turns up.
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

/** Never throws: a process that is gone has got what we wanted. */
export function signalProcesses(processes: readonly ProcessInfo[], signal: NodeJS.Signals): void {
  // Whole groups, so that nothing slips through that was started since the list was made.
  for (const group of new Set(processes.map((each) => each.group))) {
    // To the system 0 means our own group and -1 means every process there is.
    if (group <= 1) continue
    try {
      process.kill(-group, signal)
    } catch {
      // ESRCH: gone. EPERM: it changed its user, and nobody but root could end it.
    }
  }
}
