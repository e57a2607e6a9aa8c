import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually, until } from '../tests/patience.ts'
import type { ChildEvent } from './line-peer.ts'
import { LIMITS, type Limits } from './limits.ts'
import { Refusal } from './refusal.ts'
import { pathOf, SocketPeer } from './socket-peer.ts'

let folder: string
let server: Server
let sockets: Socket[]
let path: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'periscope-socket-'))
  path = join(folder, 's.sock')
  sockets = []
  server = createServer({ allowHalfOpen: true }, (socket) => void sockets.push(socket.on('error', () => {})))
  server.listen(path)
  await once(server, 'listening')
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

const open = async (limits: Partial<Limits> = {}) => {
  const events: ChildEvent[] = []
  const peer = new SocketPeer(`unix:${path}`, { ...LIMITS, ...limits }, (event) => void events.push(event))
  await peer.started
  await until(() => sockets.length > 0)
  return { peer, events, socket: sockets[0]! }
}

const linesIn = (events: readonly ChildEvent[]): string[] =>
  events.flatMap((event) => ('line' in event ? [event.line.text] : []))

const refusalOf = async (target: string, limits: Partial<Limits> = {}): Promise<Refusal> => {
  try {
    const peer = new SocketPeer(target, { ...LIMITS, ...limits }, () => {})
    await peer.started
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('It was opened')
}

test.each([
  ['npipe:mcp', String.raw`\\.\pipe\mcp`],
  ['npipe:team/mcp:1', String.raw`\\.\pipe\team/mcp:1`],
  ['npipe:pipe', String.raw`\\.\pipe\pipe`],
  // A whole path stays as it is, also one of the kind that Windows doesn't normalize.
  [String.raw`npipe:\\.\pipe\mcp`, String.raw`\\.\pipe\mcp`],
  [String.raw`npipe:\\?\PIPE\mcp`, String.raw`\\?\PIPE\mcp`],
  ['npipe://./pipe/mcp', '//./pipe/mcp'],
])('on Windows, %s opens the pipe %s', (target, path) => {
  expect(pathOf(target, true)).toBe(path)
})

test('each system refuses what only the other one has, and names its own', () => {
  const refused = (target: string, isWindows: boolean) => {
    try {
      return pathOf(target, isWindows)
    } catch (error) {
      const { status, error: told } = error as Refusal
      return [status, told.code, told.remedy]
    }
  }
  expect(refused('unix:/tmp/s.sock', true)).toEqual([422, 'no-sockets', 'Use a named pipe: npipe:NAME'])
  expect(refused('npipe:mcp', false)).toEqual([422, 'no-sockets', 'Use a Unix socket: unix:/path/to.sock'])
  expect(refused('unix:/tmp/s.sock', false)).toBe('/tmp/s.sock')
})

describe.skipIf(process.platform === 'win32')('a socket', () => {
  test('hands on each line as it is, and writes what it is given', async () => {
    const { peer, events, socket } = await open()
    socket.write('{"a":1}\nnot json\n{"half"')
    socket.write(':true}\n')
    await eventually(() => expect(linesIn(events)).toEqual(['{"a":1}', 'not json', '{"half":true}']))
    const arrived = once(socket, 'data')
    expect(await peer.write(Buffer.from('{"b":2}\n'))).toBe(true)
    expect(String((await arrived)[0])).toBe('{"b":2}\n')
    peer.kill()
  })

  test('rule 21: ending it closes the connection and nothing else, after its last lines', async () => {
    const { peer, events, socket } = await open({ stdinGrace: 60_000 })
    socket.on('end', () => socket.end('{"last":true}\n'))
    socket.resume()
    await peer.end()
    expect(linesIn(events)).toEqual(['{"last":true}'])
    expect(events.at(-1)).toEqual({ type: 'closed' })
    expect(server.listening).toBe(true)
    expect(await peer.write(Buffer.from('x\n'))).toBe(false)
  })

  test('a server that keeps its end open is cut off after the limit', async () => {
    const { peer, events } = await open({ stdinGrace: 30 })
    await peer.end()
    expect(events).toEqual([{ type: 'closed' }])
  })

  test('a server that goes away is reported once, with the unfinished line before it', async () => {
    const { peer, events, socket } = await open()
    socket.end('{"unfinished":')
    await peer.gone
    expect(linesIn(events)).toEqual(['{"unfinished":'])
    expect(events.filter(({ type }) => type === 'closed')).toHaveLength(1)
  })

  test('a line over the limit is reported with its size, and the next one is read', async () => {
    const { peer, events, socket } = await open({ line: 1000 })
    socket.write(`${'x'.repeat(5000)}\n{"next":1}\n`)
    await eventually(() => expect(linesIn(events)).toEqual(['{"next":1}']))
    expect(events[0]).toMatchObject({ type: 'lost', size: 5000 })
    peer.kill()
  })

  test('a line that does not end is shown once', async () => {
    const { peer, events, socket } = await open({ stdoutPart: 20 })
    socket.write('{"slow":')
    await until(() => events.length > 0)
    expect(events).toEqual([{ type: 'unfinished', size: 8, text: '{"slow":' }])
    socket.write('1}\n')
    await eventually(() => expect(linesIn(events)).toEqual(['{"slow":1}']))
    peer.kill()
  })

  test('while its page lags behind, it is not read', async () => {
    const { peer, events, socket } = await open()
    peer.pause()
    const flushed = new Promise<void>((resolve) => void socket.write(`${'y'.repeat(4_000_000)}\n`, () => resolve()))
    expect(
      await Promise.race([flushed.then(() => 'flushed'), peer.write(Buffer.from('x\n')).then(() => 'first')]),
    ).toBe('first')
    expect(linesIn(events)).toEqual([])
    peer.resume()
    await flushed
    await eventually(() => expect(linesIn(events).map(({ length }) => length)).toEqual([4_000_000]))
    peer.kill()
  })

  test('what cannot be opened is refused with its cause and a remedy', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const refused = async (target: string) => {
      const { status, error } = await refusalOf(target)
      expect(status).toBe(422)
      expect(error.remedy).toBeTypeOf('string')
      return error.code
    }
    expect(await refused(`unix:${join(folder, 'none.sock')}`)).toBe('socket-missing')
    expect(await refused(`unix:${file}`)).toBe('not-a-socket')
    expect(await refused('npipe:mcp')).toBe('no-sockets')
    expect(await refused(`unix:${join(folder, 'n'.repeat(200))}`)).toBe('socket-path')
    if (process.getuid?.() === 0) return
    const closed = join(folder, 'closed')
    mkdirSync(closed)
    chmodSync(closed, 0)
    expect(await refused(`unix:${join(closed, 's.sock')}`)).toBe('socket-permission')
    chmodSync(closed, 0o700)
  })
})
