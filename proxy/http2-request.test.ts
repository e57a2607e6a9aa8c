/** Servers that speak only HTTP/2 (RFC 9113), with TLS: what they get, and what comes back. */
import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { request as requestPlain } from 'node:http'
import { constants, type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Stream } from 'node:http2'
import { createServer as createSecureHttp1 } from 'node:https'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { stopped, until } from '../tests/patience.ts'
import { bodyOf, certificate, FRAME, frame, OK, own, serveFrames, serveGate, serveHttp2 } from './fixtures/http2.ts'
import { drain, framesOf, listenOn, startProxy, type Closing } from './fixtures/relaying.ts'
import type { RelayHeaders } from './wire.ts'

const closing: Closing = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('a server that speaks only HTTP/2', () => {
  test('gets the request once, with headers of HTTP/2, and its response comes back whole', async () => {
    const proxy = await startProxy(closing)
    const { url, port, seen } = await serveHttp2(closing, (request, response) => {
      void bodyOf(request).then((body) => {
        const { authority, method } = request
        response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'], 'x-latin': 'é' })
        response.end(JSON.stringify({ authority, method, headers: request.rawHeaders, body: body.toString() }))
      })
    })
    const headers: RelayHeaders = [
      ['Mcp-Method', 'tools/call'],
      ['X-Empty', ''],
      ['X-Twice', '1'],
      ['x-twice', ' 2 '],
      ['Content-Type', 'application/json'],
      ['content-type', 'text/plain'],
      ['Cookie', 'a=1'],
      ['Cookie', 'b=2'],
      ['X-Latin', 'é'],
      ['Connection', 'X-Named'],
      ['X-Named', '1'],
      ['TE', 'gzip'],
      ['Upgrade', 'h2c'],
      ['Host', 'evil.example'],
    ]
    const asked = { method: 'POST', url, certificate, headers }
    const { head, body, end } = await drain(await proxy.ask(asked, { body: '{"id":1}' }))
    const sent = [
      ['content-length', '8'],
      ['accept-encoding', 'identity'],
      ['user-agent', `mcp-periscope/${__VERSION__}`],
      ['mcp-method', 'tools/call'],
      ['x-empty', ''],
      ['x-twice', '1, 2'],
      ['content-type', 'application/json, text/plain'],
      ['cookie', 'a=1; b=2'],
      ['x-latin', 'é'],
    ]
    const got = JSON.parse(body.toString()) as { headers: string[] }
    expect(got).toMatchObject({ authority: `localhost:${port}`, method: 'POST', body: '{"id":1}' })
    const pseudo = { ':method': 'POST', ':authority': `localhost:${port}`, ':scheme': 'https', ':path': '/mcp?a=%20b' }
    expect(got.headers).toEqual([...Object.entries(pseudo), ...sent].flat())
    expect(head).toMatchObject({ status: 201, statusText: '', httpVersion: '2.0', sent })
    expect(head.headers.slice(0, -1)).toEqual([
      ['content-type', 'application/json'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-latin', 'é'],
    ])
    expect(head.headers.at(-1)![0]).toBe('date')
    expect(head.remote).toBe(`127.0.0.1:${port}`)
    expect(head.timings).toMatchObject({ protocol: 'HTTP/2', dns: expect.any(Number), tls: expect.any(Number) })
    expect(end).toEqual({})
    expect(seen.requests).toEqual(['POST /mcp?a=%20b'])
    await until(() => seen.open === 0)
  })

  test('is asked with HTTP/1.1 first; later requests connect once, with a connection each', async () => {
    const proxy = await startProxy(closing)
    const { url, seen } = await serveHttp2(closing, (_, response) => void response.end('hello'))
    const ask = async () => (await drain(await proxy.ask({ url, certificate }))).body.toString()
    expect([await ask(), seen.connections]).toEqual(['hello', 2])
    expect([await ask(), seen.connections]).toEqual(['hello', 3])
    expect([await ask(), seen.connections]).toEqual(['hello', 4])
    expect(seen.requests).toHaveLength(3)
    await until(() => seen.open === 0)
  })

  test('is asked with HTTP/1.1 first again ten minutes later, and after a failure', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const proxy = await startProxy(closing)
    const { url, seen } = await serveHttp2(closing, (request, response) => {
      if (request.url.endsWith('fails')) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
      else if (request.url.endsWith('breaks')) response.write('half', () => response.stream.close(constants.NGHTTP2_INTERNAL_ERROR))
      else response.end('hello')
    }) // prettier-ignore
    const connections = async (more = '') => {
      const before = seen.connections
      await drain(await proxy.ask({ url: `${url}${more}`, certificate })).catch(() => {})
      return seen.connections - before
    }
    expect([await connections(), await connections()]).toEqual([2, 1])
    vi.setSystemTime(Date.now() + 6 * 60_000)
    expect(await connections()).toBe(1)
    vi.setSystemTime(Date.now() + 6 * 60_000)
    expect([await connections(), await connections()]).toEqual([2, 1])
    for (const failure of ['fails', 'breaks']) expect([await connections(failure), await connections(), await connections()]).toEqual([1, 2, 1]) // prettier-ignore
  })

  test('may change to HTTP/1.1, with ALPN or without', async () => {
    const proxy = await startProxy(closing)
    const { port, seen } = await serveHttp2(closing, (_, response) => void response.end('two'))
    const posts: string[] = []
    const one = createSecureHttp1(own, (request, response) => {
      posts.push(request.method!)
      request.pipe(response)
    })
    const without = createTlsServer(own, (socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbare'))
    })
    const target = { port }
    const url = await serveGate(closing, () => target.port)
    const ask = async () => await drain(await proxy.ask({ method: 'POST', url, certificate }, { body: 'one' }))
    expect((await ask()).body.toString()).toBe('two')
    target.port = await listenOn(one, closing)
    expect(await ask()).toMatchObject({ body: Buffer.from('one'), head: { timings: { protocol: 'HTTP/1.1' } } })
    expect(posts).toEqual(['POST'])
    target.port = port
    expect((await ask()).body.toString()).toBe('two')
    target.port = await listenOn(without, closing)
    expect(await ask()).toMatchObject({ body: Buffer.from('bare'), head: { timings: { protocol: 'HTTP/1.1' } } })
    expect(seen.requests).toHaveLength(2)
  })

  test('sends the head and each event as soon as it is there, and trailers', async () => {
    const proxy = await startProxy(closing)
    let stream: Http2ServerResponse | undefined
    const { url } = await serveHttp2(closing, (_, response) => {
      stream = response
      response.writeHead(200, { 'content-type': 'text/event-stream' })
    })
    const frames = framesOf(await proxy.ask({ url, certificate }))
    // Each write depends on the frame before it, so a relay that buffers would wait indefinitely.
    expect(await frames.next()).toMatchObject({ value: { type: 'head', value: { status: 200 } } })
    for (const text of ['id: 1\n', 'data: {}\n\n', ': \n\n']) {
      stream!.write(text)
      expect((await frames.next()).value).toEqual({ type: 'data', value: Buffer.from(text) })
    }
    stream!.addTrailers({ 'x-sum': '7', 'x-sums': ['8', '9'] })
    stream!.end()
    const trailers = [['x-sum', '7'], ['x-sums', '8'], ['x-sums', '9']] // prettier-ignore
    expect((await frames.next()).value).toEqual({ type: 'end', value: { trailers } })
  })

  test('may have an empty body, informational responses, many headers, and a compressed body', async () => {
    const proxy = await startProxy(closing)
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`x-${index}`, 'v']))
    const { url } = await serveHttp2(closing, (request, response) => {
      const [, kind] = request.url.split('?')
      if (kind === 'early') response.writeEarlyHints({ link: '</a>; rel=preload' })
      if (kind === 'gzip') response.setHeader('content-encoding', 'gzip')
      response.writeHead(kind === 'none' ? 204 : 200, kind === 'many' ? many : {})
      if (kind === 'none') response.end()
      else response.end(kind === 'gzip' ? gzipSync('unpacked') : 'x')
    })
    const ask = async (kind: string, method = 'GET') =>
      await drain(await proxy.ask({ url: url.replace(/\?.*/, `?${kind}`), method, certificate, decode: true }))
    expect(await ask('none')).toMatchObject({ head: { status: 204 }, body: Buffer.alloc(0), end: {} })
    expect(await ask('none', 'HEAD')).toMatchObject({ head: { status: 204 }, body: Buffer.alloc(0), end: {} })
    expect(await ask('early')).toMatchObject({ head: { status: 200 }, body: Buffer.from('x'), end: {} })
    expect((await ask('many')).head.headers.filter(([name]) => name.startsWith('x-'))).toEqual(Object.entries(many))
    expect(await ask('gzip')).toMatchObject({ head: { decoded: true }, body: Buffer.from('unpacked') })
  })
})

