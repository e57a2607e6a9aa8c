import { createReadStream, readFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { patient } from '../patience.ts'
import { serveForwardProxy } from '../../proxy/fixtures/forward-proxy.ts'
import { serveRaw, type Closing } from '../../proxy/fixtures/relaying.ts'
import { closeServer, listenOnLoopback } from '../../proxy/commands/loopback.ts'
import { recordHttp } from '../../proxy/commands/record-http.ts'
import { verify } from '../../proxy/commands/verify.ts'
import { readCommand, type RecordOptions, type VerifyOptions } from '../../proxy/cli.ts'
import { exchanges, foldAll, HttpSseTransport, StreamableHttpTransport } from '../../web/mcp/index.ts'
import type { Frame, Transport } from '../../web/mcp/index.ts'
import { readSession } from '../../web/session-file/read.ts'
import { call, folder, listAll, openSession, rootsRequested } from './recording.ts'

let place: ReturnType<typeof folder>
beforeAll(() => void (place = folder()))
afterAll(() => place.remove())

const opened = (file: string) => readSession(createReadStream(file))

/** A recorder in this process. */
const recording = async (out: string, url: string) => {
  const controller = new AbortController()
  let words = ''
  let told: (address: string) => void
  const address = new Promise<string>((resolve) => (told = resolve))
  const err = (text: string) => {
    words += text
    const found = /Connect the client to (\S+)/.exec(text)?.[1]
    if (found !== undefined) told(found)
  }
  const options = readCommand('record', ['--out', out, '--listen', '0', url]) as RecordOptions
  const over = recordHttp(options as Parameters<typeof recordHttp>[0], err, controller.signal)
  const stop = async () => {
    controller.abort()
    return await over
  }
  return { address: await address, stop, words: () => words }
}

const verified = async (file: string, url: string) => {
  let text = ''
  const output = { out: (line: string) => void (text += line), err: (line: string) => void (text += line) }
  const options = readCommand('verify', [file, '--server', url]) as VerifyOptions
  return { code: await verify(options, output), failed: /✗[^]*/.exec(text)?.[0] }
}

/** What all views are built from: the requests and their outcomes. */
const outcomes = (frames: readonly Frame[]) =>
  foldAll(exchanges, frames).all.map(({ direction, method, status }) => `${direction} ${method} ${status}`)
const opening = (frames: readonly Frame[]) =>
  frames.flatMap((frame) => (frame.kind === 'session' && frame.phase === 'open' ? [frame] : []))
const shape = (frames: readonly Frame[]) =>
  frames.flatMap((frame) => (frame.kind === 'http' && frame.phase === 'request' ? [frame.purpose] : []))

const streamable = (url: string) => new StreamableHttpTransport({ url })

describe('recording between a client and a server over HTTP', () => {
  test.each<[string, () => string, (url: string) => Transport]>([
    ['server-everything', () => inject('everythingUrl'), streamable],
    ['a server that asks by requests', () => `${inject('richUrl')}/v1/record-command`, streamable],
    ['a stateless server that asks in results', () => `${inject('richUrl')}/v2/record-command`, streamable],
    ['a server over HTTP+SSE', () => inject('sseUrl'), (url) => new HttpSseTransport({ url })],
  ])(
    'gives a file in which all is as it was to the client itself: %s',
    async (name, url, transport) => {
      const out = place.file(`${name.replaceAll(/\W/g, '-')}.jsonl`)
      const recorder = await recording(out, url())
      const session = await openSession(transport(recorder.address))
      await listAll(session)
      const tools = ['echo', 'get-sum', 'ask-form', 'ask-roots', 'ask-sampling', 'no-such-tool']
      for (const tool of tools) await call(session, tool, { message: 'hi', a: 1, b: 2 })
      // A client that disconnects while this server requests the roots hasn't seen what the recorder has.
      if (name === 'server-everything') {
        await rootsRequested(session)
        expect(outcomes([...session.trace])).toContain('received roots/list ok')
      }
      await session.close()
      expect(await recorder.stop()).toBe(0)
      const [live, { frames, damaged }] = [[...session.trace], await opened(out)]
      expect(damaged).toBe(0)
      // Messages that cross in transit arrive in a different order on each side.
      expect(outcomes(frames).toSorted()).toEqual(outcomes(live).toSorted())
      const { peer, transport: way } = opening(live)[0]!
      const { evidence: _, ...said } = peer
      expect(opening(frames)).toMatchObject([{ peer: said, transport: way }])
      expect(shape(frames).toSorted()).toEqual(shape(live).toSorted())
      expect(await verified(out, url())).toEqual({ code: 0, failed: undefined })
    },
    patient(180_000),
  )

  test('explains a 407 of the proxy of the network instead of passing it on as the response of the server', async () => {
    const closing: Closing = []
    const { port } = await serveForwardProxy(closing, { hosts: {}, authorization: 'Basic eDp5' })
    vi.stubEnv('http_proxy', `http://127.0.0.1:${port}`)
    onTestFinished(async () => {
      vi.unstubAllEnvs()
      for (const close of closing) await close()
    })
    const recorder = await recording(place.file('407.jsonl'), 'http://server.example/mcp')
    const response = await fetch(recorder.address, { method: 'POST', body: '{}' })
    expect(response.status).toBe(502)
    const { error } = (await response.json()) as { readonly error: { readonly message: string } }
    expect(error.message).toBe(
      `Periscope: The proxy 127.0.0.1:${port} (http_proxy) requires a user name and a password (407). Put both into http_proxy: http://USER:PASSWORD@HOST:PORT. Periscope supports only Basic.`,
    )
    expect(await recorder.stop()).toBe(0)
  })

  test('reads the rest of a request whose server is gone, so that the client gets its response', async () => {
    const closing: Closing = []
    onTestFinished(async () => {
      for (const close of closing) await close()
    })
    // It takes nothing in, until it breaks off.
    const sockets: Socket[] = []
    const server = await serveRaw(closing, (socket) => {
      socket.pause()
      sockets.push(socket)
    })
    const recorder = await recording(place.file('gone.jsonl'), new URL('/mcp', server).href)
    const { hostname, port, pathname: path } = new URL(recorder.address)
    // More than the buffers of both connections hold.
    const [CHUNKS, CHUNK] = [1024, 64 * 1024]
    let taken = 0
    const body = Readable.from(
      (function* () {
        for (; taken < CHUNKS; taken++) yield Buffer.alloc(CHUNK, 'x')
      })(),
    )
    // Node's client stops sending once it has the response.
    const client = connect(Number(port), hostname)
    closing.push(async () => void client.destroy())
    client.write(`POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: ${CHUNKS * CHUNK}\r\n\r\n`)
    body.pipe(client, { end: false })
    const status = new Promise((resolve, reject) => {
      client.once('data', (bytes) => resolve(bytes.toString().split('\r\n')[0])).once('error', reject)
    })
    let before = -1
    const isStalled = () => {
      const last = before
      before = taken
      return sockets.length > 0 && taken > 0 && taken === last
    }
    await expect.poll(isStalled, { timeout: patient(20_000), interval: 300 }).toBe(true)
    expect(taken).toBeLessThan(CHUNKS)
    for (const socket of sockets) socket.resetAndDestroy()
    expect(await status).toBe('HTTP/1.1 502 Bad Gateway')
    await expect.poll(() => taken, { timeout: patient(20_000) }).toBe(CHUNKS)
    await recorder.stop()
  })

  test(
    'passes every header and every byte on, both ways, in the pieces in which they come',
    async () => {
      let [asked, answer]: [Seen | undefined, Answer] = [undefined, { headers: [], pieces: [] }]
      const server = createServer((incoming, response) => {
        void whole(incoming).then((body) => {
          asked = { method: incoming.method!, path: incoming.url!, headers: pairs(incoming.rawHeaders), body }
          response.writeHead(200, answer.headers.flat())
          for (const piece of answer.pieces) response.write(piece)
          response.end()
        })
      })
      const port = await listenOnLoopback(server, 0)
      const recorder = await recording(place.file('bytes.jsonl'), `http://127.0.0.1:${port}/mcp`)
      const name = fc.stringMatching(/^X-[A-Za-z][A-Za-z0-9-]{0,12}$/)
      const headers = fc.array(fc.tuple(name, fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/)), { maxLength: 6 })
      const body = fc.uint8Array({ minLength: 1, maxLength: 2000 }).map((bytes) => Buffer.from(bytes))
      const type = fc.constantFrom('application/json', 'text/event-stream', 'text/plain')
      await fc.assert(
        fc.asyncProperty(
          headers,
          body,
          headers,
          fc.array(body, { maxLength: 5 }),
          type,
          async (out, sent, back, pieces, kind) => {
            answer = { headers: [...back, ['Content-Type', kind]], pieces }
            const { hostname, port: at } = new URL(recorder.address)
            const path = '/mcp?a=%20b&c'
            const given = [['Host', `${hostname}:${at}`], ['Content-Length', String(sent.length)], ...out] as Pairs
            const got = await new Promise<Seen>((resolve, reject) => {
              const asking = request(
                { hostname, port: at, path, method: 'POST', headers: given.flat() },
                (response) => {
                  whole(response).then(
                    (bytes) => resolve({ method: '', path: '', headers: pairs(response.rawHeaders), body: bytes }),
                    reject,
                  )
                },
              )
              asking.on('error', reject)
              asking.end(sent)
            })
            expect({ ...asked, headers: ownOf(asked!.headers) }).toEqual({
              method: 'POST',
              path,
              headers: ownOf(given),
              body: sent,
            })
            expect(asked!.headers.find(([each]) => each === 'Host')).toEqual(['Host', `127.0.0.1:${port}`])
            expect(got.body).toEqual(Buffer.concat(pieces))
            expect(ownOf(got.headers).filter(([each]) => each !== 'Date')).toEqual(answer.headers)
          },
        ),
        { numRuns: 60 },
      )
      await recorder.stop()
      await closeServer(server)
      expect((await opened(place.file('bytes.jsonl'))).damaged).toBe(0)
    },
    patient(180_000),
  )

  test('lets events pass when they come, not when the answer is whole, and ends what its client ends', async () => {
    let closed: () => void
    const gone = new Promise<void>((resolve) => (closed = resolve))
    const event = `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } })}\n\n`
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write(event)
      response.once('close', closed)
    })
    const port = await listenOnLoopback(server, 0)
    const out = place.file('events.jsonl')
    const recorder = await recording(out, `http://127.0.0.1:${port}/mcp`)
    const controller = new AbortController()
    const { body } = await fetch(recorder.address, {
      headers: { accept: 'text/event-stream' },
      signal: controller.signal,
    })
    const { value } = await body!.getReader().read()
    expect(Buffer.from(value!).toString()).toBe(event)
    controller.abort()
    await gone
    await recorder.stop()
    await closeServer(server)
    const kinds = (await opened(out)).frames.map(
      (frame) => `${frame.kind} ${'phase' in frame ? frame.phase : 'event' in frame ? frame.event : frame.type}`,
    )
    expect(kinds).toEqual([
      'http request',
      'http response',
      'stream open',
      'message notification',
      'http failed',
      'stream close',
    ])
  })

  test('keeps secrets out of the file, and only out of the file', async () => {
    const seen: string[] = []
    const form = 'grant_type=refresh_token&refresh_token=rt-Zq8Lm2Vx7Rt4Bn6&client_secret=cs-Wc1YdTr93kLmPq'
    const answer = JSON.stringify({ access_token: 'at-Jh72KsLq09VbXz51', token_type: 'Bearer', expires_in: 60 })
    const server = createServer((incoming, response) => {
      void whole(incoming).then((body) => {
        seen.push(`${incoming.headers.authorization ?? ''} ${incoming.url} ${body.toString()}`)
        response.writeHead(200, {
          'Content-Type': 'application/json',
          'Set-Cookie': 'sid=ck-88HhGgTtRr55',
          'Content-Encoding': 'gzip',
        })
        response.end(gzipSync(incoming.url === '/token' ? answer : '{"jsonrpc":"2.0","id":1,"result":{}}'))
      })
    })
    const port = await listenOnLoopback(server, 0)
    const out = place.file('secrets.jsonl')
    const recorder = await recording(out, `http://127.0.0.1:${port}/mcp?api_key=ak-Yy66TtRr44EeWw22`)
    const headers = { authorization: 'Bearer bt-Kk99JjHh88GgFf77', 'content-type': 'application/x-www-form-urlencoded' }
    const got = await fetch(new URL('/token', recorder.address), { method: 'POST', headers, body: form })
    expect(await got.text()).toBe(answer)
    await fetch(recorder.address, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }).then(
      (each) => each.text(),
    )
    await recorder.stop()
    await closeServer(server)
    expect(seen).toEqual([
      `Bearer bt-Kk99JjHh88GgFf77 /token ${form}`,
      'Bearer bt-Kk99JjHh88GgFf77 /mcp?api_key=ak-Yy66TtRr44EeWw22 {"jsonrpc":"2.0","id":1,"method":"ping"}',
    ])
    const text = readFileSync(out, 'utf8')
    const kept = ['bt-Kk99', 'rt-Zq8', 'cs-Wc1', 'at-Jh72', 'ck-88Hh', 'ak-Yy66'].filter((secret) =>
      text.includes(secret),
    )
    expect(kept).toEqual([])
    // A compressed body was recorded in readable form.
    expect(text).toContain('expires_in')
  })

  test('BP-14: says that bytes of an answer are no UTF-8', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"name":"\xff"}}', 'latin1'))
    })
    const port = await listenOnLoopback(server, 0)
    const out = place.file('no-utf8.jsonl')
    const recorder = await recording(out, `http://127.0.0.1:${port}/mcp`)
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }
    await (await fetch(recorder.address, request)).text()
    await recorder.stop()
    await closeServer(server)
    expect(readFileSync(out, 'utf8')).toContain('BP-14')
  })

  test('does not pass off a compressed body that stops early as the whole one', async () => {
    const server = createServer((_, response) => {
      response.writeHead(400, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' })
      // Without the trailer, which has the checksum and the length (RFC 1952 section 2.3.1).
      response.end(gzipSync('All that was said, or so it seems').subarray(0, -8))
    })
    const port = await listenOnLoopback(server, 0)
    const out = place.file('stops-early.jsonl')
    const recorder = await recording(out, `http://127.0.0.1:${port}/mcp`)
    const read = fetch(recorder.address, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' })
    await read.then((each) => each.text()).catch(() => {})
    await recorder.stop()
    await closeServer(server)
    const text = readFileSync(out, 'utf8')
    expect(text).toContain('"cut":true')
    expect(text).not.toContain('All that was said')
  })

  test(
    'keeps sessions of several clients apart, each in a file of its own',
    async () => {
      const out = place.file('several.periscope.jsonl')
      const recorder = await recording(out, inject('everythingUrl'))
      const sessions = [
        await openSession(streamable(recorder.address)),
        await openSession(streamable(recorder.address)),
      ]
      await Promise.all(sessions.map((session, at) => call(session, 'echo', { message: `I am ${at}` })))
      // See above.
      for (const session of sessions) {
        await rootsRequested(session)
        expect(outcomes([...session.trace])).toContain('received roots/list ok')
      }
      await Promise.all(sessions.map((session) => session.close()))
      await recorder.stop()
      for (const [at, file] of [out, place.file('several-2.periscope.jsonl')].entries()) {
        const { frames, damaged } = await opened(file)
        expect({ damaged, outcomes: outcomes(frames).toSorted() }).toEqual({
          damaged: 0,
          outcomes: outcomes([...sessions[at]!.trace]).toSorted(),
        })
        expect(JSON.stringify(frames)).toContain(`Echo: I am ${at}`)
        expect(JSON.stringify(frames)).not.toContain(`Echo: I am ${1 - at}`)
      }
    },
    patient(180_000),
  )

  test('tells a client why no answer can be had, and serves nobody who came by another name', async () => {
    const out = place.file('nobody.jsonl')
    const recorder = await recording(out, 'http://127.0.0.1:9/mcp')
    const failed = await fetch(recorder.address, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' })
    expect([failed.status, await failed.text()]).toEqual([
      502,
      expect.stringContaining('Nothing is listening at 127.0.0.1:9'),
    ])
    const { port } = new URL(recorder.address)
    const status = await new Promise((resolve) => {
      request({ port, host: '127.0.0.1', headers: { Host: `evil.example:${port}` } }, (response) => {
        resolve(response.statusCode)
        response.resume()
      }).end()
    })
    expect(status).toBe(403)
    await recorder.stop()
    expect(outcomes((await opened(out)).frames)).toEqual(['sent ping lost'])
  })

  test('cannot listen where another program does: it says so and ends with 2', async () => {
    const server = createServer()
    const port = await listenOnLoopback(server, 0)
    let words = ''
    const options = readCommand('record', [
      '--out',
      place.file('taken.jsonl'),
      '--listen',
      String(port),
      'http://127.0.0.1:9/',
    ])
    const over = recordHttp(
      options as Parameters<typeof recordHttp>[0],
      (text) => void (words += text),
      new AbortController().signal,
    )
    expect([await over, words]).toEqual([2, expect.stringContaining('is in use by another program')])
    await closeServer(server)
  })
})

type Pairs = [name: string, value: string][]
interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: Pairs
  readonly body: Buffer
}
interface Answer {
  readonly headers: Pairs
  readonly pieces: readonly Buffer[]
}

const pairs = (raw: readonly string[]): Pairs =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!])

/** Headers that don't belong to one connection. */
const ownOf = (headers: Pairs): Pairs =>
  headers.filter(([name]) => !/^(?:host|connection|keep-alive|transfer-encoding)$/i.test(name))

const whole = async (message: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of message as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}
