/**
 * The relay changes nothing but the headers of a single connection: exchanges recorded from real peers, and those that no
 * peer has, are repeated with and without it. They are recorded first, because a server's IDs and dates differ each time.
 *
 * Only in Node: a page can neither serve the recordings nor read all headers.
 */
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { askRelay, drain, listenOn, startProxy, type Closing, type Proxy } from '../../../proxy/fixtures/relaying.ts'
import { patient } from '../../../tests/patience.ts'
import { relayFetch } from './relay.ts'

type Pairs = readonly (readonly [name: string, value: string])[]

interface Ask {
  readonly name: string
  readonly method: string
  readonly headers: Pairs
  readonly body: string
}

interface Recorded extends Ask {
  readonly status: number
  readonly statusText: string
  readonly responseHeaders: Pairs
  readonly chunks: readonly Buffer[]
}

/** What may differ: headers of a single connection (RFC 9110 section 7.6.1), and the length that replaces a coding of it. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'content-length'])
const endToEnd = (headers: Pairs): Pairs => headers.filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase()))

const pairs = (raw: readonly string[]): Pairs =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!] as const)

/**
 * Sends a request without anything in between.
 * @returns the response as it came, chunk by chunk; of a recorded peer's stream for its own messages, which never ends, only the head
 */
const direct = (
  url: string,
  { method, headers, body }: Omit<Ask, 'name'>,
  endless = false,
): Promise<Omit<Recorded, keyof Ask>> =>
  new Promise((resolve, reject) => {
    const asked = send(url, { method, agent: false, headers: [...lengthOf(body, url), ...headers].flat() })
    asked.on('error', reject)
    asked.on('response', (response) => {
      const chunks: Buffer[] = []
      const { statusCode = 0, statusMessage = '', rawHeaders } = response
      const done = (): void => {
        resolve({ status: statusCode, statusText: statusMessage, responseHeaders: pairs(rawHeaders), chunks })
        asked.destroy()
      }
      if (endless && response.headers['content-type']?.startsWith('text/event-stream')) return done()
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', done)
      response.on('error', reject)
    })
    asked.end(body)
  })

const lengthOf = (body: string, url: string): Pairs => [
  ['Host', new URL(url).host],
  ['Connection', 'keep-alive'],
  ...(body === '' ? [] : [['Content-Length', String(Buffer.byteLength(body))] as const]),
]

const COMMON: Pairs = [
  ['Accept', 'application/json, text/event-stream'],
  ['User-Agent', 'test/1'],
  ['Accept-Encoding', 'gzip'],
]

/** The requests of a client, in order, at one endpoint. A session that the server begins is continued. */
const conversation = async (name: string, url: string, revision: string): Promise<Recorded[]> => {
  const recorded: Recorded[] = []
  const stateless = revision === '2026-07-28'
  let session: Pairs = stateless ? [['MCP-Protocol-Version', revision]] : []
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const ask = async (what: string, method: string, body: string, more: Pairs = []): Promise<void> => {
    const headers: Pairs = [
      ...COMMON,
      ...(body === '' ? [] : ([['Content-Type', 'application/json']] as const)),
      ...session,
      ...more,
    ]
    const asked = { name: `${name} ${revision}: ${what}`, method, headers, body }
    const response = await direct(url, asked, method === 'GET')
    const id = response.responseHeaders.find(([header]) => header.toLowerCase() === 'mcp-session-id')?.[1]
    if (what === 'initialize' && !stateless) {
      session = [...(id === undefined ? [] : ([['Mcp-Session-Id', id]] as const)), ['MCP-Protocol-Version', revision]]
    }
    recorded.push({ ...asked, ...response })
  }
  let id = 0
  const call = (method: string, params: object = {}, more: Pairs = []) =>
    ask(
      method,
      'POST',
      JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: stateless ? { ...params, _meta: meta } : params }),
      [['Mcp-Method', method], ...more],
    )
  await call('initialize', { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'test', version: '1' } })
  await ask('initialized', 'POST', JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
  for (const method of ['ping', 'tools/list', 'resources/list', 'prompts/list', 'server/discover', 'no/such-method']) {
    await call(method)
  }
  for (const tool of ['echo', 'get-tiny-image', 'fail', 'no-such-tool']) {
    await call('tools/call', { name: tool, arguments: { message: 'π', text: 'π' } }, [['Mcp-Name', tool]])
  }
  await ask('invalid JSON', 'POST', '{"jsonrpc":')
  await ask('no JSON-RPC', 'POST', '[1, 2]')
  await ask('another session', 'POST', '{"jsonrpc":"2.0","id":1,"method":"ping"}', [['Mcp-Session-Id', 'unknown']])
  for (const method of ['OPTIONS', 'PUT', 'PATCH', 'HEAD']) await ask(method, method, '')
  await ask('stream', 'GET', '')
  await ask('resumed stream', 'GET', '', [['Last-Event-ID', 'unknown']])
  await ask('end of the session', 'DELETE', '')
  await call('tools/list')
  return recorded
}

