import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runs } from './fixtures/peer.ts'
import type { ChildEvent as RawEvent } from './line-peer.ts'
import { LIMITS, type Limits } from './limits.ts'
import { MARKER } from './process-list.ts'
import { Refusal } from './refusal.ts'
import { Child } from './stdio-child.ts'
import type { SpawnRequest } from './wire.ts'

/** Lines decoded to strings. */
type ChildEvent =
  | { readonly type: 'line' | 'stderr'; readonly text: string; readonly invalidUtf8?: true }
  | Exclude<RawEvent, { readonly line: unknown }>

const decoded = (event: RawEvent): ChildEvent =>
  'line' in event
    ? { type: event.type, text: event.line.text, ...(event.line.invalidUtf8 ? { invalidUtf8: true } : {}) }
    : event

const NODE = process.execPath
const POSIX = process.platform !== 'win32'
const children: Child[] = []
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill()
    await child.gone
  }
})

async function start(request: Partial<SpawnRequest> & { args: readonly string[] }, limits: Partial<Limits> = {}) {
  const events: ChildEvent[] = []
  const waiting: (() => void)[] = []
  const child = new Child(
    { command: NODE, ...request },
    { ...LIMITS, stdoutPart: 60_000, stdinGrace: 150, termGrace: 150, ...limits },
    (event) => {
      events.push(decoded(event))
      for (const check of waiting) check()
    },
  )
  children.push(child)
  await child.started
  const until = (type: ChildEvent['type']) =>
    new Promise<void>((resolve) => {
      const check = () => void (events.some((event) => event.type === type) && resolve())
      waiting.push(check)
      check()
    })
  const of = <T extends ChildEvent['type']>(type: T) =>
    events.filter((event) => event.type === type) as (ChildEvent & { type: T })[]
  return { child, events, until, of }
}

const script = (code: string) => ({ args: ['-e', code] })

describe('what a child says', () => {
  test('every line of stdout is handed on as it is: messages, noise, empty lines, and the last without its end', async () => {
    const { of, until } = await start(
      script(`process.stdout.write('Listening on stdio!\\n\\n{"jsonrpc":"2.0"}\\r\\nno end')`),
    )
    await until('exit')
    expect(of('line').map((line) => line.text)).toEqual(['Listening on stdio!', '', '{"jsonrpc":"2.0"}\r', 'no end'])
  })

  test('a character that the pipe cuts in two arrives whole', async () => {
    const code = `const b = Buffer.from('"😀€é"\\n'); let i = 0; const t = setInterval(() => { if (i === b.length) return clearInterval(t); process.stdout.write(b.subarray(i, ++i)) }, 2)`
    const { of, until } = await start(script(code))
    await until('exit')
    expect(of('line')).toEqual([{ type: 'line', text: '"😀€é"' }])
  })

  test('bytes that are no UTF-8 are shown as far as they can be, and marked', async () => {
    const { of, until } = await start(script(`process.stdout.write(Buffer.from([0x61, 0xff, 0x62, 0x0a, 0x63, 0x0a]))`))
    await until('exit')
    expect(of('line')).toEqual([
      { type: 'line', text: 'a\uFFFDb', invalidUtf8: true },
      { type: 'line', text: 'c' },
    ])
  })

  test('a line over the limit is reported and the next one is read normally', async () => {
    const code = `process.stdout.write('x'.repeat(300000) + '\\nnext\\n')`
    const { events, until } = await start(script(code), { line: 100_000 })
    await until('exit')
    expect(events.slice(0, 2)).toEqual([
      {
        type: 'lost',
        stream: 'stdout',
        what: 'A line of stdout over 97.7 KB',
        size: 300_000,
        head: 'x'.repeat(1024),
        tail: 'x'.repeat(1024),
      },
      { type: 'line', text: 'next' },
    ])
  })

  test('a line of stdout without its end is reported once, when it stops growing, and arrives whole', async () => {
    const { child, of, until, events } = await start(
      script(`process.stdout.write('{"a":"ä'); process.stdin.once('data', () => {
        process.stdout.write('1'); setTimeout(() => { process.stdout.write('2"}\\n{"b":1}\\n'); process.stdin.destroy() }, 400) })`),
      { stdoutPart: 50 },
    )
    // Only then does it go on: on a busy machine, what it wrote later would be read together with the first part.
    await until('unfinished')
    await child.write(Buffer.from('go on\n'))
    await until('exit')
    expect(of('unfinished')).toEqual([{ type: 'unfinished', size: 8, text: '{"a":"ä' }])
    expect(of('line').map(({ text }) => text)).toEqual(['{"a":"ä12"}', '{"b":1}'])
    expect(events[0]!.type).toBe('unfinished')
  })

  test('a prompt on stderr that no line end closes is shown soon', async () => {
    const { of, until } = await start(script(`process.stderr.write('Password: '); process.stdin.resume()`))
    await until('stderr')
    expect(of('stderr')).toEqual([{ type: 'stderr', text: 'Password: ' }])
  })
})

