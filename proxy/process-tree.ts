/** A child and its descendants: its process group, and the processes that left the group (`process-list.ts`). */
import { groupAlive, signalGroup } from './process-group.ts'
import {
  Descendants,
  listProcesses,
  listProcessesSync,
  signalProcesses,
  readStatus,
  type ProcessInfo,
} from './process-list.ts'
import { watchdog } from './watchdog.ts'

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
