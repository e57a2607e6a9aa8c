/**
 * Starts the watchdog with the first child, and tells it which children there are. What kills this process (SIGKILL, lack
 * of memory) leaves it no time for its children: the watchdog lives on for that long.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { MARKER, type Leader } from './processes.ts'

/** A watchdog that somebody ends is replaced, but not for ever. */
const MAX_STARTS = 10

/** Longer than this, markers of a Periscope around this one are left out. */
const MAX_OUTER_MARKER = 1000

class Watchdog {
  /** In the marker of each child: which run of Periscope it belongs to. */
  readonly launch = randomBytes(12).toString('hex')
  readonly #leaders = new Map<number, Leader>()
  #process: ChildProcess | undefined
  #starts = 0
  #markers = 0

  /** For the environment of a new child; the process that watches stands once this returns. */
  nextMarker(): string {
    this.#start()
    return `${this.launch}/${++this.#markers}`
  }

  /** The value of `MARKER` for a child: behind that of this process, so that a Periscope around this one finds it, too. */
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
      // Not the terminal's: Ctrl+C, or a shell that ends all it started, must not reach it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      // It holds no folder, and no marker of a Periscope around this one.
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

/** One for all children of this process. */
export const watchdog = new Watchdog()

/** The build puts the bundled script in; run from the sources, tsx reads it. */
function command(launch: string): [string, ...string[]] {
  if (typeof __WATCHDOG__ === 'string') return [process.execPath, '-e', __WATCHDOG__, launch]
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const script = fileURLToPath(new URL('./watchdog-process.ts', import.meta.url))
  return [process.execPath, '--import', tsx, '-e', `import(${JSON.stringify(pathToFileURL(script).href)})`, launch]
}