describe('how a child ends', () => {
  test('the exit carries code and the last 50 lines of stderr, and comes after all that was said', async () => {
    const code = `for (let n = 1; n <= 60; n++) console.error('error ' + n); process.stdout.write('y'.repeat(500000) + '\\n', () => process.exit(3))`
    const { events, until } = await start(script(code))
    await until('exit')
    expect(events.filter((event) => event.type === 'line')).toHaveLength(1)
    expect(events.at(-1)).toEqual({
      type: 'exit',
      code: 3,
      signal: null,
      stderr: Array.from({ length: 50 }, (_, index) => `error ${index + 11}`),
    })
  })

  test.runIf(POSIX)('a child that is killed from outside says by which signal', async () => {
    const { child, of, until } = await start(script(`process.stdin.resume()`))
    process.kill(child.pid, 'SIGSEGV')
    await until('exit')
    expect(of('exit')[0]).toMatchObject({ code: null, signal: 'SIGSEGV' })
  })

  test('a polite one ends when its stdin does, and needs no signal', async () => {
    // Long enough even on a machine so busy that the child hasn't started reading.
    const { child, events, until } = await start(script(`process.stdin.resume()`), { stdinGrace: 60_000 })
    await child.end()
    await until('exit')
    expect(events).toEqual([
      { type: 'ending', step: 'stdin-closed' },
      { type: 'exit', code: 0, signal: null, stderr: [] },
    ])
  })

  test.runIf(POSIX)(
    'a stubborn one and what it started are gone after stdin, SIGTERM and SIGKILL, in this order',
    async () => {
      const { child, of, until } = await start({ args: [join(import.meta.dirname, 'fixtures/stubborn.mjs')] })
      await until('line')
      const { pids } = JSON.parse(of('line')[0]!.text) as { pids: number[] }
      expect(await Promise.all(pids.map(runs))).toEqual([true, true])
      await child.end()
      expect(await Promise.all(pids.map(runs))).toEqual([false, false])
      await until('exit')
      expect(of('ending').map(({ step }) => step)).toEqual(['stdin-closed', 'SIGTERM', 'SIGKILL'])
      expect(of('exit')[0]).toMatchObject({ code: null, signal: 'SIGKILL' })
    },
  )

  test.runIf(POSIX)('what a child leaves behind when it ends by itself is ended too', async () => {
    const code = `const { pid } = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }); console.log(pid); setTimeout(() => process.exit(7), 50)`
    // Long enough even on a machine so busy that the end of the process is noticed late.
    const { of, until, child } = await start(script(code), { termGrace: 60_000 })
    await until('exit')
    await child.gone
    expect(await runs(Number(of('line')[0]!.text))).toBe(false)
    expect(of('ending')).toEqual([{ type: 'ending', step: 'SIGTERM' }])
    expect(of('exit')[0]).toMatchObject({ code: 7 })
  })

  const leavesBehind = (options: string) =>
    script(
      `const { spawn } = require('child_process'); const p = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit', detached: true${options} }); p.unref(); console.log(p.pid); process.exit(0)`,
    )

  test.runIf(process.platform === 'linux')('a process that left the group is ended with the child', async () => {
    const { child, of, until } = await start(leavesBehind(''))
    await until('exit')
    await child.gone
    expect(await runs(Number(of('line')[0]!.text))).toBe(false)
  })

  test.runIf(POSIX)('a process that cannot be found and holds the pipes does not hold up the exit', async () => {
    const { of, until } = await start(leavesBehind(', env: {}'), { drain: 200 })
    await until('exit')
    const pid = Number(of('line')[0]!.text)
    expect(await runs(pid)).toBe(true)
    process.kill(pid, 'SIGKILL')
  })

  test('writing to one that has gone says so instead of failing', async () => {
    const { child, until } = await start(script(`process.stdin.destroy(); process.exit(0)`))
    await until('exit')
    expect(await child.write(Buffer.from('x\n'))).toBe(false)
  })

  test('a child that does not read holds the writer back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'periscope-read-'))
    const signal = join(folder, 'read')
    const code = `setInterval(() => require('fs').existsSync(${JSON.stringify(signal)}) && process.stdin.resume(), 20); console.log('ready')`
    const { child, until } = await start(script(code))
    let written = false
    const writing = child.write(Buffer.alloc(2_000_000, 0x61)).finally(() => (written = true))
    await until('line')
    expect(written).toBe(false)
    writeFileSync(signal, '')
    expect(await writing).toBe(true)
    rmSync(folder, { recursive: true })
  })
})

