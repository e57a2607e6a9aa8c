import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { patient } from '../patience.ts'
import { lineTransport } from '../../proxy/commands/line-transport.ts'
import { verify } from '../../proxy/commands/verify.ts'
import { readCommand, type VerifyOptions } from '../../proxy/cli.ts'
import { StreamableHttpTransport } from '../../web/mcp/index.ts'
import { headOf } from '../../web/session-file/index.ts'
import { redact } from '../../web/share/index.ts'
import { HereWebSocket } from '../web-socket-here.ts'
import { everythingStdio } from '../servers/everything.ts'
import { call, child, folder, greeter, GREETER, listAll, node, record, write } from './recording.ts'

let place: ReturnType<typeof folder>
let recording: string
beforeAll(async () => {
  place = folder()
  const frames = await record(child(greeter()), async (session) => {
    await listAll(session)
    await call(session, 'greet', { name: 'Ada' })
    await call(session, 'clock')
    await call(session, 'fail')
    await call(session, 'ask')
    await call(session, 'unknown')
  })
  recording = write(place.file('greeter.periscope.jsonl'), frames, { kind: 'command', ...greeter(), env: [] })
})
afterAll(() => place.remove())

const optionsOf = (...argv: string[]): VerifyOptions => {
  const options = readCommand('verify', argv)
  expect(options).toMatchObject({ kind: 'verify' })
  return options as VerifyOptions
}

const run = async (...argv: string[]) => {
  let [out, err] = ['', '']
  const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) }
  const code = await verify(optionsOf(...argv), output)
  return { code, out, err }
}

const to = ({ command, args }: { command: string; args: readonly string[] }) => ['--', command, ...args]

