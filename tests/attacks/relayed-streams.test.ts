/** Many relayed servers at once, with responses nothing reads, through the real proxy and the page's half. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { patient } from '../patience.ts'
import { ProxyChannel, relayFetch, Session, StreamableHttpTransport, Trace } from '../../web/mcp/index.ts'
import { browserFetch } from './browser-fetch.ts'
import { buildPeriscope, run, type Bundle, type Running } from './periscope.ts'
import { peakMemory } from './resident-memory.ts'

const MB = 1024 * 1024
/** ms; mostly a margin for a busy machine. */
const PATIENCE = patient(120_000)
const limits = { idle: PATIENCE, total: PATIENCE }

let bundle: Bundle
let proxy: Running
const closing: (() => unknown)[] = []
beforeAll(async () => {
  bundle = await buildPeriscope()
  proxy = await run([process.execPath, bundle.file, '--port', '0', '--no-open'])
}, patient(240_000))
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
afterAll(async () => {
  expect(peakMemory(proxy.process)).toBeLessThan(300)
  proxy.process.kill()
  await proxy.ended
  bundle.remove()
})

/** A page's connection to the proxy, with a browser's connection limit. */
const channelOf = (...cut: Parameters<typeof browserFetch>): ProxyChannel => {
  const channel = new ProxyChannel({ base: proxy.base, token: proxy.token, fetch: browserFetch(...cut) })
  closing.push(() => channel.leave())
  return channel
}

const listen = async (server: Server): Promise<string> => {
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An MCP server without CORS: a GET stream that stays open, `ping`, and `slow`, which responds on demand. */
const serveMcp = async () => {
  const streams = new Set<ServerResponse>()
  const slow: (() => void)[] = []
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
      streams.add(response)
      return
    }
    let body = ''
    request.on('data', (piece) => (body += String(piece)))
    request.on('end', () => {
      if (request.method === 'DELETE') return void response.writeHead(200).end()
      const { id, method } = JSON.parse(body) as { id?: number; method: string }
      if (id === undefined) return void response.writeHead(202).end()
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'many', version: '1' } }
          : {}
      const answer = () => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': 'one' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      }
      if (method === 'slow') slow.push(answer)
      else answer()
    })
  })
  const url = `${await listen(server)}/mcp`
  return { url, streams, slow }
}

const connect = async (url: string, channel: ProxyChannel) => {
  const session = new Session({
    trace: new Trace(),
    link: url,
    transport: new StreamableHttpTransport({ url, fetch: relayFetch({ channel }) }),
    clientInfo: { name: 'test', version: '0' },
    remembered: 'handshake',
  })
  await session.open()
  return session
}

describe('a page with six connections', () => {
  test(
    'talks to twelve relayed servers, each with a listening stream and slow calls',
    { timeout: PATIENCE },
    async () => {
      const channel = channelOf()
      const servers = await Promise.all(Array.from({ length: 12 }, serveMcp))
      const sessions = await Promise.all(servers.map(({ url }) => connect(url, channel)))
      await expect.poll(() => servers.every(({ streams }) => streams.size === 1), { timeout: PATIENCE }).toBe(true)
      const slow = sessions.flatMap((session) => Array.from({ length: 3 }, () => session.request('slow', {}, limits)))
      await expect.poll(() => servers.every((server) => server.slow.length === 3), { timeout: PATIENCE }).toBe(true)
      for (const session of sessions) expect(await session.request('ping', {}, limits)).toEqual({})
      for (const answer of servers.flatMap((server) => server.slow)) answer()
      expect(await Promise.all(slow)).toEqual(slow.map(() => ({})))
      await Promise.all(sessions.map((session) => session.close()))
    },
  )

  test('says that a direct request waits because six others hold the connections', { timeout: PATIENCE }, async () => {
    const { url, slow } = await serveMcp()
    const trace = new Trace()
    const transport = new StreamableHttpTransport({ url, fetch: browserFetch(), connectionSlots: new Map() })
    const clientInfo = { name: 'test', version: '0' }
    const session = new Session({ trace, link: 's1', transport, clientInfo, remembered: 'handshake' })
    await session.open()
    // The GET stream is the first of the six.
    const calls = Array.from({ length: 7 }, () => session.call('slow', {}, limits))
    const queued = () => [...trace].filter((frame) => frame.kind === 'http' && frame.phase === 'queued')
    await expect.poll(() => queued().length, { timeout: PATIENCE }).toBe(2)
    expect(queued()).toMatchObject([{ open: 6 }, { open: 7 }])
    const answers = async () => {
      while (slow.length > 0) slow.shift()!()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    let over = false
    void Promise.all(calls.map(({ result }) => result)).then(() => (over = true))
    while (!over) await answers()
    await session.close()
  })

  test('leaves a response unread, and the others go on; read later, it is whole', { timeout: PATIENCE }, async () => {
    const size = 100 * MB
    const pattern = Buffer.from(Array.from({ length: 64 * 1024 }, (_, index) => (index * 31) % 251))
    let written = 0
    const pouring = await listen(
      createServer((_, response) => {
        const pour = async () => {
          while (written < size && !response.destroyed) {
            written += pattern.length
            if (!response.write(pattern)) await once(response, 'drain').catch(() => {})
          }
          response.end()
        }
        void pour()
      }),
    )
    const channel = channelOf()
    const fetchRelayed = relayFetch({ channel })
    const unread = await fetchRelayed(pouring)
    const { url } = await serveMcp()
    const session = await connect(url, channel)
    for (let count = 0; count < 50; count++) expect(await session.request('ping', {}, limits)).toEqual({})
    // Most of this is the system's own socket buffers.
    expect(written).toBeLessThan(40 * MB)
    let read = 0
    const sum = createHash('sha256')
    for await (const piece of unread.body as unknown as AsyncIterable<Uint8Array>) {
      sum.update(piece)
      read += piece.length
    }
    const expected = createHash('sha256')
    for (let at = 0; at < size; at += pattern.length) expected.update(pattern)
    expect([read, sum.digest('hex')]).toEqual([size, expected.digest('hex')])
    await session.close()
  })

  test(
    'loses its stream again and again in the middle of a response, and no byte of it',
    { timeout: PATIENCE },
    async () => {
      const size = 20 * MB
      const body = Buffer.from(Array.from({ length: size }, (_, index) => (index * 7) % 253))
      const origin = await listen(createServer((_, response) => void response.end(body)))
      let cuts = 0
      const channel = channelOf({ path: /\/events$/, after: () => (++cuts < 12 ? 1.5 * MB : Infinity) })
      const response = await relayFetch({ channel })(origin)
      expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true)
      expect(cuts).toBeGreaterThan(5)
    },
  )
})
