/**
 * The command as shipped, for attacks on it: the single bundled file in a folder of its own, run the way a user runs
 * it.
 */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, vi } from 'vitest'
import type { Launched, SpawnRequest } from '../../proxy/wire.ts'
import { root, runTool } from '../command.ts'
import { patient } from '../patience.ts'

export interface Bundle {
  readonly folder: string
  readonly file: string
  remove(): void
}

/** A copy of the bundle, which the first file of a run that asks for it builds for all others. */
export async function buildPeriscope(): Promise<Bundle> {
  const built = join(inject('runFolder'), 'proxy')
  const first = mkdirSync(built, { recursive: true }) !== undefined
  if (first) await build(built)
  const problem = await vi.waitFor(() => readFileSync(join(built, PROBLEM), 'utf8'), { timeout: patient(120_000) })
  if (problem) throw new Error(problem)
  const folder = mkdtempSync(join(tmpdir(), 'periscope-attack-'))
  cpSync(built, join(folder, 'proxy'), { recursive: true })
  return { folder, file: join(folder, 'proxy', 'periscope.js'), remove: () => rmSync(folder, { recursive: true }) }
}

/** Written last; empty if the build succeeded. */
const PROBLEM = 'problem.txt'

const build = async (folder: string): Promise<void> => {
  const args = ['build', '--ssr', '--mode', 'proxy', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
  const { problem, output } = await runTool('vite', args, { quiet: true, env: { VITEST: '', NODE_ENV: '' } })
  writeFileSync(join(folder, PROBLEM), problem ? `vite ${problem}: ${output}` : '')
}

export interface Running {
  readonly process: ChildProcess
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Its URL, with a trailing slash, and its launch token. */
  readonly base: string
  readonly token: string
  /** Requests to its API. */
  ask(method: string, path: string, body?: unknown): Promise<Response>
  spawn(request: SpawnRequest, page?: string): Promise<{ child: string; pid: number }>
}

interface RunOptions {
  readonly stdin?: 'ignore' | 'pipe'
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Runs a command that prints Periscope's URL, and waits for the URL. */
export async function run(command: readonly [string, ...string[]], options: RunOptions = {}): Promise<Running> {
  const { VITEST: _, NODE_ENV: __, ...own } = process.env
  const stdio: StdioOptions = [options.stdin ?? 'ignore', 'pipe', 'pipe']
  const [file, ...args] = command
  const child = spawn(file, args, { cwd: options.cwd ?? root, env: { ...own, ...options.env }, stdio })
  const ended = once(child, 'exit').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }))
  let output = ''
  const address = await new Promise<URL>((resolve, reject) => {
    const read = (piece: Buffer): void => {
      output += piece.toString()
      const found = /http:\/\/\S+#launch=\S+(?=\s)/.exec(output)?.[0]
      if (found) resolve(new URL(found))
    }
    child.stdout!.on('data', read)
    child.stderr!.on('data', read)
    void ended.then(() => reject(new Error(`It ended before it was ready, and said: ${output}`)))
  })
  const body = JSON.stringify({ code: address.hash.replace('#launch=', '') })
  const launched = await fetch(`${address.origin}/api/launch`, { method: 'POST', body })
  const { token } = (await launched.json()) as Launched
  const ask = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(address.origin + path, {
      method,
      headers: { 'Periscope-Token': token },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return {
    process: child,
    ended,
    base: `${address.origin}/`,
    token,
    ask,
    spawn: async (request, page = 'p') => {
      const response = await ask('POST', `/api/pages/${page}/children`, request)
      if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
      return (await response.json()) as { child: string; pid: number }
    },
  }
}
