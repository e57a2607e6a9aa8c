import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually, patient } from '../patience.ts'
import { recordStdio } from '../../proxy/commands/record-stdio.ts'
import { verify } from '../../proxy/commands/verify.ts'
import { readCommand, type VerifyOptions } from '../../proxy/cli.ts'
import { exchanges, foldAll } from '../../web/mcp/index.ts'
import type { Frame } from '../../web/mcp/index.ts'
import { readSession } from '../../web/session-file/read.ts'
import { everythingStdio } from '../servers/everything.ts'
import { call, child, folder, greeter, GREETER, listAll, node, openSession } from './recording.ts'

let place: ReturnType<typeof folder>
beforeAll(() => void (place = folder()))
afterAll(() => place.remove())

const RECORDER = ['--import', 'tsx', fileURLToPath(import.meta.resolve('./recorder.ts'))]
const CHANGING = fileURLToPath(import.meta.resolve('../corpus/changing.mjs'))
/** The command that a client runs instead of the server's. */
const recorder = (out: string, command: readonly string[]) => ({
  command: node,
  args: [...RECORDER, '--out', out, '--', ...command],
})
const opened = (file: string) => readSession(createReadStream(file))
const verified = async (
  file: string,
  server: { command: string; args: readonly string[] },
  ...options: readonly string[]
) => {
  let text = ''
  const output = { out: (line: string) => void (text += line), err: (line: string) => void (text += line) }
  const read = readCommand('verify', [file, ...options, '--', server.command, ...server.args]) as VerifyOptions
  return { code: await verify(read, output), text }
}
/** Titles of the steps that differ. */
const failedIn = (text: string) => Array.from(text.matchAll(/✗ +\d+ {2}(.+?) {2}/g), ([, title]) => title)
/** What all views are built from: the requests and their outcomes. */
const outcomes = (frames: readonly Frame[]) =>
  foldAll(exchanges, frames).all.map(({ direction, method, status }) => `${direction} ${method} ${status}`)

