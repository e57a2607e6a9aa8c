/** How requests over HTTP/2 end and fail, and what they trust. */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { LookupFunction, Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { patient, until } from '../tests/patience.ts'
import { makeCertificate } from './fixtures/certificate.ts'
import { serveForwardProxy } from './fixtures/forward-proxy.ts'
import { bodyOf, certificate, END_HEADERS, FRAME, frame, number, OK, own, serveFrames, serveGate, serveHttp2 } from './fixtures/http2.ts' // prettier-ignore
import { drain, framesOf, listenOn, refusal, startProxy, type Closing } from './fixtures/relaying.ts'
import { LIMITS } from './limits.ts'
import { notPublic } from './public-address.ts'
import type { RelayHeaders } from './wire.ts'
import { Upstream, type UpstreamResponse } from './upstream.ts'

const closing: Closing = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

describe('the end of a request', () => {
  test.each(['waiting for the head', 'in the middle of the body'])(
    'when the page cancels, %s: the stream is reset and the connection closed',
    async (when) => {
      const proxy = await startProxy(closing)
      let stream: ServerHttp2Stream | undefined
      const { url, seen } = await serveHttp2(closing, (request, response) => {
        stream = request.stream
        if (when !== 'waiting for the head') response.writeHead(200).write('x')
      })
      const cancel = new AbortController()
      const asked = proxy.ask({ url, certificate }, { signal: cancel.signal }).catch(() => {})
      await until(() => stream !== undefined)
      if (when !== 'waiting for the head') await asked
      cancel.abort()
      await until(() => seen.open === 0)
      expect(stream!.rstCode).toBe(constants.NGHTTP2_CANCEL)
      await asked
    },
  )

  test('closes the connection even if the server keeps its side open', async () => {
    const proxy = await startProxy(closing)
    let closed = 0
    const server = createTlsServer({ ...own, ALPNProtocols: ['h2'], allowHalfOpen: true }, (socket) => {
      let pings: NodeJS.Timeout | undefined
      socket.write(frame(FRAME.settings, 0, 0))
      socket.once('data', () => socket.write(Buffer.concat([OK, frame(FRAME.data, 1, 1)])))
      // Writing shows that nobody is there any more.
      socket.once('end', () => (pings = setInterval(() => socket.write(frame(FRAME.ping, 0, 0, Buffer.alloc(8))), 20)))
      socket
        .on('error', () => {})
        .once('close', () => {
          clearInterval(pings)
          closed++
        })
    })
    const url = `https://localhost:${await listenOn(server, closing)}/`
    expect(await drain(await proxy.ask({ url, certificate }))).toMatchObject({ head: { status: 200 }, end: {} })
    await until(() => closed === 1)
  })

  test('with GOAWAY is explained by its code, before a response and in the middle', async () => {
    const proxy = await startProxy(closing)
    const away = frame(FRAME.goaway, 0, 0, Buffer.concat([number(1), number(11)]))
    const before = await serveFrames(closing, away)
    expect(await refusal(await proxy.ask({ url: before, certificate }))).toMatchObject({ code: 'reset', system: 'HTTP2_ENHANCE_YOUR_CALM' }) // prettier-ignore
    const middle = await serveFrames(closing, Buffer.concat([OK, frame(FRAME.data, 0, 1, Buffer.from('half')), away]))
    const { failed, end } = await drain(await proxy.ask({ url: middle, certificate }))
    expect([failed, end]).toMatchObject([{ code: 'cut', system: 'HTTP2_ENHANCE_YOUR_CALM' }, undefined])
    const refused = await serveFrames(closing, frame(FRAME.goaway, 0, 0, Buffer.concat([number(0), number(0)])))
    expect(await refusal(await proxy.ask({ url: refused, certificate }))).toMatchObject({ code: 'reset', system: 'HTTP2_REFUSED_STREAM' }) // prettier-ignore
  })

  test.each<[string, (stream: ServerHttp2Stream, sockets: readonly Socket[]) => void, string]>([
    ['resets the stream', (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR), 'HTTP2_INTERNAL_ERROR'],
    ['cancels the stream', (stream) => stream.close(constants.NGHTTP2_CANCEL), 'HTTP2_CANCEL'],
    ['closes the connection', (_, sockets) => sockets.forEach((socket) => socket.destroy()), 'ECONNRESET'],
  ])('in the middle of a response, when the server %s, is explained', async (_, act, system) => {
    const proxy = await startProxy(closing)
    let stream: ServerHttp2Stream | undefined
    const { url, seen } = await serveHttp2(closing, (request, response) => {
      stream = request.stream
      response.writeHead(200).write('half')
    })
    const frames = framesOf(await proxy.ask({ url, certificate }))
    expect((await frames.next()).value).toMatchObject({ type: 'head' })
    expect((await frames.next()).value).toEqual({ type: 'data', value: Buffer.from('half') })
    act(stream!, seen.sockets)
    const { value: last } = await frames.next()
    expect(last).toMatchObject({ type: 'failed', value: { code: 'cut', system, message: /middle of the response/ } })
    expect(seen.requests).toHaveLength(1)
    await until(() => seen.open === 0)
  })

  test.each<
    [string, (stream: ServerHttp2Stream, sockets: readonly Socket[]) => void, { system: string; message: RegExp }]
  >([
    // prettier-ignore
    ['refuses the stream', (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM), { system: 'HTTP2_REFUSED_STREAM', message: /^The HTTP\/2 stream to localhost:\d+ was closed without a response: REFUSED_STREAM\.$/ }], // prettier-ignore
    ['closes the connection', (_, sockets) => sockets.forEach((socket) => socket.destroy()), { system: 'ECONNRESET', message: /closed the connection without a response/ }], // prettier-ignore
  ])('before a response, when the server %s, is explained, and the request isn’t repeated', async (_, act, reason) => {
    const proxy = await startProxy(closing)
    const { url, seen } = await serveHttp2(closing, (request) => act(request.stream, seen.sockets))
    const asked = proxy.ask({ url, certificate, method: 'POST' }, { body: 'once' })
    expect(await refusal(await asked)).toMatchObject({ status: 502, code: 'reset', ...reason })
    expect(seen.requests).toHaveLength(1)
    await until(() => seen.open === 0)
  })

  test('never looks whole without END_STREAM, although Node ends a stream that was reset with NO_ERROR', async () => {
    const proxy = await startProxy(closing)
    const half = Buffer.concat([OK, frame(FRAME.data, 0, 1, Buffer.from('half'))])
    const reset = await serveFrames(closing, Buffer.concat([half, frame(FRAME.reset, 0, 1, number(0))]))
    const left = await serveFrames(closing, half, { ends: true })
    const away = await serveFrames(closing, Buffer.concat([half, frame(FRAME.goaway, 0, 0, Buffer.concat([number(1), number(0)]))]), { ends: true }) // prettier-ignore
    for (const [url, system] of [
      [reset, 'HTTP2_NO_ERROR'],
      [left, 'ECONNRESET'],
      [away, 'ECONNRESET'],
    ] as const) {
      // prettier-ignore
      const { body, end, failed } = await drain(await proxy.ask({ url, certificate }))
      expect([body.toString(), end], url).toEqual(['half', undefined])
      expect(failed).toMatchObject({ code: 'cut', system })
    }
  })

  test('comes after every byte that was read before a reset, however late the page reads them', async () => {
    const proxy = await startProxy(closing)
    // What a page that doesn't read yet is sent, what the relay holds, and a part that stays with the stream.
    const whole = Buffer.alloc((1024 + 256 + 200) * 1024, 7)
    const { url, seen } = await serveHttp2(closing, (_, response) => {
      response.write(whole, () => response.stream.close(constants.NGHTTP2_INTERNAL_ERROR))
    })
    const response = await proxy.ask({ url, certificate })
    await until(() => seen.open === 0)
    const { body, end, failed } = await drain(response)
    expect([body.length, end, failed]).toMatchObject([whole.length, undefined, { code: 'cut', system: 'HTTP2_INTERNAL_ERROR' }]) // prettier-ignore
  })

  test('with NO_ERROR is explained although the server reads no more of the request', async () => {
    const proxy = await startProxy(closing)
    const reset = frame(FRAME.reset, 0, 1, number(0))
    // More than a server accepts unread.
    const upload = { body: Buffer.alloc(2 * 1024 * 1024) }
    const before = { method: 'POST', url: await serveFrames(closing, reset), certificate }
    expect(await refusal(await proxy.ask(before, upload))).toMatchObject({ code: 'reset', system: 'HTTP2_NO_ERROR' })
    const half = Buffer.concat([OK, frame(FRAME.data, 0, 1, Buffer.from('half')), reset])
    const middle = { method: 'POST', url: await serveFrames(closing, half), certificate }
    const { body, end, failed } = await drain(await proxy.ask(middle, upload))
    expect([body.toString(), end, failed]).toMatchObject(['half', undefined, { code: 'cut', system: 'HTTP2_NO_ERROR' }])
  })

  test('is a complete response if the request is still being sent when the stream is reset with NO_ERROR', async () => {
    // Of this, the response holds a part before it is read.
    const parts = Array.from({ length: 3 }, () => frame(FRAME.data, 0, 1, Buffer.alloc(16_000, 7)))
    const ends = [frame(FRAME.data, 1, 1), frame(FRAME.reset, 0, 1, number(0))]
    const ping = frame(FRAME.ping, 0, 0, Buffer.alloc(8))
    let got: Buffer = Buffer.alloc(0)
    const after = (part: Buffer): void => void (got = Buffer.concat([got, part]))
    const url = new URL(await serveFrames(closing, Buffer.concat([OK, ...parts, ...ends, ping]), { after }))
    const headers = ['Content-Length', '1000']
    const { request } = new Upstream(url, LIMITS, { protocol: 'h2', certificate, method: 'POST', headers })
    request.write('x')
    const [response] = (await once(request, 'response')) as [UpstreamResponse]
    // The acknowledgement shows that the reset has arrived.
    await until(() => got.includes(frame(FRAME.ping, 1, 0, Buffer.alloc(8))))
    request.write('y')
    expect(Buffer.concat(await response.toArray()).length).toBe(48_000)
  })

  test('is a complete response if END_STREAM came before the reset or GOAWAY', async () => {
    const proxy = await startProxy(closing)
    const whole = Buffer.concat([OK, frame(FRAME.data, 1, 1, Buffer.from('whole'))])
    for (const more of [
      frame(FRAME.reset, 0, 1, number(0)),
      frame(FRAME.goaway, 0, 0, Buffer.concat([number(1), number(0)])),
    ]) {
      // prettier-ignore
      const url = await serveFrames(closing, Buffer.concat([whole, more]), { ends: true })
      expect(await drain(await proxy.ask({ url, certificate }))).toMatchObject({ body: Buffer.from('whole'), end: {} })
    }
  })

  test('comes for bytes that aren’t HTTP/2, a length that isn’t reached, and headers that it forbids', async () => {
    const proxy = await startProxy(closing)
    const plain = createTlsServer({ ...own, ALPNProtocols: ['h2'] }, (socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'))
    })
    const garbage = `https://localhost:${await listenOn(plain, closing)}/`
    expect(await refusal(await proxy.ask({ url: garbage, certificate }))).toMatchObject({ status: 502, code: 'not-http', message: /isn't valid HTTP\/2/ }) // prettier-ignore
    const field = (text: string): Buffer => Buffer.concat([Buffer.of(text.length), Buffer.from(text)])
    const forbidden = Buffer.concat([Buffer.of(0x88, 0), field('connection'), field('close')])
    const long = Buffer.concat([Buffer.of(0x88, 0), field('content-length'), field('10')])
    const short = Buffer.concat([frame(FRAME.headers, END_HEADERS, 1, long), frame(FRAME.data, 1, 1, Buffer.from('half'))]) // prettier-ignore
    const { body, end, failed } = await drain(await proxy.ask({ url: await serveFrames(closing, short), certificate }))
    expect([body.toString(), end, failed]).toMatchObject(['half', undefined, { code: 'cut', system: 'HTTP2_PROTOCOL_ERROR' }]) // prettier-ignore
    const url = await serveFrames(closing, frame(FRAME.headers, END_HEADERS, 1, forbidden))
    expect(await refusal(await proxy.ask({ url, certificate }))).toMatchObject({ code: 'reset', system: 'HTTP2_PROTOCOL_ERROR', remedy: /such as Connection/ }) // prettier-ignore
  })
})

describe('limits and trust', () => {
  test('headers and trailers that are too large are refused', async () => {
    const proxy = await startProxy(closing, { relayAnswerHead: 2000 })
    const { url, seen } = await serveHttp2(
      closing,
      (request, response) => {
        const large = { x: 'y'.repeat(3000) }
        if (request.url.endsWith('many')) {
          const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-${at}`, '']))
          return void response.writeHead(200, many).end()
        }
        if (request.url.endsWith('frames')) {
          // More frames than Node reads.
          const frames = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x-${at}`, 'y'.repeat(8000)]))
          return void response.writeHead(200, frames).end()
        }
        if (request.url.endsWith('single')) {
          // Longer than the library decodes, whatever the limit of the relay.
          return void response.writeHead(200, { x: 'y'.repeat(Number(request.headers['x-size'])) }).end()
        }
        if (request.url.endsWith('b')) return void response.writeHead(200, large).end()
        response.write('x')
        response.addTrailers(large)
        response.end()
      },
      { maxSendHeaderBlockLength: 1024 * 1024 },
    )
    expect(await refusal(await proxy.ask({ url, certificate }))).toMatchObject({ status: 502, code: 'too-large' })
    expect(await refusal(await proxy.ask({ url: `${url}many`, certificate }))).toMatchObject({ code: 'too-large' })
    expect(await refusal(await proxy.ask({ url: `${url}frames`, certificate }))).toMatchObject({ code: 'too-large' })
    for (const size of ['90000', '200000']) {
      const single = { url: `${url}single`, certificate, headers: [['x-size', size]] as RelayHeaders }
      expect(await refusal(await proxy.ask(single)), size).toMatchObject({ code: 'too-large' })
    }
    const { failed } = await drain(await proxy.ask({ url: `${url}t`, certificate }))
    expect(failed).toMatchObject({ code: 'too-large' })
    await until(() => seen.open === 0)
  })

  test('connecting has a time limit for HTTP/2 as well', async () => {
    const proxy = await startProxy(closing, { connect: patient(1_000) })
    const { port, seen } = await serveHttp2(closing, (_, response) => void response.end())
    const never = new Promise<number>(() => {})
    let connections = 0
    const url = await serveGate(closing, (count) => {
      connections = count
      return count === 1 ? port : never
    })
    expect(await refusal(await proxy.ask({ url, certificate }))).toMatchObject({ status: 504, code: 'timeout', message: /TLS handshake didn't finish/ }) // prettier-ignore
    expect([connections, seen.requests]).toEqual([2, []])
  })

  test('another certificate than the trusted one gets nothing, and an untrusted one is named', async () => {
    const proxy = await startProxy(closing)
    const { url, seen } = await serveHttp2(closing, (_, response) => void response.end())
    const other = new X509Certificate(makeCertificate().cert).fingerprint256
    expect([await refusal(await proxy.ask({ url })), seen.connections]).toMatchObject([{ code: 'self-signed' }, 2])
    await drain(await proxy.ask({ url, certificate }))
    for (let round = 0; round < 2; round++) {
      expect(await refusal(await proxy.ask({ url, certificate: other }))).toMatchObject({ code: 'certificate-changed' })
      expect(await refusal(await proxy.ask({ url }))).toMatchObject({ code: 'self-signed' })
    }
    expect(seen.requests).toHaveLength(1)
  })

  test('the addresses of a name are those that were checked', async () => {
    const { port, seen } = await serveHttp2(closing, (_, response) => void response.end('hello'))
    const target = new URL(`https://server.example:${port}/`)
    const ask = (lookup: LookupFunction) => new Upstream(target, LIMITS, { protocol: 'h2', certificate, lookup })
    const found = ask((_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]))
    found.request.end()
    const [response] = (await once(found.request, 'response')) as [UpstreamResponse]
    expect(Buffer.concat(await response.toArray()).toString()).toBe('hello')
    const refused = ask((name, _, done) => done(notPublic(name), ''))
    refused.request.end()
    await new Promise((resolve) => refused.request.once('close', resolve))
    expect(refused.explain(refused.fault)).toMatchObject({ code: 'not-public' })
    expect(seen.connections).toBe(1)
  })

  test('a client certificate is sent, and the way leads through the proxy of the network', async () => {
    const issuer = makeCertificate({ host: 'Acme Clients', authority: true })
    const client = makeCertificate({ host: 'a client', issuer })
    const hidden = makeCertificate({ host: 'server.example' })
    const { port, seen } = await serveHttp2(
      closing,
      (request, response) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate()
        void bodyOf(request).then((body) => response.end(`${String(subject?.CN)} ${body.length}`))
      },
      { ...hidden, ca: issuer.cert, requestCert: true, rejectUnauthorized: true },
    )
    const network = await serveForwardProxy(closing, { hosts: { 'server.example:443': port } })
    const proxy = await startProxy(closing, {}, {
      env: { HTTPS_PROXY: `http://127.0.0.1:${network.port}` },
      clientCertificate: { origin: 'https://server.example', cert: client.cert, key: client.key },
    }) // prettier-ignore
    const pinned = new X509Certificate(hidden.cert).fingerprint256
    const asked = { method: 'POST', url: 'https://server.example/mcp', certificate: pinned }
    const { head, body } = await drain(await proxy.ask(asked, { body: 'x'.repeat(300_000) }))
    expect(body.toString()).toBe('a client of a test 300000')
    expect(head).toMatchObject({ proxy: `127.0.0.1:${network.port} (HTTPS_PROXY)`, timings: { protocol: 'HTTP/2', tunnel: expect.any(Number) } }) // prettier-ignore
    expect(network.seen).toEqual(['CONNECT server.example:443', 'CONNECT server.example:443'])
    expect(seen.requests).toEqual(['POST /mcp'])
    await until(() => seen.open === 0)
  })

  test('a client certificate that is missing is named', async () => {
    const proxy = await startProxy(closing)
    const { url } = await serveHttp2(closing, (_, response) => void response.end(), {
      requestCert: true,
      rejectUnauthorized: true,
    })
    expect(await refusal(await proxy.ask({ url, certificate }))).toMatchObject({ code: 'client-certificate', message: /requires a client certificate/ }) // prettier-ignore
  })

  test('a server that accepts neither protocol is named, and one that speaks HTTP/2 without negotiating it', async () => {
    const proxy = await startProxy(closing)
    const neither = createTlsServer({ ...own, ALPNProtocols: ['acme-tls/1'] }, (socket) => socket.on('error', () => {}))
    const url = `https://localhost:${await listenOn(neither, closing)}/`
    expect(await refusal(await proxy.ask({ url, certificate }))).toMatchObject({ code: 'tls', message: /none of the HTTP versions/, remedy: /HTTP\/1\.1/ }) // prettier-ignore
    const silent = createTlsServer(own, (socket) => socket.on('error', () => {}).resume().write(frame(FRAME.settings, 0, 0))) // prettier-ignore
    const mute = `https://localhost:${await listenOn(silent, closing)}/`
    expect(await refusal(await proxy.ask({ url: mute, certificate }))).toMatchObject({ code: 'http2', message: /doesn't negotiate it/, remedy: /negotiate HTTP\/2/ }) // prettier-ignore
  })
})
