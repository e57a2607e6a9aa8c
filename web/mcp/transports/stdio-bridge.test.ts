import { afterAll, describe, expect, inject, test } from 'vitest'
import type { SpawnRequest } from '../../../proxy/wire.ts'
import { Bridge, exchanges, foldAll, Session, StdioBridgeTransport, Trace } from '../index.ts'
import type { Frame, FrameOf, Json } from '../index.ts'

const root = inject('root')
const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
afterAll(() => bridge.leave())

const everything: SpawnRequest = {
  command: inject('nodePath'),
  args: [`${root}/node_modules/@modelcontextprotocol/server-everything/dist/index.js`, 'stdio'],
}

/** A minimal server: responds to `initialize`, then runs `onLine` with each parsed message `m`. */
const inline = (onLine: string): SpawnRequest => ({
  command: inject('nodePath'),
  args: [
    '-e',
    `const say = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n')
     require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
       const m = JSON.parse(line)
       if (m.method === 'initialize') return say({ id: m.id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'inline', version: '1' } } })
       ${onLine}
     })`,
  ],
})

const begin = (spawn: SpawnRequest, through = bridge) => {
  const trace = new Trace()
  const session = new Session({
    trace,
    link: 's1',
    transport: new StdioBridgeTransport({ bridge: through, spawn }),
    clientInfo: { name: 'test', version: '0' },
    remembered: 'handshake',
  })
  return { trace, session }
}

const processFrames = (trace: Trace) =>
  [...trace].filter((frame: Frame): frame is FrameOf<'process'> => frame.kind === 'process')