const ended = async (process: ChildProcess) => {
  const [code, signal] = (await once(process, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal }
}

describe('recording between a client and a server over stdio', () => {
  test(
    'every byte passes as it came, both ways, whatever it is',
    async () => {
      const echo = { kind: 'command', command: node, args: ['-e', 'process.stdin.pipe(process.stdout)'] } as const
      const message = fc.jsonValue().map((params) => Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', params })}\n`))
      const bytes = fc.uint8Array({ maxLength: 300 }).map((piece) => Buffer.from(piece))
      let run = 0
      await fc.assert(
        fc.asyncProperty(fc.array(fc.oneof(message, bytes), { maxLength: 20 }), async (chunks) => {
          const out = place.file(`bytes-${run++}.jsonl`)
          const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()]
          const seen: Buffer[] = []
          output.on('data', (chunk: Buffer) => seen.push(chunk))
          const over = recordStdio(
            { kind: 'record', out, overwrite: false, from: echo },
            { input, output, errors },
            () => {},
          )
          for (const chunk of chunks) input.write(chunk)
          input.end()
          expect(await over).toEqual({ code: 0, signal: null })
          expect(Buffer.concat(seen)).toEqual(Buffer.concat(chunks))
          expect((await opened(out)).damaged).toBe(0)
        }),
        { numRuns: 8 },
      )
    },
    patient(180_000),
  )

  test(
    'the last bytes of a server that has ended arrive, however long its client waits before it reads them',
    async () => {
      const script = `process.stdout.write('x'.repeat(150_000) + '\\n'); process.stderr.write('bye')`
      const from = { kind: 'command', command: node, args: ['-e', script] } as const
      const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()]
      const out = place.file('tail.jsonl')
      const over = recordStdio(
        { kind: 'record', out, overwrite: false, from },
        { input, output, errors: errors.resume() },
        () => {},
      )
      // Longer than the recorder waits for a process that has ended and says nothing more.
      const early = new Promise((resolve) => setTimeout(() => resolve('still waiting'), 1_500))
      expect(await Promise.race([over, early])).toBe('still waiting')
      let size = 0
      output.on('data', (chunk: Buffer) => (size += chunk.length))
      expect(await over).toEqual({ code: 0, signal: null })
      await eventually(() => expect(size).toBe(150_001))
      expect(readFileSync(out, 'utf8').length).toBeGreaterThan(150_000)
    },
    patient(180_000),
  )

  test(
    'gives a file in which all is as it was to the client itself, and to which the server can be held',
    async () => {
      const out = place.file('everything.periscope.jsonl')
      const session = await openSession(child(recorder(out, [everythingStdio.command, ...everythingStdio.args])))
      await listAll(session)
      await call(session, 'echo', { message: 'hi' })
      await call(session, 'trigger-long-running-operation', { duration: 0.2, steps: 2 })
      await call(session, 'trigger-sampling-request', { prompt: 'Really?' })
      await call(session, 'no-such-tool')
      // This server sends a request on its own some time after the handshake. A client that disconnects at that moment
      // hasn't seen what the recorder has.
      await eventually(() => expect(outcomes([...session.trace])).toContain('received roots/list ok'))
      await session.close()
      const { head, frames, damaged } = await opened(out)
      expect({ damaged, name: head.servers[0]?.name }).toEqual({ damaged: 0, name: 'index.js' })
      // Messages that cross in transit arrive in a different order on each side.
      expect(outcomes(frames).toSorted()).toEqual(outcomes([...session.trace]).toSorted())
      const open = (all: readonly Frame[]) =>
        all.flatMap((frame) => (frame.kind === 'session' && frame.phase === 'open' ? [frame.peer] : []))
      const { evidence: _, ...peer } = open([...session.trace])[0]!
      expect(open(frames)[0]).toMatchObject(peer)

      // The same server passes every time. A changed server fails, and the report names each difference.
      for (let time = 0; time < 3; time++) {
        const { code, text } = await verified(out, everythingStdio)
        expect({ code, failed: failedIn(text) }).toEqual({ code: 0, failed: [] })
      }
      const { command, args } = everythingStdio
      const changing = { command: node, args: [CHANGING, 'description', command, ...args] }
      const { code, text } = await verified(out, changing)
      const pointers = Array.from(text.matchAll(/^ {11}(\/\S+)\n {11} {2}was/gm), ([, pointer]) => pointer)
      expect({ code, failed: failedIn(text), pointers }).toEqual({
        code: 1,
        failed: ['tools/list'],
        pointers: ['/tools/0/description'],
      })
    },
    patient(180_000),
  )

  test(
    'leaves a file that opens, and steps to run again, when it is killed in the middle',
    async () => {
      const out = place.file('killed.periscope.jsonl')
      const { command, args } = recorder(out, [node, GREETER])
      const process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
      const say = (message: object) => void process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      const clientInfo = { name: 'test', version: '1' }
      say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } })
      say({ method: 'notifications/initialized' })
      say({ id: 2, method: 'tools/call', params: { name: 'greet', arguments: { name: 'Ada' } } })
      let heard = ''
      for await (const chunk of process.stdout) if ((heard += String(chunk)).includes('Hello, Ada')) break
      // A message is written as it passes, or a moment later.
      while (!readFileSync(out, 'utf8').includes('Hello, Ada')) await new Promise((resolve) => setTimeout(resolve, 10))
      process.kill('SIGKILL')
      expect(await ended(process)).toMatchObject({ signal: 'SIGKILL' })
      const { damage, frames } = await opened(out)
      expect(damage.map(({ code }) => code)).toEqual(['truncated'])
      expect(outcomes(frames)).toEqual(['sent initialize ok', 'sent tools/call ok'])
      // What is there is the same; that it isn't all must be accepted.
      expect(await verified(out, greeter())).toMatchObject({ code: 1, text: expect.stringContaining('not whole') })
      expect(await verified(out, greeter(), '--partial')).toMatchObject({ code: 0 })
    },
    patient(180_000),
  )

  test.skipIf(process.platform === 'win32')(
    'ends as the server ends: its exit code, its signal',
    async () => {
      const run = (script: string) => {
        const { command, args } = recorder(place.file('ends.jsonl'), [node, '-e', script])
        return spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
      }
      const three = run('process.stderr.write("bye"); process.exitCode = 3')
      let words = ''
      three.stderr.on('data', (chunk) => (words += String(chunk)))
      expect(await ended(three)).toEqual({ code: 3, signal: null })
      expect(words.endsWith('bye')).toBe(true)

      const waiting = run('process.on("SIGINT", () => process.exit(7)); console.log("up"); setInterval(() => {}, 1000)')
      await once(waiting.stdout, 'data')
      waiting.kill('SIGINT')
      expect(await ended(waiting)).toEqual({ code: 7, signal: null })

      const heedless = run('console.log(process.pid); setInterval(() => {}, 1000)')
      const [said] = (await once(heedless.stdout, 'data')) as [Buffer]
      heedless.kill('SIGTERM')
      expect(await ended(heedless)).toEqual({ code: null, signal: 'SIGTERM' })
      expect(() => process.kill(Number(String(said)), 0)).toThrow(/ESRCH/)

      // Each run has its own file, and no file is overwritten.
      expect(['ends.jsonl', 'ends-2.jsonl', 'ends-3.jsonl'].map((name) => existsSync(place.file(name)))).toEqual([
        true,
        true,
        true,
      ])
    },
    patient(180_000),
  )

  test('keeps secrets of the command line out of the file, and only out of the file', async () => {
    const secret = 'sk-proj-Zq8Lm2Vx7Rt4Bn6Wc1Yd'
    const out = place.file('secrets.jsonl')
    const script = 'console.log(JSON.stringify({ jsonrpc: "2.0", method: "args", params: { args: process.argv } }))'
    const from = { kind: 'command', command: node, args: ['-e', script, '--', '--api-key', secret, 'plain'] } as const
    const [input, output, errors] = [new PassThrough().end(), new PassThrough(), new PassThrough()]
    await recordStdio({ kind: 'record', out, overwrite: false, from }, { input, output, errors }, () => {})
    expect(String(output.read())).toContain(secret)
    const text = readFileSync(out, 'utf8')
    expect(text).not.toContain(secret)
    expect(text).toContain('plain')
    const { frames } = await opened(out)
    expect(frames.find((frame) => frame.kind === 'process' && frame.event === 'spawn')).toMatchObject({
      args: ['-e', script, '--', '--api-key', expect.stringContaining('‹removed'), 'plain'],
    })
  })

  test('gives the server the variables that its arguments refer to, and keeps the references in the file', async () => {
    const secret = 'environment-secret-3f81'
    vi.stubEnv('PERISCOPE_TEST_TOKEN', secret)
    try {
      const out = place.file('references.jsonl')
      const script = 'console.log(JSON.stringify({ jsonrpc: "2.0", method: "args", params: { args: process.argv } }))'
      const args = ['-e', script, '--', '--api-key', '${env:PERISCOPE_TEST_TOKEN}']
      const from = { kind: 'command', command: node, args } as const
      const [input, output, errors] = [new PassThrough().end(), new PassThrough(), new PassThrough()]
      await recordStdio({ kind: 'record', out, overwrite: false, from }, { input, output, errors }, () => {})
      expect(String(output.read())).toContain(secret)
      expect(readFileSync(out, 'utf8')).not.toContain(secret)
      const { head, frames } = await opened(out)
      const references = { names: ['PERISCOPE_TEST_TOKEN'], values: {} }
      expect(head.servers[0]!.target).toMatchObject({ args, references })
      expect(JSON.stringify(frames.filter(({ kind }) => kind === 'message'))).toContain('${env:PERISCOPE_TEST_TOKEN}')
      vi.unstubAllEnvs()
      const again = { kind: 'record', out: place.file('unset.jsonl'), overwrite: false, from } as const
      const done = await recordStdio(again, { input: new PassThrough().end(), output, errors }, () => {})
      expect(done).toEqual({ code: 2, signal: null })
      expect(String(errors.read())).toContain('${env:PERISCOPE_TEST_TOKEN}')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('says what cannot be started, or where nothing can be written', async () => {
    const [input, output, errors] = [new PassThrough().end(), new PassThrough(), new PassThrough()]
    const from = { kind: 'command', command: 'no-such-command-here', args: [] } as const
    const options = { kind: 'record', overwrite: false, from } as const
    const streams = { input, output, errors }
    const done = await recordStdio({ ...options, out: place.file('none.jsonl') }, streams, () => {})
    expect(done).toEqual({ code: 127, signal: null })
    expect(String(errors.read())).toMatch(/periscope record: .*no-such-command-here/)
    await expect(recordStdio({ ...options, out: place.file('no/where.jsonl') }, streams, () => {})).rejects.toThrow(
      /Can't write/,
    )
  })

  test.each<[readonly string[], RegExp]>([
    [['--', 'node'], /--out session\.periscope\.jsonl/],
    [['--out', 'a'], /its command after `--`, or its URL with --listen PORT/],
    [['--out', 'a', '--'], /No command follows/],
    [['--out', 'a', 'http://localhost/mcp'], /--listen 8080/],
    [['--out', 'a', '--listen', '99999', 'http://localhost/mcp'], /isn't a port/],
    [['--out', 'a', '--listen', '0', 'ftp://localhost/mcp'], /isn't a server URL/],
    [['--out', 'a', '--listen', '0', 'ws://localhost/mcp'], /can't sit between .* Connect to it in the page/],
    [['--out', 'a', 'unix:/tmp/a.sock'], /can't sit between .* Connect to it in the page/],
    [['--out', 'a', '--listen', '0', '--', 'node'], /a command is recorded over stdio/],
    [['--out'], /needs a value/],
    [['--into', 'a'], /Unknown option `--into`/],
  ])('says what to write where %j is no use of it', (argv, message) => {
    const options = readCommand('record', argv)
    expect(options).toMatchObject({ kind: 'usage-error', message: expect.stringMatching(message) })
    expect(options).toMatchObject({ message: expect.stringContaining('Usage: periscope record --out FILE') })
  })
})
