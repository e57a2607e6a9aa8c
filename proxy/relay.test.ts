import { EventEmitter, once } from 'node:events'
import { request as requestPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually, patient, stopped } from '../tests/patience.ts'
import { framesOf, refusal, serve, servePouring, serveRaw, startProxy, drain } from './fixtures/relaying.ts'
import type { Closing } from './fixtures/relaying.ts'
import type { RelayHeaders } from './wire.ts'

const closing: Closing = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

setFlagsFromString('--expose-gc')
/** Only contexts created after the flag have the function. */
const collectGarbage = runInNewContext('gc') as () => void

/** Echoes the request it received. */
const echo = (request: IncomingMessage, response: ServerResponse): void => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const { method, url, rawHeaders } = request
    response.end(JSON.stringify({ method, url, rawHeaders, body: Buffer.concat(pieces).toString('base64') }))
  })
}

interface Echoed {
  method: string
  url: string
  headers: [string, string][]
  body: Buffer
}

const heard = (body: Buffer): Echoed => {
  const { method, url, rawHeaders, body: bytes } = JSON.parse(body.toString()) as Record<string, string>
  const raw = rawHeaders as unknown as string[]
  return {
    method: method!,
    url: url!,
    headers: Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!]),
    body: Buffer.from(bytes!, 'base64'),
  }
}

const name = fc.stringMatching(/^X-[A-Za-z0-9!#$%&'*+.^_`|~-]{0,20}$/)
const value = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }), fc.constant(9)))
  // Whitespace around a value isn't part of it (RFC 9110 section 5.5).
  .map((codes) => String.fromCharCode(...codes).replace(/^[ \t]+|[ \t]+$/g, ''))
const headerList = fc.array(fc.tuple(name, value), { maxLength: 30 })
const bytes = fc.uint8Array({ maxLength: 5_000 })
const LONG = { timeout: patient(180_000) }