/** What no peer sends, but servers may. */
const handWritten = (): Recorded[] => {
  const big = Buffer.from(Array.from({ length: 3 * 2 ** 20 }, (_, at) => (at * 7919) % 251))
  const json = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"text":"π"}}')
  const twice = gzipSync(gzipSync(json))
  const sse = ['\uFEFF: hello\r\nid: 7\r\n', 'event: message\rdata: {}\n\n', 'retry: 9\n\n', ...'data: cut\n\n']
  const at = (
    name: string,
    responseHeaders: Pairs,
    chunks: readonly (Buffer | string)[] = [json],
    more: Partial<Recorded> = {},
  ): Recorded => ({
    ...{ name, method: 'POST', headers: COMMON, body: '{}', status: 200, statusText: 'OK', responseHeaders },
    chunks: chunks.map((chunk) => Buffer.from(chunk as Buffer)),
    ...more,
  })
  const encoded = (coding: string, body: Buffer) => at(`Content-Encoding: ${coding}`, [['Content-Encoding', coding], ['ETag', 'W/"1"']], [body]) // prettier-ignore
  const statuses = [201, 202, 204, 205, 226, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 413, 415, 418, 421, 422, 425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 507, 511, 520, 599] // prettier-ignore
  return [
    ...statuses.map((status) => at(`status ${status}`, [['Location', '/elsewhere'], ['Retry-After', '3'], ['WWW-Authenticate', 'Bearer realm="a, b", error="x"']], [204, 205, 304].includes(status) ? [] : ['because'], { status, statusText: `Because ${status}` })), // prettier-ignore
    ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'REPORT'].map((method) => at(`method ${method}`, [['X-Odd', 'Ünï']], [json], { method, body: method === 'GET' || method === 'OPTIONS' ? '' : '{}' })), // prettier-ignore
    at('method HEAD', [['Content-Type', 'application/json']], [], { method: 'HEAD', body: '' }),
    at('headers in their order and case, and twice', [['x-b', '1'], ['X-A', '2'], ['x-B', '3'], ['Set-Cookie', 'a=1; Path=/'], ['set-cookie', 'b=2'], ['Vary', 'a'], ['VARY', 'b'], ['X-Empty', '']]), // prettier-ignore
    at('CORS headers', [['Access-Control-Allow-Origin', '*'], ['Access-Control-Expose-Headers', 'Mcp-Session-Id'], ['Mcp-Session-Id', 'one']]), // prettier-ignore
    at('an event stream', [['Content-Type', 'text/event-stream']], sse),
    at('an event stream that is empty', [['Content-Type', 'text/event-stream']], []),
    at('3 MB', [['Content-Type', 'application/octet-stream']], [big]),
    at('3 MB as they come', [['Content-Type', 'application/octet-stream']], Array.from({ length: 48 }, (_, n) => big.subarray(n * 65_536, (n + 1) * 65_536))), // prettier-ignore
    at('2 MB to the server', [], [json], { body: 'π'.repeat(2 ** 20) }),
    at('no body', [['Content-Length', '0']], []),
    at('bytes that are no UTF-8', [['Content-Type', 'application/json']], [Buffer.from([0xff, 0x00, 0xc3, 0x28])]),
    encoded('gzip', gzipSync(json)),
    encoded('x-gzip', gzipSync(json)),
    encoded('deflate', deflateSync(json)),
    encoded('br', brotliCompressSync(json)),
    encoded('identity', json),
    encoded('gzip, gzip', twice),
  ]
}

