/**
 * Runs the project's tools and ends each one together with everything it started. Tools have no time limit, because
 * their duration depends on the machine. A tool that prints nothing for a long time counts as hung.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const root = join(import.meta.dirname, '..')

export interface Ended {
  /** Why it failed, for people; absent if it exited with 0. */
  readonly problem?: string
  /** stdout and stderr in order of arrival; empty if they went to the terminal. */
  readonly output: string
  readonly seconds: number
}

/**
 * ms without output before a tool counts as hung. The longest silence of our tools is two minutes, on two idle cores.
 */
const SILENCE_LIMIT = 20 * 60_000

interface Options {
  /** ms in total, for a tool that may wait for another that never responds; default: unlimited. */
  readonly limit?: number
  /** Keep the output instead of showing it. */
  readonly quiet?: boolean
  readonly env?: Record<string, string>
}

/** Runs the command of an installed package, such as `eslint`, with this Node: no shell, no PATH lookup. */
export const runTool = (name: string, args: readonly string[], options: Options = {}): Promise<Ended> => {
  const [packageName, command = packageName] = name.split(':') as [string, string?]
  const folder = join(root, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
  }
  const file = typeof bin === 'string' ? bin : bin[command]
  if (!file) throw new Error(`The package ${packageName} has no command ${command}`)
  return run(process.execPath, [join(folder, file), ...args], options)
}

/** npm as it was started, otherwise the one next to this Node. */
export const runNpm = (args: readonly string[], options: Options): Promise<Ended> => {
  const npm = process.env['npm_execpath'] ?? join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js')
  return run(process.execPath, [npm, ...args], options)
}

const running = new Set<ChildProcess>()

const run = (command: string, args: readonly string[], { limit, quiet = false, env = {} }: Options): Promise<Ended> =>
  new Promise((resolve) => {
    const start = performance.now()
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...(quiet || !process.stdout.isTTY ? {} : { FORCE_COLOR: '1' }), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, so that browsers and servers end with the tool that started them.
      detached: process.platform !== 'win32',
    })
    running.add(child)
    let output = ''
    let late: string | undefined
    const end = (why: string) => {
      late = why
      endGroup(child)
    }
    const silence = setTimeout(() => end(`said nothing for ${SILENCE_LIMIT / 60_000} minutes`), SILENCE_LIMIT)
    const timer = limit && setTimeout(() => end(`took longer than ${Math.round(limit / 1000)} s`), limit)
    const hear = (shown: NodeJS.WriteStream) => (chunk: Buffer) => {
      silence.refresh()
      if (quiet) output += chunk.toString()
      else shown.write(chunk)
    }
    child.stdout.on('data', hear(process.stdout))
    child.stderr.on('data', hear(process.stderr))
    const settle = (problem?: string) => {
      clearTimeout(silence)
      clearTimeout(timer)
      running.delete(child)
      const seconds = (performance.now() - start) / 1000
      resolve({ output, seconds, ...(problem ? { problem } : {}) })
    }
    child.on('error', (error) => settle(`did not start: ${error.message}`))
    child.on('close', (code, signal) => {
      if (late) settle(`${late} and was ended`)
      else if (signal) settle(`ended by ${signal}`)
      else settle(code === 0 ? undefined : `exit code ${code}`)
    })
  })

const endGroup = (child: ChildProcess) => {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process ended in the meantime.
  }
}

/** Ends running tools when this run is interrupted: separate process groups don't receive the terminal's signal. */
export const endWithUs = () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      running.forEach(endGroup)
      process.exit(1)
    })
  }
}
