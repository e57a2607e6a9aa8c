/** Lines at and above the limit, with any bytes a child may print, through the real proxy and the page's half. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patient } from '../patience.ts'
import { Bridge, Session, StdioBridgeTransport, Trace, type FrameOf } from '../../web/mcp/index.ts'
import type { SpawnRequest } from '../../proxy/wire.ts'
import { buildPeriscope, run, type Bundle, type Running } from './periscope.ts'
import { peakMemory } from './resident-memory.ts'

const MB = 1024 * 1024
const LIMIT = 64 * MB
/** ms; mostly a margin for a busy machine. */
const PATIENCE = patient(120_000)

let bundle: Bundle
let proxy: Running
let bridge: Bridge
beforeAll(async () => {
  bundle = await buildPeriscope()
  proxy = await run([process.execPath, bundle.file, '--port', '0', '--no-open'])
  bridge = new Bridge(proxy)
}, patient(240_000))
afterAll(async () => {
  bridge.leave()
  proxy.process.kill()
  await proxy.ended
  bundle.remove()
})

/** For each line of stdin, `[hex of the bytes to repeat, size]`, prints a line of that many bytes. */
const PRINTER: SpawnRequest = {
  command: process.execPath,
  args: [
    '-e',
    `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const [hex, size] = JSON.parse(line)
      process.stdout.write(Buffer.alloc(size, Buffer.from(hex, 'hex')))
      process.stdout.write('\\nnext\\n')
    })`,
  ],
}

describe('a line of 64 MB passes, whatever it holds', () => {
  test.each([
    ['letters', Buffer.from('x'), 'x'],
    ['quotes', Buffer.from('"'), '"'],
    ['backslashes', Buffer.from('\\'), '\\'],
    ['control characters', Buffer.from('\u0001'), '\u0001'],
    ['characters of four bytes', Buffer.from('😀'), '😀'],
    ['bytes that are not UTF-8', Buffer.from([0xff]), '\uFFFD'],
  ])('%s', { timeout: PATIENCE }, async (_, bytes, shown) => {
    const lines: { text: string; invalidUtf8: boolean }[] = []
    let done: () => void = () => {}
    const both = new Promise<void>((resolve) => (done = resolve))
    const { child } = await bridge.spawn(PRINTER, (event) => {
      if (event.type === 'line') lines.push({ text: event.text, invalidUtf8: event.invalidUtf8 ?? false })
      if (lines.length === 2 || event.type === 'exit') done()
    })
    await bridge.write(child, JSON.stringify([bytes.toString('hex'), LIMIT]))
    await both
    await bridge.end(child)
    expect(lines).toHaveLength(2)
    // Not `toBe`: a failure would print 64 MB.
    expect(lines[0]!.text === shown.repeat(LIMIT / bytes.length)).toBe(true)
    expect(lines[0]!.invalidUtf8).toBe(shown === '\uFFFD')
    expect(lines[1]!.text).toBe('next')
  })

  test('and the proxy stays under 300 MB', () => {
    expect(peakMemory(proxy.process)).toBeLessThan(300)
  })
})

/** Responds to `big` with a result of that many bytes, with the id first or last; never responds to `wait`. */
const SERVER: SpawnRequest = {
  command: process.execPath,
  args: [
    '-e',
    `const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      if (method === 'initialize') say({ id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'long', version: '1' } } })
      if (method === 'ping') say({ id, result: {} })
      if (method !== 'big') return
      const result = '"result":{"text":"' + '\\\\"'.repeat(params.size / 2) + '"}'
      const own = '"id":' + id
      if (params.where === 'nowhere') process.stdout.write('{"result":{"id":9,"text":"' + 'x'.repeat(params.size) + '"},"x":{}}\\n')
      else process.stdout.write('{' + (params.where === 'first' ? [own, result] : [result, own]).join(',') + '}\\n')
    })`,
  ],
}

describe('a response of more than 64 MB', () => {
  const size = 66 * MB
  const open = async () => {
    const trace = new Trace()
    const transport = new StdioBridgeTransport({ bridge, spawn: SERVER })
    const session = new Session({
      trace,
      link: 's1',
      transport,
      clientInfo: { name: 'test', version: '0' },
      remembered: 'handshake',
    })
    await session.open()
    const lost = () =>
      [...trace].filter(
        (frame): frame is FrameOf<'process'> & { event: 'lost' } => frame.kind === 'process' && frame.event === 'lost',
      )
    return { session, lost }
  }
  const limits = { idle: PATIENCE, total: PATIENCE }

  test.each(['first', 'last'])(
    'fails its request with that reason, found by its id at the %s place',
    { timeout: PATIENCE },
    async (where) => {
      const { session, lost } = await open()
      const waits = session.call('wait', {}, limits)
      const big = session.call('big', { size, where }, limits)
      await expect(big.result).rejects.toMatchObject({
        code: 'proxy-refused',
        message: expect.stringMatching(/too large and was dropped.*64 MB/),
        details: { id: big.id },
      })
      expect(lost()).toMatchObject([{ what: expect.stringContaining('stdout over 64 MB'), requests: [big.id] }])
      expect(lost()[0]!.size).toBeGreaterThan(size)
      // The next line is read normally, and no other request failed.
      expect(await session.request('ping', {}, limits)).toEqual({})
      waits.cancel()
      await expect(waits.result).rejects.toMatchObject({ code: 'cancelled' })
      await session.close()
    },
  )

  test(
    'without an id at either end names the requests it may have answered, or fails the only one',
    { timeout: PATIENCE },
    async () => {
      const { session, lost } = await open()
      const waits = session.call('wait', {}, limits)
      const big = session.call('big', { size, where: 'nowhere' }, limits)
      await expect.poll(() => lost().length, { timeout: PATIENCE }).toBe(1)
      expect(lost()[0]!.requests).toEqual([waits.id, big.id])
      for (const call of [waits, big]) {
        call.cancel()
        await expect(call.result).rejects.toMatchObject({ code: 'cancelled' })
      }
      const only = session.call('big', { size, where: 'nowhere' }, limits)
      await expect(only.result).rejects.toMatchObject({ code: 'proxy-refused' })
      await session.close()
    },
  )

  test('costs the proxy no more than one that passes', () => {
    expect(peakMemory(proxy.process)).toBeLessThan(300)
  })
})
