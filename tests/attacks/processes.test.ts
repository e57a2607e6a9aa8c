/**
 * However Periscope ends, no server process may survive. `PERISCOPE_ROUNDS=20` repeats the hardest case that many
 * times.
 */
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { patient } from '../patience.ts'
import { buildPeriscope, run, type Bundle, type Running } from './periscope.ts'

const LINUX = process.platform === 'linux'
const ROUNDS = Number(process.env['PERISCOPE_ROUNDS'] ?? 3)
/** Concurrent rounds: each of them scans all processes. */
const AT_ONCE = 3

/**
 * Shell scripts, each with the number of processes it starts. `sleep` gets a duration that nothing else on this machine
 * uses, so that the processes can be found whatever they did to their group, parent and environment. It also ends them
 * if a test fails.
 */
const KINDS: Readonly<Record<string, { script(time: string): string; count: number; needs?: 'setsid' }>> = {
  ordinary: { script: (time) => `read line; : ${time}`, count: 1 },
  'ignores SIGTERM': { script: (time) => `trap '' TERM HUP; exec sleep ${time}`, count: 1 },
  'closed its stdin': { script: (time) => `trap '' TERM; exec <&-; exec sleep ${time}`, count: 1 },
  'behind a shell': { script: (time) => `trap '' TERM; sleep ${time}; true`, count: 2 },
  'twelve grandchildren': {
    script: (time) => `trap '' TERM; for n in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep ${time} & done; wait`,
    count: 13,
  },
  'left the group': { script: (time) => `trap '' TERM; setsid sleep ${time} & wait`, count: 2, needs: 'setsid' },
  'a daemon': {
    script: (time) => `trap '' TERM; (setsid sleep ${time} > /dev/null 2>&1 < /dev/null &); exec sleep ${time}`,
    count: 2,
    needs: 'setsid',
  },
  'left the group with an empty environment': {
    script: (time) => `trap '' TERM; env -i setsid sleep ${time} & wait`,
    count: 2,
    needs: 'setsid',
  },
}
const kinds = Object.values(KINDS).filter(({ needs }) => LINUX || !needs)
const COUNT = kinds.reduce((sum, { count }) => sum + count, 0)

const newTime = (): string => `${Math.ceil(patient(300))}.${randomInt(1e9, 1e10)}`

/** ms for a test: long enough for a machine that runs much else, short of the processes' own end. */
const PATIENCE = patient(280_000)

/** `expect.poll` doesn't support concurrent tests. */
const until = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: patient(100_000), interval: 100 })

/** Running processes with this duration in their command. */
async function sleeping(time: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['axww', '-o', 'pid=,stat=,command='], { maxBuffer: 64_000_000 })
  return stdout.split('\n').filter((line) => line.includes(time) && !/^\s*\d+\s+Z/.test(line))
}

async function spawnAll(periscope: Running): Promise<string> {
  const time = newTime()
  await Promise.all(kinds.map(({ script }) => periscope.spawn({ command: 'sh', args: ['-c', script(time)] })))
  await until(async () => expect(await sleeping(time)).toHaveLength(COUNT))
  return time
}

/** @returns ms until none were left */
async function untilNoneLeft(time: string): Promise<number> {
  const begun = performance.now()
  await until(async () => expect(await sleeping(time)).toEqual([]))
  return performance.now() - begun
}