describe('periscope verify', () => {
  test('finds the same server the same, three times in a row, times and ids apart', async () => {
    for (let time = 0; time < 3; time++) {
      const { code, out, err } = await run(recording, ...to(greeter()))
      expect({ code, err, failed: /✗.*/.exec(out)?.[0] }).toEqual({ code: 0, err: '', failed: undefined })
      expect(out).toMatch(/9 steps in [\d.]+ s: 9 passed\.\nDifferences ignored by rules: times 1\./)
      expect(out).toContain('greeter 1.0.0, protocol version 2025-11-25\n')
    }
  })

  test('names what another server answers otherwise, where, was and is, and ends with 1', async () => {
    const { code, out } = await run(recording, ...to(greeter('changed')))
    expect(code).toBe(1)
    expect(out).toContain('Note: greeter 2.0.0, protocol version 2025-11-25; recorded: greeter 1.0.0')
    const failed = out.split('\n').filter((line) => line.includes('✗'))
    expect(failed.map((line) => line.trim().split(/\s{2,}/)[2])).toEqual([
      'handshake',
      'tools/call greet',
      'tools/call ask',
    ])
    expect(out).toMatch(/\/serverInfo\/version\n\s+was {2}"1.0.0"\n\s+is {3}"2.0.0"\n/)
    expect(out).toMatch(/\/content\/0\/text\n\s+was {2}"Hello, Ada"\n\s+is {3}"Good day, Ada"\n/)
  })

  test('finds a MUST that is broken now and was not', async () => {
    const { code, out } = await run(recording, ...to(greeter('broken')))
    expect(code).toBe(1)
    expect(out).toMatch(/New violations, not in the recording:\n {2}✗ [A-Z]+-/)
  })

  test(
    'holds server-everything to its recording, over stdio and over HTTP',
    async () => {
      const use = async (session: Parameters<typeof call>[0]) => {
        await listAll(session)
        await call(session, 'echo', { message: 'hi' })
        await call(session, 'get-sum', { a: 1, b: 2 })
        await call(session, 'get-roots-list')
        await call(session, 'trigger-sampling-request', { prompt: 'Really?' })
        await call(session, 'trigger-elicitation-request')
        await call(session, 'get-structured-content', { location: 'New York' })
      }
      const stdio = write(place.file('everything-stdio.jsonl'), await record(child(everythingStdio), use))
      const http = new StreamableHttpTransport({ url: inject('everythingUrl') })
      const url = { kind: 'url', url: inject('everythingUrl'), headers: [] } as const
      const streamable = write(place.file('everything-http.jsonl'), await record(http, use), url)
      for (let time = 0; time < 3; time++) {
        expect(await run(stdio, ...to(everythingStdio))).toMatchObject({ code: 0, err: '' })
        // The recording contains no secrets and no process is started, so the recorded URL is sufficient.
        expect(await run(streamable)).toMatchObject({ code: 0, err: '' })
      }
    },
    patient(180_000),
  )

  test(
    'holds a server to a recording from which secrets were removed, and says which steps it left out',
    async () => {
      const frames = await record(child(everythingStdio), async (session) => {
        await listAll(session)
        await call(session, 'echo', { message: 'hi' })
        await call(session, 'echo', { message: 'password=hunter2xyz' })
        await call(session, 'get-structured-content', { location: 'New York' })
        await call(session, 'get-sum', { a: 1, b: 2 })
      })
      const head = headOf({ begunAt: new Date().toISOString(), tool: { name: 'test', version: '1' }, servers: [] })
      const { frames: clean, changes } = await redact(head, frames)
      expect(changes.map(({ value }) => value)).toContain('hunter2xyz')
      const file = write(place.file('redacted.jsonl'), clean)
      for (let time = 0; time < 3; time++) {
        const { code, out } = await run(file, ...to(everythingStdio))
        expect({ code, failed: /✗.*/.exec(out)?.[0] }).toEqual({ code: 0, failed: undefined })
        expect(out).toMatch(/1 skipped/)
        expect(out).toContain("its request was redacted, so it can't be sent")
      }
    },
    patient(180_000),
  )

  test(
    'answers roots/list with the current folder where local folders were removed',
    async () => {
      const frames = await record(child(everythingStdio), async (session) => {
        await call(session, 'get-roots-list')
      })
      const shared = JSON.stringify(frames).replaceAll('file:///demo', 'file://‹removed: paths›')
      const file = write(place.file('folders.jsonl'), JSON.parse(shared) as typeof frames)
      const { code, out } = await run(file, '--json', ...to(everythingStdio))
      expect({ code, failed: /✗.*/.exec(out)?.[0] }).toEqual({ code: 0, failed: undefined })
      expect(out).toContain(process.cwd())
    },
    patient(180_000),
  )

  test.each([
    ['no such file', () => ['nowhere.jsonl', ...to(greeter())], /The file `nowhere\.jsonl` doesn't exist/],
    ['a file that is none', () => [import.meta.filename, ...to(greeter())], /isn't a Periscope recording/],
    ['a server that ends', () => [recording, ...to(greeter('exits'))], /Can't connect to .*exit code 3/],
    ['a command that is none', () => [recording, '--', 'no-such-command-here'], /no-such-command-here/],
    ['an address where nobody is', () => [recording, '--server', 'http://127.0.0.1:9/mcp'], /Can't connect to/],
    ['a command that only the file names', () => [recording], /add --trust-target/],
    ['rules that are none', () => [recording, '--rules', recording, ...to(greeter())], /Can't read/],
    ['a connection that is not in it', () => [recording, '--link', 's9', ...to(greeter())], /connections are s1/],
  ])('cannot run, says why and ends with 2: %s', async (_, argv, message) => {
    const { code, out, err } = await run(...argv())
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(message)
  })

  test('shows the stderr and the working directory of a server that ends, without secrets and controls', async () => {
    const script = String.raw`console.error('a\u001b[2J\nAPI_KEY=hunter2xyz9'); console.error('last'); process.exit(4)`
    const { err } = await run(recording, '--', node, '-e', script)
    const [message, ...lines] = err.trimEnd().split('\n')
    expect(message).toMatch(/Can't connect to .*exit code 4\.$/)
    expect(lines.slice(0, 3)).toEqual([
      `Working directory: ${process.cwd()}`,
      'Last lines of stderr:',
      '  a⟨U+001B⟩[2J',
    ])
    expect(lines.at(-1)).toBe('  last')
    expect(lines.join('\n')).not.toContain('hunter2xyz9')
  })

  test("leaves the values of its environment out of a failed server's stderr and reason", async () => {
    const script = `console.error('key ' + process.env.ACME_TOKEN); console.error('in ' + process.env.ACME_STAGE); process.exit(4)`
    vi.stubEnv('ACME_TOKEN', 'correct-horse-42')
    vi.stubEnv('ACME_STAGE', 'production')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { err } = await run(recording, '--', node, '-e', script, 'correct-horse-42')
    expect(err).not.toContain('correct-horse-42')
    expect(err).toMatch(/\n {2}key \S*•/)
    expect(err).toContain('\n  in production\n')
  })

  test('sends the steps of each connection to its own server, and none of them to one that was given for all', async () => {
    const step = (link: string, text: string) => ({
      id: link,
      link,
      method: 'tools/call',
      params: { name: 'greet', arguments: { name: 'Bo' } },
      expect: [{ kind: 'equals', pointer: '/content/0/text', value: text }],
    })
    const server = (link: string, name: string, variant: string) => ({
      link,
      name,
      target: { kind: 'command', ...greeter(variant), env: [] },
    })
    const head = { format: 'periscope-session', version: 1, part: 'steps', begunAt: '', tool: {} }
    const steps = [step('s1', 'Hello, Bo'), step('s2', 'Good day, Bo')]
    const servers = [server('s1', 'kind', 'plain'), server('s2', 'formal', 'changed')]
    const file = place.file('two.jsonl')
    writeFileSync(file, `${JSON.stringify({ ...head, servers, more: { collection: { steps } } })}\n`)
    const { code, out } = await run(file, '--trust-target')
    expect(code).toBe(0)
    expect(out).toMatch(/kind: tools\/call greet .*\n.*formal: tools\/call greet /)
    const refused = await run(file, ...to(greeter()))
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.err).toContain('2 connections, but one server was given. Choose a connection with --link:\n')
    expect(refused.err).toContain('  --link s2  formal  stdio  1 step: tools/call greet\n')
    expect(await run(file, '--link', 's1', ...to(greeter()))).toMatchObject({
      code: 0,
      out: expect.not.stringContaining('kind:'),
    })
    const remote = { kind: 'url', headers: [] }
    const away = ['http://127.0.0.1:9/mcp', 'http://127.0.0.1:10/mcp'].map((url, at) => ({
      link: `s${at + 1}`,
      name: 'a',
      target: { ...remote, url },
    }))
    writeFileSync(file, `${JSON.stringify({ ...head, servers: away, more: { collection: { steps } } })}\n`)
    expect((await run(file, '--header', 'Authorization: Bearer x')).err).toMatch(
      /--header was given.*\n {2}--link s1 {2}a/,
    )
  })

  test('runs the command of the recording only by the word of its user', async () => {
    expect((await run(recording, '--trust-target')).code).toBe(0)
  })

  test('reads the variables that the recording refers to only by the word of its user, and names those that are not set', async () => {
    const frames = await record(child(greeter()), (session) => call(session, 'greet', { name: 'Ada' }))
    const references = {
      names: ['PERISCOPE_TEST_VARIANT', 'PERISCOPE_TEST_KEY'],
      values: { KEY: '${env:PERISCOPE_TEST_KEY}' },
    }
    const args = [GREETER, '${env:PERISCOPE_TEST_VARIANT}']
    const file = write(place.file('references.jsonl'), frames, {
      kind: 'command',
      command: node,
      args,
      env: ['KEY'],
      references,
    })
    try {
      vi.stubEnv('PERISCOPE_TEST_VARIANT', 'changed')
      expect(await run(file, '--trust-target')).toMatchObject({
        code: 2,
        err: expect.stringContaining('PERISCOPE_TEST_KEY'),
      })
      vi.stubEnv('PERISCOPE_TEST_KEY', 'k')
      expect((await run(file)).err).toContain('--trust-target')
      // The variant of the server comes from the environment.
      expect((await run(file, '--trust-target')).out).toContain('greeter 2.0.0')
      vi.stubEnv('PERISCOPE_TEST_VARIANT', 'plain')
      expect((await run(file, '--trust-target')).code).toBe(0)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('sends no variable to the URL of a recording without the word of its user', async () => {
    const url = `${inject('hostileUrl')}/h/no-cors/${crypto.randomUUID()}`
    const frames = await record(new StreamableHttpTransport({ url }), (session) => call(session, 't'))
    const references = { names: ['PERISCOPE_TEST_KEY'], values: { 'X-Key': 'Bearer ${env:PERISCOPE_TEST_KEY}' } }
    const file = write(place.file('url-references.jsonl'), frames, { kind: 'url', url, headers: ['X-Key'], references })
    const got = async () => {
      const { origin, pathname } = new URL(url)
      const response = await fetch(`${origin}/control/seen${pathname}`, { method: 'POST', body: '{}' })
      return ((await response.json()) as { headers: Record<string, string> }[]).map(({ headers }) => headers['x-key'])
    }
    const before = (await got()).length
    try {
      vi.stubEnv('PERISCOPE_TEST_KEY', 'secret-of-this-machine')
      const refused = await run(file)
      expect(refused.code).toBe(2)
      expect(refused.err).toContain('X-Key: Bearer ${env:PERISCOPE_TEST_KEY}')
      expect(refused.err).not.toContain('secret-of-this-machine')
      expect(await got()).toHaveLength(before)
      expect((await run(file, '--trust-target')).code).toBe(0)
      expect(new Set((await got()).slice(before))).toEqual(new Set(['Bearer secret-of-this-machine']))
      vi.unstubAllEnvs()
      expect((await run(file, '--trust-target')).err).toContain("${env:PERISCOPE_TEST_KEY} isn't set")
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('accepts by rules of its user, and by no rule that they turned off', async () => {
    const rules = place.file('rules.json')
    const greetings = { id: 'greetings', where: '/content/0/text', accept: 'any' }
    const version = { id: 'version', where: '/serverInfo/version', accept: 'any' }
    writeFileSync(rules, JSON.stringify([greetings, version]))
    const accepted = await run(recording, '--rules', rules, ...to(greeter('changed')))
    expect(accepted).toMatchObject({ code: 0, out: expect.stringMatching(/greetings 3/) })
    writeFileSync(rules, JSON.stringify(['times', 'ids'].map((id) => ({ id, accept: 'time', off: true }))))
    expect((await run(recording, '--rules', rules, ...to(greeter()))).out).toMatch(/✗ .*clock/)
  })

  test('learns by repeating safe calls what varies, and still finds what changed', async () => {
    const frames = await record(child(greeter()), async (session) => {
      await listAll(session)
      await call(session, 'dice')
    })
    const unsteady = write(place.file('unsteady.jsonl'), frames)
    expect((await run(unsteady, ...to(greeter()))).code).toBe(1)
    const { code, out } = await run(unsteady, '--calibrate', ...to(greeter()))
    expect({ code, failed: /✗.*/.exec(out)?.[0] }).toEqual({ code: 0, failed: undefined })
    expect(out).toMatch(
      /ignored by calibrated: \/content\/0\/text\n\s+ignored by calibrated: \/structuredContent\/winner/,
    )
    const changed = await run(unsteady, '--calibrate', ...to(greeter('unlucky')))
    expect(changed.code).toBe(1)
    expect(changed.out).toMatch(/\/content\/0\/text\n\s+was[^]*\/structuredContent\/prizes\n\s+was {2}30\n\s+is {3}300/)
  })

  test('repeats no tool that may change something', async () => {
    const frames = await record(child(greeter()), async (session) => {
      await listAll(session)
      await call(session, 'lot')
    })
    const unsafe = write(place.file('unsafe.jsonl'), frames)
    expect(await run(unsafe, '--calibrate', ...to(greeter()))).toMatchObject({
      code: 1,
      out: expect.not.stringContaining('ignored by calibrated'),
    })
  })

  test('takes the new answers into the file when it is asked to, and then finds the same', async () => {
    const copy = place.file('update.periscope.jsonl')
    writeFileSync(copy, readFileSync(recording))
    const { code, out } = await run(copy, '--update', ...to(greeter('changed')))
    expect({ code, out: /Updated 3 responses.*/.exec(out)?.[0] }).toEqual({
      code: 0,
      out: `Updated 3 responses in ${copy}.`,
    })
    expect(await run(copy, ...to(greeter('changed')))).toMatchObject({ code: 0 })
    expect(await run(copy, ...to(greeter()))).toMatchObject({ code: 1 })
    const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n')
    const differing = lines(copy).filter((line, at) => line !== lines(recording)[at])
    // Two answers of tools, the handshake, and what was learned from it.
    expect(differing).toHaveLength(4)
  })

  test('reports the same as JSON, JUnit XML and SARIF', async () => {
    const [junit, sarif] = [place.file('junit.xml'), place.file('report.sarif')]
    const argv = [recording, '--json', '--junit', junit, '--sarif', sarif, ...to(greeter('changed'))]
    const { code, out } = await run(...argv)
    expect(code).toBe(1)
    const json = JSON.parse(out) as { summary: object; steps: { title: string; passed: boolean; line: number }[] }
    expect(json.summary).toMatchObject({ passed: 7, failed: 3, ok: false })
    const failed = json.steps.filter(({ passed }) => !passed)
    expect(readFileSync(junit, 'utf8')).toContain('tests="10" failures="3" errors="0" skipped="0"')
    const { runs } = JSON.parse(readFileSync(sarif, 'utf8')) as { runs: [{ results: { locations: Location[] }[] }] }
    expect(runs[0].results.map(({ locations }) => locations[0]!.physicalLocation.region.startLine)).toEqual(
      failed.map(({ line }) => line),
    )
    // The line number is that of the request in the file.
    const text = readFileSync(recording, 'utf8').split('\n')[failed[1]!.line - 1]
    expect(JSON.parse(text!)).toMatchObject({ kind: 'message', direction: 'sent', message: { method: 'tools/call' } })
  })

  test('fills variables in, checks expectations of kept steps, and stops when it is told to', async () => {
    const step = (expectation: object) => ({
      id: 'a',
      link: 's1',
      method: 'tools/call',
      params: { name: 'greet', arguments: { name: '{{who}}' } },
      templated: true,
      expect: [expectation],
    })
    const kept = (file: string, expectation: object) => {
      const head = { format: 'periscope-session', version: 1, part: 'steps', begunAt: '', tool: {}, servers: [] }
      writeFileSync(file, JSON.stringify({ ...head, more: { collection: { steps: [step(expectation)] } } }) + '\n')
      return file
    }
    const file = kept(place.file('kept.jsonl'), { kind: 'equals', pointer: '/content/0/text', value: 'Hello, Bo' })
    expect(await run(file, '--var', 'who=Bo', ...to(greeter()))).toMatchObject({ code: 0 })
    expect(await run(file, '--var', 'who=Cy', ...to(greeter()))).toMatchObject({
      code: 1,
      out: expect.stringMatching(/expected \/content\/0\/text to be "Hello, Bo"; found Hello, Cy/),
    })
    expect(await run(file, ...to(greeter()))).toMatchObject({ code: 1, out: expect.stringMatching(/--var who=/) })
    const schema = { type: 'object', properties: { content: { type: 'array', maxItems: 0 } } }
    const matching = kept(file, { kind: 'matches', schema })
    expect((await run(matching, '--var', 'who=Bo', ...to(greeter()))).out).toMatch(
      /to match its schema; found \/content/,
    )
    const musts = kept(file, { kind: 'no-must' })
    expect((await run(musts, '--var', 'who=Bo', ...to(greeter('broken')))).code).toBe(1)
    const controller = new AbortController()
    const silent = verify(
      optionsOf(file, ...to(greeter('silent'))),
      { out: () => {}, err: () => {} },
      controller.signal,
    )
    setTimeout(() => controller.abort(), 300)
    expect(await silent).toBe(2)
  })

  test('runs over a socket, a WebSocket and a module, and opens what the file names only if that is trusted', async () => {
    vi.stubGlobal('WebSocket', HereWebSocket)
    const target = `unix:${inject('socketFolder')}/v1-2025-11-25.sock`
    const frames = await record(lineTransport(target, []), async (session) => {
      await session.request('tools/list', {})
      await call(session, 'echo', { text: 'Grüße' })
    })
    const file = write(place.file('socket.periscope.jsonl'), frames, { kind: 'custom', url: target })
    const module = place.file('mine.mjs')
    writeFileSync(module, MODULE)
    try {
      expect(await run(file)).toMatchObject({ code: 2, err: expect.stringMatching(/unix:.*add --trust-target/) })
      for (const argv of [
        ['--trust-target'],
        ['--server', target],
        ['--server', `${inject('webSocketUrl')}/v1/2025-11-25/${crypto.randomUUID()}`],
        ['--server', target.replace('unix', 'mine'), '--transport', module],
      ]) {
        const { code, out, err } = await run(file, ...argv)
        expect({ argv, code, err, failed: /✗.*/.exec(out)?.[0] }).toEqual({ argv, code: 0, err: '', failed: undefined })
      }
      const gone = await run(file, '--server', 'unix:/nowhere/a.sock')
      expect(gone).toMatchObject({ code: 2, err: expect.stringContaining("Can't connect to unix:/nowhere/a.sock") })
      const other = write(place.file('other.periscope.jsonl'), frames, { kind: 'custom', url: 'mine:x' })
      const unknown = await run(other, '--trust-target')
      expect(unknown).toMatchObject({ code: 2, err: expect.stringMatching(/called `mine`.*--transport FILE/) })
      const bad = await run(other, '--transport', place.file('missing.mjs'))
      expect(bad).toMatchObject({ code: 2, err: expect.stringContaining('missing.mjs') })
    } finally {
      vi.unstubAllGlobals()
    }
    expect(readCommand('verify', [file, '--server', target, '--header', 'A: b'])).toMatchObject({
      kind: 'usage-error',
      message: expect.stringContaining('--header works only over HTTP'),
    })
  })
})

/** Lines over a Unix socket, as a module of the user. */
const MODULE = `
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
export default {
  name: 'mine',
  open: (path, { onLine, onClose }) =>
    new Promise((resolve, reject) => {
      const socket = connect(path)
      socket.once('error', reject)
      socket.once('close', () => onClose())
      createInterface({ input: socket }).on('line', onLine)
      socket.once('connect', () => resolve({ send: (line) => socket.write(line + '\\n'), close: () => socket.end() }))
    }),
}
`

interface Location {
  readonly physicalLocation: { readonly region: { readonly startLine: number } }
}
