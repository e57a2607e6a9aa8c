/** A child and everything it started: its process group (`group.ts`), and what has left that (`processes.ts`). */
import { groupAlive, signalGroup } from './process-group.ts'
import {
  Descendants,
  listProcesses,
  listProcessesSync,
  signalProcesses,
  readStatus,
  type ProcessInfo,
} from './processes.ts'
import { watchdog } from './watchdog.ts'

/** ms that one list of processes serves all children: with many that end at once it would be read over and over. */
const CACHE_MS = 40

let latest: { readonly at: number; readonly list: Promise<ProcessInfo[]> } | undefined

export class ProcessTree {
  /** What the child's environment must hold, so that its descendants can be found. */
  readonly environment: Readonly<Record<string, string>>
  readonly #marker: string
  #descendants: Descendants | undefined
  #pid = 0
  #startedAt = 0
  #groupGone = false

  /** Before the child is spawned: the watchdog must stand by then. */
  constructor() {
    this.#marker = watchdog.nextMarker()
    this.environment = watchdog.environment(this.#marker)
  }

  /** Right after the spawn. @param pid of the child, which leads its group */
  start(pid: number): void {
    const leader = { pid, started: readStatus(pid)?.started ?? '' }
    this.#pid = pid
    this.#startedAt = performance.now()
    this.#descendants = new Descendants(this.#marker, [leader], true)
    watchdog.add(leader)
  }

  /** Whether anything of it still runs. Ask only after the child itself has exited; the last answer is no. */
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

  /** SIGKILL, at once where the system allows: the last thing before this process itself ends. */
  kill(): void {
    // Before the group, whose end would hide whose child a stray process is.
    const strays = this.#descendants?.find(listProcessesSync()) ?? []
    if (!this.#groupGone) signalGroup(this.#pid, 'SIGKILL')
    signalProcesses(strays, 'SIGKILL')
    if (process.platform !== 'linux') void this.signal('SIGKILL')
  }
}