describe('what the server answers', () => {
  test('any status, any reason, any headers and any body come back byte for byte and in order', LONG, async () => {
    const proxy = await startProxy(closing)
    let answer: Buffer = Buffer.alloc(0)
    const origin = await serveRaw(closing, (socket) => socket.end(answer))
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 200, max: 999 }),
        value,
        headerList,
        bytes,
        async (status, reason, list, body) => {
          const bodiless = status === 204 || status === 304
          const headers: [string, string][] = [...list, ['Content-Length', String(bodiless ? 0 : body.length)]]
          const head = headers.map(([key, text]) => `${key}: ${text}\r\n`).join('')
          answer = Buffer.concat([
            Buffer.from(`HTTP/1.1 ${status} ${reason}\r\n${head}\r\n`, 'latin1'),
            bodiless ? Buffer.alloc(0) : body,
          ])
          const told = await drain(await proxy.ask({ url: origin }))
          expect(told.head).toMatchObject({ status, statusText: reason, httpVersion: '1.1' })
          expect(told.head.headers).toEqual(headers)
          expect(told.body).toEqual(bodiless ? Buffer.alloc(0) : Buffer.from(body))
          expect(told.end).toEqual({})
        },
      ),
      { numRuns: 150 },
    )
  })

  test('every header is told, also those that a page is never shown, and 3,000 of them', async () => {
    const proxy = await startProxy(closing)
    const many = Array.from({ length: 3000 }, (_, index) => [`x-${index}`, 'v'] as const)
    const list: RelayHeaders = [
      ['Set-Cookie', 'a=1; HttpOnly'],
      ['set-cookie', 'b=2'],
      ['Mcp-Session-Id', '1868a90c'],
      ['WWW-Authenticate', 'Bearer realm="a", resource_metadata="https://a/b"'],
      ['WWW-Authenticate', 'DPoP algs="ES256"'],
      ['Access-Control-Allow-Origin', 'https://another.example'],
      ['X-Empty', ''],
      ['Connection', 'close, X-Hop'],
      ['X-Hop', '1'],
      ...many,
    ]
    const origin = await serveRaw(closing, (socket) =>
      socket.end(`HTTP/1.1 401 No\r\n${list.map(([key, text]) => `${key}: ${text}`).join('\r\n')}\r\n\r\n`),
    )
    const response = await proxy.ask({ url: origin })
    // The server's response is not the proxy's: none of its headers become headers of the page's own origin.
    expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null])
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const { head } = await drain(response)
    expect(head.status).toBe(401)
    expect(head.headers).toEqual(list)
  })

  test.each([301, 302, 303, 307, 308])('a redirect (%i) is an answer, and is not followed', async (status) => {
    const proxy = await startProxy(closing)
    const paths: string[] = []
    const origin = await serve(closing, (request, response) => {
      paths.push(request.url!)
      response.writeHead(status, { Location: '/elsewhere' }).end('moved')
    })
    const { head, body } = await drain(await proxy.ask({ url: `${origin}/mcp`, method: 'POST' }, { body: '{}' }))
    expect([head.status, body.toString()]).toEqual([status, 'moved'])
    expect(head.headers).toContainEqual(['Location', '/elsewhere'])
    expect(paths).toEqual(['/mcp'])
  })

  test('the head and each chunk are there before the server sends what follows', async () => {
    const proxy = await startProxy(closing)
    let go: (text?: string) => void = () => {}
    const origin = await serve(closing, (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
      go = (text) => (text === undefined ? response.end() : response.write(text))
    })
    const frames = framesOf(await proxy.ask({ url: origin }))
    // Each `go` depends on the frame before it, so a relay that buffers more than is available would wait indefinitely.
    expect(await frames.next()).toMatchObject({ value: { type: 'head', value: { status: 200 } } })
    for (const text of ['id: 1\n', 'data: {}\n', '\n', ': \n\n']) {
      go(text)
      expect((await frames.next()).value).toEqual({ type: 'data', value: Buffer.from(text) })
    }
    go()
    expect((await frames.next()).value).toEqual({ type: 'end', value: {} })
    expect((await frames.next()).done).toBe(true)
  })

  test('a packed stream is unpacked chunk by chunk, not once it is over', async () => {
    const proxy = await startProxy(closing)
    const pack = createGzip()
    const origin = await serve(closing, (_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).flushHeaders()
      pack.pipe(response)
    })
    const frames = framesOf(await proxy.ask({ url: origin, decode: true }))
    expect(await frames.next()).toMatchObject({ value: { type: 'head', value: { decoded: true } } })
    for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
      pack.write(text)
      pack.flush()
      expect((await frames.next()).value).toEqual({ type: 'data', value: Buffer.from(text) })
    }
    pack.end()
    expect((await frames.next()).value).toEqual({ type: 'end', value: {} })
  })

  test('trailers come with the end', async () => {
    const proxy = await startProxy(closing)
    const origin = await serveRaw(closing, (socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 7\r\n\r\n'),
    )
    const { body, end } = await drain(await proxy.ask({ url: origin }))
    expect([body.toString(), end]).toEqual(['hi', { trailers: [['X-Sum', '7']] }])
  })

  test.each([
    ['identity', 'identity', (text: string) => Buffer.from(text)],
    ['gzip', 'gzip', (text: string) => gzipSync(text)],
    ['x-gzip', 'X-GZIP', (text: string) => gzipSync(text)],
    ['deflate', 'deflate', (text: string) => deflateSync(text)],
    ['br', 'br', (text: string) => brotliCompressSync(text)],
    ['two, one in the other', 'br, gzip', (text: string) => gzipSync(brotliCompressSync(text))],
  ])(
    'a body is asked for plain; one that is %s all the same stays so, or is unpacked on wish',
    async (_, encoding, pack) => {
      const proxy = await startProxy(closing)
      const text = 'data: {}\n\n'.repeat(1000)
      const asked: (string | undefined)[] = []
      const origin = await serve(closing, (request, response) => {
        asked.push(request.headers['accept-encoding'])
        response.writeHead(200, { 'Content-Encoding': encoding }).end(pack(text))
      })
      const plain = await drain(await proxy.ask({ url: origin }))
      expect(plain.body).toEqual(pack(text))
      expect(plain.head.decoded).toBeUndefined()
      const unpacked = await drain(await proxy.ask({ url: origin, decode: true, headers: [['accept-encoding', 'br']] }))
      expect(unpacked.body.toString()).toBe(text)
      expect(unpacked.head.headers).toContainEqual(['Content-Encoding', encoding])
      expect(unpacked.head.decoded).toBe(encoding === 'identity' ? undefined : true)
      expect(asked).toEqual(['identity', 'br'])
    },
  )

  test('an encoding that is not known stays, one without a body does no harm, and a false one is told', async () => {
    const proxy = await startProxy(closing)
    const origin = await serve(closing, ({ url }, response) => {
      response.writeHead(url === '/none' ? 304 : 200, { 'Content-Encoding': url === '/rot13' ? 'rot13' : 'gzip' })
      response.end(url === '/none' ? undefined : 'not packed at all')
    })
    const ask = async (path: string) => drain(await proxy.ask({ url: origin + path, decode: true }))
    expect((await ask('/rot13')).body.toString()).toBe('not packed at all')
    expect(await ask('/none')).toMatchObject({ head: { status: 304 }, body: Buffer.alloc(0), end: {} })
    expect(await ask('/false')).toMatchObject({ failed: { code: 'encoding', system: 'NOT_ENCODED' } })
  })

  test.each([
    ['a length that is not reached', 'Content-Length: 100\r\n\r\nhalf'],
    ['a chunk that is cut', 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n50\r\n'],
    ['no last chunk', 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
  ])('a body that breaks off (%s) never looks whole, and all that came before is there', async (_, rest) => {
    const proxy = await startProxy(closing)
    const origin = await serveRaw(closing, (socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`))
    const { body, end, failed } = await drain(await proxy.ask({ url: origin }))
    expect(body.toString()).toBe('half')
    expect(end).toBeUndefined()
    expect(failed).toMatchObject({
      code: 'cut',
      system: 'ECONNRESET',
      message: /middle of the response/,
      remedy: /log/,
    })
  })

  test('a body with bytes that are no HTTP breaks there, and says so', async () => {
    const proxy = await startProxy(closing)
    const origin = await serveRaw(closing, (socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\nzzz\r\n'),
    )
    const { body, failed } = await drain(await proxy.ask({ url: origin }))
    expect(body.toString()).toBe('hi')
    expect(failed).toMatchObject({ code: 'not-http', system: /^HPE_/ })
  })

  test('200 MB pass in bounded memory', { timeout: patient(90_000) }, async () => {
    const proxy = await startProxy(closing)
    const { url } = await servePouring(closing, 200)
    let size = 0
    let most = 0
    let measured = 0
    for await (const bytes of (await proxy.ask({ url })).body!) {
      size += bytes.length
      if (size - measured < 5 * 1024 * 1024) continue
      measured = size
      // What nobody holds any more isn't memory that the relay needs; when it is collected is up to the machine's load.
      collectGarbage()
      most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
    expect(size).toBeGreaterThan(200 * 1024 * 1024)
    expect(most).toBeLessThan(80 * 1024 * 1024)
  })

  test('a page that does not read stops the server, and loses nothing', { timeout: patient(90_000) }, async () => {
    const proxy = await startProxy(closing)
    const { url, written } = await servePouring(closing, 100)
    const response = await proxy.ask({ url })
    await stopped(written)
    // Most of this is the system's own buffers for four sockets.
    expect(written()).toBeLessThan(40 * 1024 * 1024)
    expect((await drain(response)).body.length).toBe(100 * 1024 * 1024)
  })
})

describe('what the page sends', () => {
  test('any headers and any body reach the server byte for byte and in order', async () => {
    const proxy = await startProxy(closing)
    const origin = await serve(closing, echo)
    await fc.assert(
      fc.asyncProperty(headerList, bytes, async (headers, body) => {
        const told = await drain(
          await proxy.ask({ url: `${origin}/mcp?a=%20b`, method: 'POST', headers }, { body: Buffer.from(body) }),
        )
        const got = heard(told.body)
        expect(got).toMatchObject({ method: 'POST', url: '/mcp?a=%20b', body: Buffer.from(body) })
        expect(got.headers.slice(-headers.length || Infinity)).toEqual(headers)
        expect(told.head.sent).toEqual(got.headers)
      }),
      { numRuns: 100 },
    )
  })

  test('the headers of the protocol and of sign-in pass, empty ones too, and those that a page may not set', async () => {
    const proxy = await startProxy(closing)
    const origin = await serve(closing, echo)
    const headers: RelayHeaders = [
      ['MCP-Protocol-Version', '2026-07-28'],
      ['Mcp-Method', 'tools/call'],
      ['Mcp-Name', 'get weather'],
      ['Mcp-Param-Region', 'eu'],
      ['Mcp-Param-Empty', ''],
      ['Mcp-Param-Text', '=?base64?SGVsbG8=?='],
      ['Mcp-Session-Id', '1868a90c'],
      ['Last-Event-ID', '7'],
      ['Authorization', 'Bearer t'],
      ['DPoP', 'eyJ'],
      ['Cookie', 'a=1'],
      ['Origin', 'https://chosen.example'],
      ['User-Agent', 'chosen'],
      ['X-Twice', '1'],
      ['x-twice', '2'],
    ]
    const { body } = await drain(await proxy.ask({ url: origin, headers }))
    expect(heard(body).headers.slice(-headers.length)).toEqual(headers)
  })

  test('nothing of the page’s own goes along: only what it asked for, and what a connection needs', async () => {
    const proxy = await startProxy(closing)
    const origin = await serve(closing, echo)
    const own = {
      Origin: proxy.base.slice(0, -1),
      Referer: proxy.base,
      Cookie: 'secret=1',
      'Sec-Fetch-Site': 'same-origin',
      'X-Own': '1',
    }
    const { body } = await drain(await proxy.ask({ url: `${origin}/`, headers: [['accept', '*/*']] }, { headers: own }))
    expect(heard(body).headers).toEqual([
      ['Host', origin.slice('http://'.length)],
      ['Connection', 'keep-alive'],
      ['Accept-Encoding', 'identity'],
      ['User-Agent', `mcp-periscope/${__VERSION__}`],
      ['accept', '*/*'],
    ])
    expect(body.toString()).not.toContain(proxy.token)
  })

  test('what belongs to a connection stays behind, and what Connection names', async () => {
    const proxy = await startProxy(closing)
    const origin = await serve(closing, echo)
    const headers: RelayHeaders = [
      ['connection', 'X-Named, keep-alive'],
      ['x-named', '1'],
      ['Keep-Alive', '5'],
      ['TE', 'trailers'],
      ['Trailer', 'x'],
      ['Transfer-Encoding', 'chunked'],
      ['Upgrade', 'websocket'],
      ['Proxy-Authorization', 'Basic x'],
      ['Content-Length', '999'],
      ['Expect', '100-continue'],
      ['Host', 'evil.example'],
      ['Periscope-Token', 'x'],
      ['X-Stays', '1'],
    ]
    const { body } = await drain(await proxy.ask({ url: origin, method: 'POST', headers }, { body: 'abc' }))
    const got = heard(body)
    expect(got.headers.map(([key]) => key)).toEqual([
      'Host',
      'Connection',
      'Content-Length',
      'Accept-Encoding',
      'User-Agent',
      'X-Stays',
    ])
    expect(got.headers[0]).toEqual(['Host', origin.slice('http://'.length)])
    expect(got.body.toString()).toBe('abc')
  })

  test('the host is as typed: localhost is not 127.0.0.1', async () => {
    const proxy = await startProxy(closing)
    const { port } = new URL(await serve(closing, echo))
    for (const host of ['localhost', '127.0.0.1', '[::ffff:127.0.0.1]']) {
      const url = `http://${host}:${port}/`
      const { head } = await drain(await proxy.ask({ url }))
      expect(head.sent[0]).toEqual(['Host', new URL(url).host])
      expect(head.remote).toMatch(new RegExp(`127\\.0\\.0\\.1\\]?:${port}$`))
    }
  })

  test('each request has a connection of its own, and none is sent twice', async () => {
    const proxy = await startProxy(closing)
    let connections = 0
    const origin = await serveRaw(closing, (socket) => {
      connections += 1
      // A server that closes a keep-alive connection as soon as it is used again.
      if (connections % 2 === 0) return socket.destroy()
      socket.write('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi')
    })
    const post = () => proxy.ask({ url: origin, method: 'POST' }, { body: 'x' })
    expect((await drain(await post())).body.toString()).toBe('hi')
    expect(await refusal(await post())).toMatchObject({ status: 502, code: 'reset', system: 'ECONNRESET' })
    expect((await drain(await post())).body.toString()).toBe('hi')
    expect(connections).toBe(3)
  })

  test('a server that does not read stops the page, and a body is never held whole', async () => {
    const proxy = await startProxy(closing)
    let server: Socket | undefined
    const origin = await serveRaw(closing, (socket) => {
      server = socket
      socket.pause()
    })
    const line = `${JSON.stringify({ method: 'POST', url: origin, headers: [] })}\n`
    const page = requestPlain(`${proxy.base}api/pages/p/relay/1`, {
      method: 'POST',
      headers: { 'Periscope-Token': proxy.token, 'Content-Length': line.length + 60 * 1024 * 1024 },
    })
    page.on('error', () => {})
    closing.push(() => page.destroy())
    page.write(line)
    const piece = Buffer.alloc(64 * 1024)
    let sent = 0
    const pump = async (): Promise<void> => {
      while (sent < 60 * 1024 * 1024 && !page.destroyed) {
        sent += piece.length
        if (!page.write(piece)) await once(page, 'drain')
      }
    }
    const pumped = pump()
    await stopped(() => (server ? sent : 0))
    expect(sent).toBeLessThan(40 * 1024 * 1024)
    server!.resume()
    await pumped
    expect(sent).toBe(60 * 1024 * 1024)
  })

  test('an answer that comes before the body is sent is handed on', async () => {
    const proxy = await startProxy(closing)
    const origin = await serve(closing, (request, response) => {
      response.writeHead(413).end('too much')
      request.resume()
    })
    const { head, body } = await drain(
      await proxy.ask({ url: origin, method: 'POST' }, { body: Buffer.alloc(20 * 1024 * 1024) }),
    )
    expect([head.status, body.toString()]).toEqual([413, 'too much'])
  })

  test.each(['waiting for the head', 'in the middle of the body'])(
    'a page that gives up ends the request at once: %s',
    async (when) => {
      const proxy = await startProxy(closing)
      const seen = new EventEmitter()
      const [began, ended] = [once(seen, 'began'), once(seen, 'ended')]
      const origin = await serve(closing, (_, response) => {
        if (when !== 'waiting for the head') response.writeHead(200).write('x')
        response.once('close', () => seen.emit('ended'))
        seen.emit('began')
      })
      const patience = new AbortController()
      const asked = proxy.ask({ url: origin }, { signal: patience.signal }).catch(() => {})
      await began
      if (when !== 'waiting for the head') await asked
      patience.abort()
      await ended
      await asked
    },
  )
})

describe('who may, and how much', () => {
  test('the guard stands before it: no foreign origin, and not without the token', async () => {
    const proxy = await startProxy(closing)
    let requests = 0
    const origin = await serve(closing, (_, response) => {
      requests += 1
      response.end()
    })
    const wrong: Record<string, string>[] = [
      { 'Periscope-Token': 'wrong' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ]
    for (const headers of wrong) {
      expect(await refusal(await proxy.ask({ url: origin }, { headers }))).toMatchObject({
        status: 403,
        code: 'forbidden',
      })
    }
    expect(requests).toBe(0)
    expect(
      (await fetch(`${proxy.base}api/pages/p/relay/1`, { headers: { 'Periscope-Token': proxy.token } })).status,
    ).toBe(404)
  })

  test('it does not relay to itself', async () => {
    const proxy = await startProxy(closing)
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]', '2130706433']) {
      expect(
        await refusal(await proxy.ask({ url: `http://${host}:${proxy.port}/api/pages/p/relay/1` })),
        host,
      ).toMatchObject({
        status: 400,
        code: 'loop',
        message: /itself/,
        remedy: /MCP server/,
      })
    }
    // Under another name for this machine, the request reaches the guard without a valid host or token.
    const { head } = await drain(await proxy.ask({ url: `http://[::ffff:127.0.0.1]:${proxy.port}/api/hello` }))
    expect(head.status).toBe(403)
  })

  test.each([
    ['no line', ''],
    ['no end of the line', '{'],
    ['no JSON', 'x\n'],
    ['no object', 'null\n'],
    ['a method that is none', '{"method":"G T","url":"http://h/","headers":[]}\n'],
    ['CONNECT', '{"method":"CONNECT","url":"http://h/","headers":[]}\n'],
    ['an address that is none', '{"method":"GET","url":"/mcp","headers":[]}\n'],
    ['another scheme', '{"method":"GET","url":"file:///etc/passwd","headers":[]}\n'],
    ['a password in the address', '{"method":"GET","url":"http://u:p@h/","headers":[]}\n'],
    ['no headers', '{"method":"GET","url":"http://h/"}\n'],
    ['a header with a line end', '{"method":"GET","url":"http://h/","headers":[["a","b\\r\\nc: d"]]}\n'],
    ['a header beyond Latin-1', '{"method":"GET","url":"http://h/","headers":[["a","世"]]}\n'],
    ['a header name that is none', '{"method":"GET","url":"http://h/","headers":[["a b",""]]}\n'],
    [
      'too many headers',
      `{"method":"GET","url":"http://h/","headers":${JSON.stringify(Array(1025).fill(['a', '']))}}\n`,
    ],
    ['a switch that is none', '{"method":"GET","url":"http://h/","headers":[],"publicOnly":"yes"}\n'],
  ])('refuses %s', async (_, body) => {
    const proxy = await startProxy(closing)
    const answer = await fetch(`${proxy.base}api/pages/p/relay/1`, {
      method: 'POST',
      headers: { 'Periscope-Token': proxy.token },
      body,
    })
    expect(await refusal(answer)).toMatchObject({ status: 400, code: 'bad-request', message: /./, remedy: /./ })
  })

  test('bounds the line, the body whether announced or not, the answer’s headers, and the number at once', async () => {
    const proxy = await startProxy(closing, { relayHead: 1000, relayBody: 5000, relayAnswerHead: 2000, relays: 2 })
    const open: ServerResponse[] = []
    const origin = await serve(closing, (request, response) => {
      request.resume()
      if (request.url === '/long') return void response.writeHead(200, { x: 'y'.repeat(3000) }).end()
      open.push(response.writeHead(200))
      response.flushHeaders()
    })
    const long = await proxy.ask({ url: origin, headers: [['a', 'b'.repeat(1000)]] })
    expect(await refusal(long)).toMatchObject({ status: 413, code: 'too-large' })
    const big = await proxy.ask({ url: origin, method: 'POST' }, { body: Buffer.alloc(5001) })
    expect(await refusal(big)).toMatchObject({ status: 413, code: 'too-large', message: /limit is 4.9 KB/ })
    const unannounced = await fetch(`${proxy.base}api/pages/p/relay/1`, {
      method: 'POST',
      headers: { 'Periscope-Token': proxy.token },
      duplex: 'half',
      body: new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from(`${JSON.stringify({ method: 'POST', url: `${origin}/long`, headers: [] })}\n`))
          controller.enqueue(Buffer.alloc(5001))
          controller.close()
        },
      }),
    } as RequestInit)
    expect(await refusal(unannounced)).toMatchObject({ status: 413, code: 'too-large' })
    expect(await refusal(await proxy.ask({ url: `${origin}/long` }))).toMatchObject({ status: 502, code: 'too-large' })

    open.splice(0)
    const first = await proxy.ask({ url: origin })
    await proxy.ask({ url: origin })
    expect(await refusal(await proxy.ask({ url: origin }))).toMatchObject({
      status: 429,
      code: 'too-many',
      remedy: /Close/,
    })
    open[0]!.end()
    await drain(first)
    expect((await proxy.ask({ url: origin })).status).toBe(200)
  })

  test('a request that fails, and one that its page gives up, make room for the next', async () => {
    const proxy = await startProxy(closing, { relays: 1 })
    const url = await serve(closing, (_, response) => response.writeHead(200).flushHeaders())
    for (let round = 0; round < 3; round++) {
      expect(await refusal(await proxy.ask({ url: 'http://127.0.0.1:1/' }))).toMatchObject({ code: 'refused' })
      const patience = new AbortController()
      await eventually(async () => expect((await proxy.ask({ url }, { signal: patience.signal })).status).toBe(200))
      expect(await refusal(await proxy.ask({ url }))).toMatchObject({ code: 'too-many' })
      patience.abort()
      await eventually(async () => {
        expect(await refusal(await proxy.ask({ url: 'http://127.0.0.1:1/' }))).toMatchObject({ code: 'refused' })
      })
    }
  })
})