describe('a command that does not start', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'periscope-spawn-'))
    writeFileSync(join(folder, 'server.py'), 'print(1)\n')
    writeFileSync(join(folder, 'lost'), '#!/nowhere/python9\n')
    chmodSync(join(folder, 'lost'), 0o755)
    writeFileSync(join(folder, 'python3'), '#!/bin/sh\n')
    chmodSync(join(folder, 'python3'), 0o755)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const refusal = async (request: SpawnRequest): Promise<Refusal['error']> => {
    const failure = await start(request).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(Refusal)
    expect((failure as Refusal).status).toBe(422)
    return (failure as Refusal).error
  }

  test('names the command, the directories that were searched, and what to install', async () => {
    const env = { PATH: ['/no/such/place', '/nor/this'].join(delimiter) }
    expect(await refusal({ command: 'uvx', args: ['server'], env })).toEqual({
      code: 'not-found',
      message: 'The command "uvx" was not found in PATH (2 directories searched).',
      remedy: expect.stringContaining('Install uv'),
      searched: ['/no/such/place', '/nor/this'],
    })
  })

  test.runIf(POSIX)('knows a sister that is there', async () => {
    const error = await refusal({ command: 'python', args: [], env: { PATH: folder } })
    expect(error.remedy).toContain('Try "python3"')
  })

  test('tells a missing working directory from a missing command', async () => {
    const cwd = join(folder, 'nowhere')
    expect(await refusal({ command: NODE, args: [], cwd })).toMatchObject({
      code: 'bad-cwd',
      message: `The working directory "${cwd}" doesn't exist.`,
    })
    expect(await refusal({ command: NODE, args: [], cwd: join(folder, 'lost') })).toMatchObject({
      code: 'bad-cwd',
      message: /isn't a directory/,
    })
    expect((await refusal({ command: NODE, args: [], cwd: '~/x' })).remedy).toContain('Only a shell expands')
  })

  test('sees that program and arguments came as one', async () => {
    const error = await refusal({ command: 'npx -y server', args: [] })
    expect(error.remedy).toBe('Enter the program and its arguments separately: "npx" with "-y" "server".')
  })

  test.runIf(POSIX)('says that a file is not executable, and how to run it', async () => {
    const path = join(folder, 'server.py')
    expect(await refusal({ command: path, args: [] })).toMatchObject({
      code: 'not-executable',
      message: `"${path}" isn't executable for this user.`,
      remedy: `Start it as "python3 ${path}", or run "chmod +x ${path}".`,
    })
    expect(await refusal({ command: folder, args: [] })).toMatchObject({ message: /is a directory/ })
  })

  test.runIf(POSIX)('finds that it is the interpreter which is missing', async () => {
    expect((await refusal({ command: './lost', args: [], cwd: folder })).message).toContain(
      'its interpreter "/nowhere/python9" doesn\'t',
    )
  })

  test.runIf(process.platform === 'linux')('finds that a program is for another system', async () => {
    // A program like any other, except that this system lacks its loader.
    const program = readFileSync('/bin/sh').toString('latin1')
    const path = join(folder, 'for-another-system')
    writeFileSync(
      path,
      Buffer.from(
        program.replace(/\/ld-[\w.-]+/, (loader) => loader.replace(/.$/, '?')),
        'latin1',
      ),
    )
    chmodSync(path, 0o755)
    expect(await refusal({ command: path, args: [] })).toMatchObject({
      code: 'not-found',
      message: `"${path}" exists, but the system can't load it.`,
      remedy: 'Install the loader and the libraries it needs, or use a build for this system.',
    })
  })
})

describe('what a child is given', () => {
  test('arguments arrive as they are: no shell reads them', async () => {
    const args = ['$HOME', '*', '; exit 1', '"quoted"', 'a b', "it's", '\\', '']
    const { of, until } = await start({
      args: ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...args],
    })
    await until('exit')
    expect(JSON.parse(of('line')[0]!.text)).toEqual(args)
  })

  test('the environment is the allow-list and what the user adds', async () => {
    process.env['PERISCOPE_TEST_SECRET'] = 'secret'
    const code = 'console.log(JSON.stringify(process.env))'
    const [plain, whole] = await Promise.all([
      start({ ...script(code), env: { MINE: 'yes' } }),
      start({ ...script(code), inheritEnv: true }),
    ])
    await Promise.all([plain.until('exit'), whole.until('exit')])
    delete process.env['PERISCOPE_TEST_SECRET']
    expect(JSON.parse(plain.of('line')[0]!.text)).toHaveProperty(MARKER)
    const own = JSON.parse(plain.of('line')[0]!.text) as Record<string, string>
    expect(own).toMatchObject({ MINE: 'yes', PATH: process.env['PATH'] })
    expect(own).not.toHaveProperty('PERISCOPE_TEST_SECRET')
    expect(JSON.parse(whole.of('line')[0]!.text)).toMatchObject({ PERISCOPE_TEST_SECRET: 'secret' })
  })
})