describe.runIf(process.platform !== 'win32').concurrent('no process of a server stays', () => {
  let bundle: Bundle
  const running: Running[] = []
  const start = async (...[command, options]: Parameters<typeof run>): Promise<Running> => {
    const started = await run(command, options)
    running.push(started)
    return started
  }
  const periscope = (): [string, ...string[]] => [process.execPath, bundle.file, '--port', '0', '--no-open']

  beforeAll(async () => {
    bundle = await buildPeriscope()
  }, patient(200_000))
  afterAll(() => {
    for (const { process: child } of running) child.kill('SIGKILL')
    bundle?.remove()
  })

  test(
    `after SIGKILL of the proxy, ${ROUNDS} times: ${Object.keys(KINDS).join(', ')}`,
    async () => {
      const times: number[] = []
      const round = async (): Promise<void> => {
        const started = await start(periscope())
        const time = await spawnAll(started)
        started.process.kill('SIGKILL')
        times.push(await untilNoneLeft(time))
      }
      for (let done = 0; done < ROUNDS; done += AT_ONCE) {
        await Promise.all(Array.from({ length: Math.min(AT_ONCE, ROUNDS - done) }, round))
      }
      expect(times).toHaveLength(ROUNDS)
      if (process.env['PERISCOPE_ROUNDS']) console.log(`none left after ${Math.round(Math.max(...times))} ms at most`)
    },
    ROUNDS * PATIENCE,
  )

  test.each(['SIGTERM', 'SIGQUIT', 'SIGHUP'] as const)(
    'after %s to the proxy',
    { timeout: PATIENCE },
    async (signal) => {
      const started = await start(periscope())
      const time = await spawnAll(started)
      started.process.kill(signal)
      expect(await started.ended).toEqual({ code: 0, signal: null })
      await untilNoneLeft(time)
    },
  )

  test('after the end of its stdin, where that is a pipe', { timeout: PATIENCE }, async () => {
    const started = await start(periscope(), { stdin: 'pipe' })
    const time = await spawnAll(started)
    started.process.stdin!.end()
    expect(await started.ended).toEqual({ code: 0, signal: null })
    await untilNoneLeft(time)
  })

  test('but a stdin that had ended before the start says nothing', async () => {
    const started = await start(['sh', '-c', `: | exec "$0" "$@"`, ...periscope()])
    const { pid } = await started.spawn({ command: 'cat', args: [] })
    expect((await started.ask('GET', '/api/hello')).status).toBe(200)
    expect(() => process.kill(pid, 0)).not.toThrow()
  })

  test('after SIGKILL of its parent', { timeout: PATIENCE }, async () => {
    const started = await start(['sh', '-c', `"$0" "$@"; true`, ...periscope()])
    const time = await spawnAll(started)
    started.process.kill('SIGKILL')
    await untilNoneLeft(time)
    await until(() => expect(started.ask('GET', '/api/hello')).rejects.toThrow())
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'after %s to npm, which started it',
    { timeout: PATIENCE },
    async (signal) => {
      const folder = join(bundle.folder, `npm-${signal}`)
      mkdirSync(folder)
      const script = `"${process.execPath}" "${bundle.file}" --port 0 --no-open`
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: script } }))
      const started = await start(['npm', 'start', '--silent'], { cwd: folder })
      const time = await spawnAll(started)
      started.process.kill(signal)
      await untilNoneLeft(time)
      await until(() => expect(started.ask('GET', '/api/hello')).rejects.toThrow())
    },
  )

  test('after SIGKILL of `periscope record`', { timeout: PATIENCE }, async () => {
    const time = newTime()
    const { spawn } = await import('node:child_process')
    const script = `trap '' TERM; setsid sleep ${time} & sleep ${time} & exec sleep ${time}`
    const args = [bundle.file, 'record', '--out', join(bundle.folder, 'r.jsonl'), '--', 'sh', '-c', script]
    const recorder = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] })
    await until(async () => expect(await sleeping(time)).toHaveLength(4))
    recorder.kill('SIGKILL')
    await untilNoneLeft(time)
  })

  test(
    'and the watchdog ends with the proxy, or is replaced while there are servers',
    { timeout: PATIENCE },
    async () => {
      const started = await start(periscope())
      const watchdogs = async (): Promise<number[]> => {
        const { stdout } = await promisify(execFile)('ps', ['axww', '-o', 'pid=,ppid=,command='], {
          maxBuffer: 64_000_000,
        })
        const lines = stdout.split('\n').filter((line) => line.includes('The watchdog of Periscope'))
        return lines.flatMap((line) => {
          const [pid, parent] = line.trim().split(/\s+/).map(Number)
          return parent === started.process.pid ? [pid!] : []
        })
      }
      expect(await watchdogs()).toEqual([])
      await started.spawn({ command: 'cat', args: [] })
      const [first] = await watchdogs()
      process.kill(first!, 'SIGTERM')
      process.kill(first!, 'SIGKILL')
      await until(async () => expect((await watchdogs()).filter((pid) => pid !== first)).toHaveLength(1))
      const time = await spawnAll(started)
      const [second] = await watchdogs()
      started.process.kill('SIGKILL')
      await untilNoneLeft(time)
      await until(async () => expect(await runs(second!)).toBe(false))
    },
  )
})

/** A zombie that was never reaped isn't running. */
async function runs(pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: 'Z' }))
  return !stdout.startsWith('Z')
}
