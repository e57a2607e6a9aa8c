/** Starts HTTP servers as child processes, and finds processes a server has left behind. */
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { groupAlive } from '../../proxy/process-tree.ts'

export interface Command {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface Listening {
  readonly pid: number
  /** Ends the process and its group: SIGTERM, then SIGKILL after 2.5 s. */
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()

/** For use just before this process exits. */
export const killAll = (): void => {
  for (const { pid } of running) signal(pid, 'SIGKILL')
}

export const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * Starts a server and waits for its port.
 * @param limit ms
 * @throws {Error} with the end of its output, if it exited or the port stayed closed
 */
export const listenOn = async (wish: Command, port: number, limit: number): Promise<Listening> => {
  const child = spawn(wish.command, wish.args, {
    cwd: wish.cwd,
    env: { ...wish.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that its child processes end with it.
    detached: true,
  })
  running.add(child)
  let output = ''
  let ended: string | undefined
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2000))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  child.on('error', (error) => (ended = `did not start: ${error.message}`))
  child.on('exit', (code, how) => (ended = `ended with ${how ?? `exit code ${code}`}`))
  const stop = async () => {
    await endGroup(child)
    running.delete(child)
  }
  const until = Date.now() + limit
  while (!(await answers(port))) {
    if (ended === undefined && Date.now() < until) {
      await wait(50)
      continue
    }
    await stop()
    throw new Error(`The server ${ended ?? `did not open port ${port} within ${limit / 1000} s`}: ${output.trim()}`)
  }
  // Some servers open the port a moment before they accept requests.
  await wait(300)
  return { pid: child.pid!, stop }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, 'localhost')
    const settle = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
  })

const endGroup = async ({ pid }: ChildProcess): Promise<void> => {
  signal(pid, 'SIGTERM')
  for (let waited = 0; groupLives(pid) && waited < 2_500; waited += 50) await wait(50)
  signal(pid, 'SIGKILL')
  for (let waited = 0; groupLives(pid) && waited < 1_000; waited += 50) await wait(50)
}

const signal = (group: number | undefined, name: NodeJS.Signals): void => {
  if (group === undefined) return
  try {
    process.kill(-group, name)
  } catch {
    // Nothing is left of the group.
  }
}

/** Zombies, which some containers never reap, don't count as alive. */
export const groupLives = (group: number | undefined): boolean => group !== undefined && groupAlive(group)

export interface Stray {
  readonly pid: number
  readonly command: string
}

/**
 * Processes that still run with this HOME, whatever group they moved to. Linux only; other systems find none.
 * @param home a folder created for one server only
 */
const straysOf = (home: string): Stray[] => {
  const found: Stray[] = []
  for (const name of entries('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    const environment = text(`/proc/${name}/environ`)
    if (!environment.split('\0').includes(`HOME=${home}`)) continue
    found.push({ pid: Number(name), command: text(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim().slice(0, 120) })
  }
  return found
}

/** @returns processes that didn't exit within 2 s; they are killed */
export const endStrays = async (home: string): Promise<Stray[]> => {
  let left = straysOf(home)
  for (let waited = 0; left.length > 0 && waited < 2_000; waited += 100) {
    await wait(100)
    left = straysOf(home)
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It exited just now.
    }
  }
  return left
}

const entries = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const text = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
