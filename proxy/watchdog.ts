/**
 * Starts the watchdog with the first child and keeps it informed about the children. If this process is killed (SIGKILL, out
 * of memory), it can't end them itself, so the watchdog does.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { MARKER, type Leader } from './process-list.ts'

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
export const watchdog = new Watchdog()

/** The build embeds the bundled script. From the sources, tsx runs it. */
function command(launch: string): [string, ...string[]] {
  if (typeof __WATCHDOG__ === 'string') return [process.execPath, '-e', __WATCHDOG__, launch]
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const script = fileURLToPath(new URL('./watchdog-process.ts', import.meta.url))
  return [process.execPath, '--import', tsx, '-e', `import(${JSON.stringify(pathToFileURL(script).href)})`, launch]
}