/** Serves a recording at its number, and keeps the last request to each. */
const serveRecorded = async (recorded: readonly Recorded[], closing: Closing) => {
  const seen: { headers: Pairs; body: string; method: string }[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = Number(request.url!.slice(1))
    const { status, statusText, responseHeaders, chunks } = recorded[at]!
    const body = Buffer.concat(await request.toArray()).toString()
    seen[at] = { headers: pairs(request.rawHeaders), body, method: request.method! }
    const length = responseHeaders.filter(([name]) => name.toLowerCase() === 'content-length')
    response.sendDate = false
    response.writeHead(status, statusText, [...endToEnd(responseHeaders), ...length].flat())
    for (const chunk of chunks) response.write(chunk)
    response.end()
  }
  const port = await listenOn(createServer((request, response) => void handle(request, response)), closing) // prettier-ignore
  return { url: (at: number) => `http://127.0.0.1:${port}/${at}`, seen }
}

/** Eight at a time. */
const inParallel = async (all: readonly Recorded[], run: (each: Recorded, at: number) => Promise<void>) => {
  const queue = all.entries()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const [at, each] of queue) await run(each, at)
    }),
  )
}

describe('exchanges, direct and relayed', () => {
  const closing: Closing = []
  let recorded: Recorded[] = []
  let proxy: Proxy
  let served: Awaited<ReturnType<typeof serveRecorded>>

  beforeAll(async () => {
    const [everything, versed, eras] = [inject('everythingUrl'), inject('versedUrl'), inject('erasUrl')]
    const conversations = await Promise.all([
      conversation('server-everything', everything, '2025-11-25'),
      conversation('SDK 1', `${versed}/v1/2024-11-05/exchanges`, '2024-11-05'),
      conversation('SDK 1', `${versed}/v1/2025-06-18/exchanges`, '2025-06-18'),
      conversation('SDK 2', `${inject('modernUrl')}/exchanges`, '2026-07-28'),
      conversation('stateless', `${eras}/good-modern/exchanges`, '2026-07-28'),
      conversation('both', `${eras}/good-both/exchanges`, '2025-11-25'),
    ])
    recorded = [...conversations.flat(), ...handWritten()]
    proxy = await startProxy(closing)
    served = await serveRecorded(recorded, closing)
  }, patient(60_000))

  afterAll(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  test('are at least 200, of every kind', () => {
    expect(recorded.length).toBeGreaterThanOrEqual(200)
    const has = (found: (each: Recorded) => boolean) => expect(recorded.some(found)).toBe(true)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      has((each) => each.method === method)
    }
    for (const status of [200, 202, 400, 404, 405, 500]) has((each) => each.status === status)
    has(({ responseHeaders }) => responseHeaders.some(([name]) => name.toLowerCase() === 'mcp-session-id'))
    has(({ responseHeaders, chunks }) => chunks.length > 0 && responseHeaders.some(([, value]) => value.startsWith('text/event-stream'))) // prettier-ignore
  })

  test('have the same requests at the server, and the same responses byte by byte', { timeout: patient(60_000) }, async () => {
    await inParallel(recorded, async (asked, at) => {
      const { method, headers, body, name } = asked
      const url = served.url(at)
      const plain = await direct(url, asked)
      const before = served.seen[at]!
      const relayed = await drain(await askRelay(proxy, { method, url, headers }, { body }))
      const after = served.seen[at]!
      expect({ ...after, headers: endToEnd(after.headers) }, name).toEqual({ ...before, headers: endToEnd(before.headers) })
      expect(relayed.failed, name).toBeUndefined()
      expect([relayed.head.status, relayed.head.statusText], name).toEqual([plain.status, plain.statusText])
      expect(endToEnd(relayed.head.headers), name).toEqual(endToEnd(plain.responseHeaders))
      expect(relayed.body.equals(Buffer.concat(plain.chunks)), name).toBe(true)
    })
  }) // prettier-ignore

  test('are the same to what calls fetch, as a page does', { timeout: patient(60_000) }, async () => {
    const viaRelay = relayFetch({ base: proxy.base, token: proxy.token })
    await inParallel(recorded, async ({ method, headers, body, name }, at) => {
      const init: RequestInit = { method, headers: headers.map(([key, value]): [string, string] => [key, value]), redirect: 'manual', ...(body === '' ? {} : { body }) } // prettier-ignore
      const [plain, relayed] = await Promise.all([fetch(served.url(at), init), viaRelay(served.url(at), init)])
      expect([relayed.status, relayed.statusText, relayed.ok], name).toEqual([plain.status, plain.statusText, plain.ok])
      expect(endToEnd([...relayed.headers]), name).toEqual(endToEnd([...plain.headers]))
      const [one, other] = await Promise.all([plain.arrayBuffer(), relayed.arrayBuffer()])
      expect(Buffer.from(other).equals(Buffer.from(one)), name).toBe(true)
    })
  })
})
