import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, until } from '../tests/patience.ts'
import { makeState } from '../tests/servers/versed/tools.ts'
import { connect, makeServer } from '../tests/servers/versed/v1.ts'
import { Bridge, Session, SocketBridgeTransport, Trace, type Json } from '../web/mcp/index.ts'
import { createApp } from './app.ts'
import { hostsFor } from './guard.ts'
import type { ChildEvent } from './line-peer.ts'
import { LIMITS, type Limits } from './limits.ts'
import { Pages } from './pages.ts'
import { Refusal } from './refusal.ts'
import { loadTransport, ModulePeer, type LoadedTransport, type TransportContext } from './transport-module.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'periscope-module-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const written = (name: string, code: string): string => {
  const path = join(folder, name)
  writeFileSync(path, code)
  return path
}

/** The module in the README, letter by letter. */
const EXAMPLE =
  /```js tcp\.mjs\n(.*?)```/s.exec(readFileSync(join(import.meta.dirname, 'README.md'), 'utf8'))?.[1] ?? ''

describe('the module in the README', () => {
  let server: Server
  const sockets = new Set<Socket>()
  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}))
      void connect(makeServer(makeState()), new StdioServerTransport(socket, socket), '2025-11-25')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  test('has under 40 lines, and connects to a server of the SDK, which lists, calls, cancels and closes', async () => {
    expect(EXAMPLE.split('\n').length).toBeLessThan(40)
    const transport = await loadTransport(written('tcp.mjs', EXAMPLE))
    expect(transport).toMatchObject({ name: 'tcp', file: 'tcp.mjs' })

    const proxy = createHttpServer({ keepAliveTimeout: 120_000 })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo
    const pages = new Pages({}, [transport])
    const app = createApp({ token: 'token', allowedHosts: hostsFor('127.0.0.1', port), pages })
    const listener = getRequestListener(app.fetch)
    proxy.on('request', (request, response) => void listener(request, response))
    const bridge = new Bridge({ base: `http://127.0.0.1:${port}/`, token: 'token' })
    try {
      expect((await bridge.hello()).transports).toEqual(['tcp'])
      const trace = new Trace()
      const target = `tcp:127.0.0.1:${(server.address() as AddressInfo).port}`
      const session = new Session({
        trace,
        link: 's1',
        transport: new SocketBridgeTransport({ bridge, target, name: 'tcp' }),
        clientInfo: { name: 'test', version: '0' },
      })
      expect(await session.open()).toMatchObject({ revision: '2025-11-25', info: { name: 'versed' } })
      const { tools } = (await session.request('tools/list', {})) as { tools: Json[] }
      expect(tools.length).toBeGreaterThan(3)
      const echo = session.request('tools/call', { name: 'echo', arguments: { text: 'Grüße 🎈' } })
      expect(await echo).toMatchObject({ content: [{ text: 'Grüße 🎈' }] })
      const never = session.call('tools/call', { name: 'never', arguments: {} })
      const waiting = async () =>
        JSON.stringify(await session.request('tools/call', { name: 'waiting', arguments: {} }))
      await until(async () => (await waiting()).includes('[1,0]'))
      never.cancel('enough')
      await expect(never.result).rejects.toMatchObject({ code: 'cancelled' })
      await until(async () => (await waiting()).includes('[1,1]'))
      await session.close()
      const frames = [...trace].filter(({ kind }) => kind === 'transport')
      expect(frames).toMatchObject([
        { event: 'opening', transport: 'tcp', url: target },
        { event: 'opened' },
        { event: 'closing' },
        { event: 'closed' },
      ])
      expect(frames.at(-1)).not.toHaveProperty('why')
    } finally {
      bridge.leave()
      await pages.close()
      proxy.closeAllConnections()
      proxy.close()
    }
  })
})