describe('a body', () => {
  test('that was read while HTTP/1.1 was being refused isn’t lost, and none of it arrives twice', async () => {
    const proxy = await startProxy(closing)
    const bodies: Buffer[] = []
    const { port, seen } = await serveHttp2(closing, (request, response) => {
      void bodyOf(request).then((body) => {
        bodies.push(body)
        response.end(sha(body))
      })
    })
    const opened = new EventEmitter()
    const held = once(opened, 'go')
    const url = await serveGate(closing, async (count) => {
      if (count === 1) await held
      return port
    })
    const body = Buffer.from(Array.from({ length: 3 * 1024 * 1024 }, (_, index) => (index * 7919) % 251))
    const line = Buffer.from(`${JSON.stringify({ method: 'POST', url, certificate, headers: [] })}\n`)
    const page = requestPlain(`${proxy.base}api/pages/p/relay/1`, {
      method: 'POST',
      headers: { 'Periscope-Token': proxy.token, 'Content-Length': line.length + body.length },
    })
    closing.push(() => page.destroy())
    page.write(line)
    page.end(body)
    // As much as the relay takes before it is connected.
    await stopped(() => page.socket?.bytesWritten ?? 0)
    opened.emit('go')
    await once(page, 'response')
    await until(() => bodies.length === 1)
    expect(sha(bodies[0]!)).toBe(sha(body))
    expect(seen.requests).toEqual(['POST /'])
  })

  test('that the server doesn’t read stops the page, and is never held whole', async () => {
    const proxy = await startProxy(closing)
    let reading: Http2ServerRequest | undefined
    const { url } = await serveHttp2(closing, (request) => (reading = request))
    const total = 40 * 1024 * 1024
    const line = `${JSON.stringify({ method: 'POST', url, certificate, headers: [] })}\n`
    const page = requestPlain(`${proxy.base}api/pages/p/relay/1`, {
      method: 'POST',
      headers: { 'Periscope-Token': proxy.token, 'Content-Length': line.length + total },
    })
    page.on('error', () => {})
    closing.push(() => page.destroy())
    page.write(line)
    let sent = 0
    const pump = async (): Promise<void> => {
      const piece = Buffer.alloc(64 * 1024)
      while (sent < total && !page.destroyed) {
        sent += piece.length
        if (!page.write(piece)) await once(page, 'drain')
      }
    }
    const pumped = pump()
    await stopped(() => (reading ? sent : 0))
    expect(sent).toBeLessThan(20 * 1024 * 1024)
    const body = bodyOf(reading!)
    await pumped
    expect((await body).length).toBe(total)
  })

  test('of a response stops the server while the page doesn’t read, and nothing of it is lost', async () => {
    const proxy = await startProxy(closing)
    const total = 24 * 1024 * 1024
    let written = 0
    const pour = async (response: Http2ServerResponse): Promise<void> => {
      const piece = Buffer.alloc(64 * 1024, 7)
      while (written < total) {
        written += piece.length
        if (!response.write(piece)) await once(response, 'drain')
      }
      response.end()
    }
    const { url } = await serveHttp2(closing, (_, response) => void pour(response))
    const response = await proxy.ask({ url, certificate })
    await stopped(() => written)
    expect(written).toBeLessThan(16 * 1024 * 1024)
    expect((await drain(response)).body.length).toBe(total)
  })

  test('of a response is read to its end after the server has closed the connection', async () => {
    const proxy = await startProxy(closing)
    // What a page that doesn't read yet is sent, what the relay holds, and a part that stays with the stream.
    const whole = Buffer.alloc((1024 + 256 + 200) * 1024, 7)
    let stream: ServerHttp2Stream | undefined
    const { url, seen } = await serveHttp2(closing, (request, response) => {
      stream = request.stream
      response.end(whole)
    })
    const response = await proxy.ask({ url, certificate })
    await until(() => stream!.closed)
    for (const socket of seen.sockets) socket.destroy()
    await until(() => seen.open === 0)
    const { body, end } = await drain(response)
    expect([body.length, end]).toEqual([whole.length, {}])
  })

  test('that the server answers without reading it: the response arrives, and the rest is given up', async () => {
    const proxy = await startProxy(closing)
    const { url, seen } = await serveHttp2(closing, (_, response) => void response.writeHead(413).end('too much'))
    const { head, body, end } = await drain(
      await proxy.ask({ url, certificate, method: 'POST' }, { body: Buffer.alloc(20 * 1024 * 1024) }),
    )
    expect([head.status, body.toString(), end]).toEqual([413, 'too much', {}])
    await until(() => seen.open === 0)
    // This one doesn't even reset the stream.
    const silent = await serveFrames(closing, Buffer.concat([OK, frame(FRAME.data, 1, 1, Buffer.from('unread'))]))
    const asked = { url: silent, certificate, method: 'POST' }
    const early = await drain(await proxy.ask(asked, { body: Buffer.alloc(2 * 1024 * 1024) }))
    expect(early).toMatchObject({ head: { status: 200 }, body: Buffer.from('unread'), end: {} })
  })
})