describe('stdio through the proxy', () => {
  test('TR-STDIO-01: a real server starts, lists its tools, answers, and ends', async () => {
    const { trace, session } = begin(everything)
    const peer = await session.open()
    expect(peer).toMatchObject({ revision: '2025-11-25', info: { name: 'mcp-servers/everything' } })
    const { tools } = (await session.request('tools/list', {})) as { tools: Json[] }
    expect(tools.length).toBeGreaterThanOrEqual(13)
    expect(await session.request('tools/call', { name: 'echo', arguments: { message: 'Grüße 🎈' } })).toMatchObject({
      content: [{ type: 'text', text: 'Echo: Grüße 🎈' }],
    })
    await session.close()
    const events = processFrames(trace).map(({ event }) => event)
    expect(events[0]).toBe('spawn')
    // Names of the proxy's variables, but no values.
    const { inherited = [] } = processFrames(trace)[0] as { inherited?: readonly string[] }
    expect(inherited).toContain('PATH')
    expect(inherited.filter((name) => /[=/:]/.test(name))).toEqual([])
    expect(events.at(-1)).toBe('exit')
    expect([...trace].at(-1)).toMatchObject({ kind: 'session', phase: 'closed', why: 'ended' })
  })

  test('TR-STDIO-05: a line that is no message is shown as noise, in its place, and kills nothing', async () => {
    const { trace, session } = begin(
      inline(
        `console.log('\\u001b[32mready\\u001b[0m {'); console.log('[info] half'); console.log('[' + 'x'.repeat(1500000)); say({ id: m.id, result: {} })`,
      ),
    )
    await session.open()
    await session.request('tools/list')
    const noise = processFrames(trace).flatMap((frame) => (frame.event === 'stdout-noise' ? [frame.text] : []))
    expect(noise).toEqual(expect.arrayContaining(['\u001b[32mready\u001b[0m {', '[info] half']))
    expect(noise.some(({ length }) => length > 1_500_000)).toBe(true)
    await session.close()
  })

  test('TR-STDIO-09: a process that dies during a call fails that call with exit code and last words', async () => {
    const { trace, session } = begin(
      inline(`if (m.method === 'tools/call') { console.error('out of cheese'); process.exit(3) }`),
    )
    await session.open()
    const call = session.call('tools/call', { name: 'x' })
    await expect(call.result).rejects.toMatchObject({
      code: 'process-exited',
      details: { code: 3, stderr: ['out of cheese'] },
    })
    expect(session.state).toBe('closed')
    expect(foldAll(exchanges, trace).all.at(-1)).toMatchObject({ status: 'lost' })
  })

  test('a process that ended before it sent anything is not started again, and one that had sent something is', async () => {
    const starts = async (code: string) => {
      const trace = new Trace()
      const spawn = { command: inject('nodePath'), args: ['-e', code] }
      const transport = new StdioBridgeTransport({ bridge, spawn, endsAtStart: () => true })
      const session = new Session({ trace, link: 's1', transport, clientInfo: { name: 'test', version: '0' } })
      await expect(session.open()).rejects.toMatchObject({ code: 'process-exited' })
      return processFrames(trace).filter(({ event }) => event === 'spawn').length
    }
    // Ends when it reads something. A process that ends by itself may end before anything is sent to it.
    const ending = `process.stdin.once('data', () => process.exit(1))`
    expect(await starts('process.exit(1)')).toBe(1)
    expect(await starts(ending)).toBe(1)
    expect(await starts(`console.log('{"jsonrpc":"2.0","method":"notifications/message"}'); ${ending}`)).toBe(2)
  })

  test('a line refused before the exit is heard of still fails with exit code and last words', async () => {
    /** Sends a line once the process has ended, and passes the exit on only when the proxy has refused that line. */
    class LateExit extends Bridge {
      #ended = Promise.resolve()
      #tell = () => {}

      override async spawn(...[request, listener]: Parameters<Bridge['spawn']>) {
        let end = () => {}
        this.#ended = new Promise((resolve) => (end = resolve))
        return await super.spawn(request, (event) => {
          if (event.type !== 'exit') return listener(event)
          this.#tell = () => listener(event)
          end()
        })
      }

      override async write(child: string, line: string) {
        await this.#ended
        try {
          await super.write(child, line)
        } finally {
          setTimeout(this.#tell)
        }
      }
    }
    const own = new LateExit({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
    const { session } = begin({ ...everything, args: ['-e', "console.error('no such table'); process.exit(4)"] }, own)
    await expect(session.open()).rejects.toMatchObject({
      code: 'process-exited',
      details: { code: 4, stderr: ['no such table'] },
    })
    own.leave()
  })

  test('a command that is not there is named, with what was searched and what to do', async () => {
    const { trace, session } = begin({ command: 'no-such-command-anywhere', args: [] })
    await expect(session.open()).rejects.toMatchObject({ code: 'spawn-failed' })
    const last = [...trace].at(-1) as FrameOf<'session'> & { phase: 'failed' }
    expect(last.explanation).toContain('no-such-command-anywhere')
    expect(last.details).toMatchObject({
      proxyCode: 'not-found',
      remedy: expect.any(String),
      searched: expect.any(Array),
    })
  })

  test('TR-STDIO-02: lines keep their order, however many are said at once', async () => {
    const { session, trace } = begin(inline(`if (m.id !== undefined) say({ id: m.id, result: { n: m.params.n } })`))
    await session.open()
    const results = await Promise.all(Array.from({ length: 200 }, (_, n) => session.request('count', { n })))
    expect(results.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, n) => n))
    const answers = [...trace].flatMap((frame) =>
      frame.kind === 'message' && frame.direction === 'received' ? [frame.message as { id: number }] : [],
    )
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 201 }, (_, index) => index + 1))
    await session.close()
  })

  test('a line of 20 MB arrives whole, and the next one after it', async () => {
    const { session } = begin(
      inline(
        `if (m.method === 'big') say({ id: m.id, result: { text: 'é'.repeat(10_000_000) } }); if (m.method === 'small') say({ id: m.id, result: {} })`,
      ),
    )
    await session.open()
    const { text } = (await session.request('big')) as { text: string }
    expect(text.length).toBe(10_000_000)
    expect(text.at(-1)).toBe('é')
    expect(await session.request('small')).toEqual({})
    await session.close()
  })
})