describe('a module that cannot be used', () => {
  test.each([
    ['throws.mjs', `throw new Error('no luck')`, /throws\.mjs can't be imported: no luck\.$/],
    ['syntax.mjs', `export default {`, /syntax\.mjs can't be imported/],
    ['nothing.mjs', `export const name = 'x'`, /nothing\.mjs must have a default export with/],
    ['taken.mjs', `export default { name: 'http', open() {} }`, /taken\.mjs can't have the name "http"/],
    ['odd.mjs', `export default { name: 'A b', open() {} }`, /odd\.mjs can't have the name "A b"/],
  ])('%s is named', async (name, code, message) => {
    await expect(loadTransport(written(name, code))).rejects.toThrow(message)
  })
})

describe('rule 22: a module that misbehaves ends its own connection, with its name', () => {
  const begin = (open: (context: TransportContext) => unknown, limits: Partial<Limits> = {}) => {
    const events: ChildEvent[] = []
    const module: LoadedTransport = { name: 'odd', file: 'odd.mjs', open: (_, context) => open(context) as never }
    const peer = new ModulePeer(module, '', { ...LIMITS, ...limits }, (event) => void events.push(event))
    return { peer, events }
  }
  const fine = { send: () => {}, close: () => {} }
  const context = (run: (context: TransportContext) => void) => (given: TransportContext) => {
    run(given)
    return fine
  }
  const refusalOf = async (open: (context: TransportContext) => unknown, limits: Partial<Limits> = {}) => {
    const { peer } = begin(open, limits)
    const error: unknown = await peer.started.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Refusal)
    await peer.gone
    return (error as Refusal).error
  }

  test('at opening: throwing, rejecting, never settling, returning nothing', async () => {
    const thrown = () => {
      throw new Error('no luck')
    }
    expect(await refusalOf(thrown)).toMatchObject({
      code: 'module-failed',
      message: 'The transport odd failed to open: no luck.',
      remedy: 'The fault is in the module odd.mjs. Check its code.',
    })
    // eslint-disable-next-line prefer-promise-reject-errors -- modules may reject with anything
    expect(await refusalOf(() => Promise.reject('text'))).toMatchObject({ code: 'module-failed' })
    expect(await refusalOf(() => new Promise(() => {}), { connect: 20 })).toMatchObject({ code: 'module-timeout' })
    expect(await refusalOf(() => {})).toMatchObject({ code: 'module-invalid' })
  })

  test('passing on what is no string', async () => {
    const { peer, events } = begin(context(({ onLine }) => void onLine({ a: 1 } as never)))
    await peer.gone
    expect(events).toEqual([{ type: 'closed', why: "The transport odd passed on something that isn't a string" }])
  })

  test('a line over the limit is reported, and the next one is read', async () => {
    const { peer, events } = begin(
      context(({ onLine }) => {
        void onLine('x'.repeat(500))
        void onLine('{"next":1}')
      }),
      { line: 100 },
    )
    await peer.started
    expect(events).toMatchObject([{ type: 'lost', size: 500 }, { type: 'line' }])
    peer.kill()
  })

  test('a flood: one that waits is held back, one that does not is disconnected', async () => {
    let passed = 0
    const patientOne = begin(
      context(({ onLine, signal }) => {
        const run = async () => {
          while (!signal.aborted) {
            await onLine('x'.repeat(100))
            passed++
          }
        }
        setTimeout(() => void run(), 1)
      }),
    )
    patientOne.peer.pause()
    await until(() => patientOne.events.length > 0)
    expect(passed).toBe(0)
    patientOne.peer.resume()
    await until(() => passed > 0)
    patientOne.peer.kill()

    const { peer, events } = begin(
      context(({ onLine }) =>
        setTimeout(() => {
          for (let n = 0; n < 100; n++) void onLine('x'.repeat(100))
        }, 1),
      ),
      { queue: 1000 },
    )
    peer.pause()
    await peer.gone
    expect(events.length).toBeLessThan(20)
    expect(events.at(-1)).toMatchObject({ type: 'closed', why: expect.stringContaining("doesn't wait for onLine") })
  })

  test('failing to send fails the line, and failing to close still closes', async () => {
    const broken = {
      send: () => Promise.reject(new Error('broken pipe')),
      close: () => {
        throw new Error('cannot')
      },
    }
    const { peer, events } = begin(() => broken)
    await peer.started
    expect(await peer.write(Buffer.from('{}\n'))).toBe(false)
    expect(events).toEqual([{ type: 'closed', why: 'The transport odd failed to send: broken pipe' }])
    const other = begin(() => broken)
    await other.peer.started
    await other.peer.end()
    expect(other.events).toEqual([{ type: 'closed', why: 'The transport odd failed to close: cannot' }])
  })

  test('one that never closes is left after the limit, and nothing is passed on afterwards', async () => {
    let onLine: TransportContext['onLine'] = async () => {}
    const { peer, events } = begin(
      (given) => {
        ;({ onLine } = given)
        return { send: () => {}, close: () => new Promise(() => {}) }
      },
      { stdinGrace: 20 },
    )
    await peer.started
    await peer.end()
    void onLine('late')
    await eventually(() => expect(events).toHaveLength(1))
    expect(events[0]).toMatchObject({ type: 'closed' })
  })
})
