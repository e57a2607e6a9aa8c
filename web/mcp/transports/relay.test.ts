import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { inPage } from '../../../tests/in-page.ts'
import { patient, until } from '../../../tests/patience.ts'
import type { RelayHead, RelayRequest } from '../../../proxy/wire.ts'
import { Session, StreamableHttpTransport, Trace, TransportError, type Frame, type Json } from '../index.ts'
import { relayFetch, type RelayedResponse, type RelayOptions } from './relay.ts'

const ours = () => ({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
const relay = () => relayFetch(ours())
const place = (behaviour: string) => `${inject('hostileUrl')}/h/${behaviour}/${crypto.randomUUID()}`

const begin = async (url: string, options: { fetch?: typeof fetch; headers?: [string, string][] } = {}) => {
  const trace = new Trace()
  const session = new Session({
    trace,
    link: 's1',
    transport: new StreamableHttpTransport({ url, ...options }),
    clientInfo: { name: 'test', version: '0' },
  })
  await session.open()
  return { trace, session }
}

/** The requests the server received: tests/servers/control.ts. */
const seen = async (url: string) => {
  const { origin, pathname } = new URL(url)
  const response = await fetch(`${origin}/control/seen${pathname}`, { method: 'POST', body: '{}' })
  return (await response.json()) as { method: string; headers: Record<string, string> }[]
}

/** The methods of the requests that have a response. */
const responded = (trace: Trace): string[] =>
  [...trace].flatMap((each) => {
    const request = each.kind === 'http' && each.phase === 'response' ? trace.at(each.request) : undefined
    return request?.kind === 'http' && request.phase === 'request' ? [request.method] : []
  })

const failure = async (promise: Promise<unknown>): Promise<TransportError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof TransportError)) throw new Error(`No TransportError, but ${String(error)}`)
  return error
}

/** A proxy that sends these bytes on its stream once a request was posted, chunk by chunk, and then nothing more. */
const sending = (...pieces: Uint8Array[]) => {
  const posted: Uint8Array[] = []
  let events: ReadableStreamDefaultController<Uint8Array> | undefined
  const fetchWith: typeof fetch = async (input, init) => {
    const url = input as string
    if (url.endsWith('/events')) {
      if (events) return new Response(JSON.stringify({ error: { code: 'gone', message: 'Over.' } }), { status: 503 })
      return new Response(new ReadableStream<Uint8Array>({ start: (controller) => void (events = controller) }))
    }
    if (/\/relay\/\d+$/.test(url) && init?.method === 'POST') {
      posted.push(init.body as Uint8Array)
      for (const piece of pieces) events!.enqueue(piece)
      events!.close()
    }
    return new Response(null, { status: 202 })
  }
  return { posted, options: { base: 'http://proxy/', token: 't', fetch: fetchWith } }
}

const answering = (...pieces: Uint8Array[]): typeof fetch => relayFetch(sending(...pieces).options)

const HEAD = 16
let ids = 0

/** A frame of a channel's first request. */
const frame = (letter: string, payload: string | Uint8Array, flags = 0): Uint8Array<ArrayBuffer> => {
  const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload
  const whole = new Uint8Array(HEAD + bytes.length)
  const view = new DataView(whole.buffer)
  view.setUint8(0, letter.charCodeAt(0))
  view.setUint8(1, flags)
  view.setUint32(4, ++ids)
  view.setUint32(8, 1)
  view.setUint32(12, bytes.length)
  whole.set(bytes, HEAD)
  return whole
}

const head = (differing: Partial<RelayHead> = {}): Uint8Array<ArrayBuffer> =>
  frame('H', JSON.stringify({ status: 200, statusText: 'OK', httpVersion: '1.1', headers: [], sent: [], ...differing }))

describe('a server without CORS, through the relay', () => {
  test('is inspected as any other, and the trace names its own address', async () => {
    const url = place('no-cors')
    const { trace, session } = await begin(url, { fetch: relay() })
    expect(await session.request('tools/list', {})).toMatchObject({ tools: [{ name: 't' }] })
    expect(await session.request('tools/call', { name: 't', arguments: {} })).toMatchObject({
      content: [{ text: 'Grüße, 世界 🎈' }],
    })
    // The GET stream opens in the background. A session that is closed before gives it up.
    await until(() => responded(trace).includes('GET'))
    await session.close()
    const requests = [...trace].filter((each) => each.kind === 'http' && each.phase === 'request')
    expect(new Set(requests.map((each: Frame) => 'url' in each && each.url))).toEqual(new Set([url]))
    // A page may not see all headers of another origin; here none is hidden.
    expect([...trace].filter((each) => 'crossOrigin' in each)).toEqual([])
    const told = [...trace].flatMap((each) => (each.kind === 'http' && each.phase === 'response' ? each.headers : []))
    expect(told.map(([name]) => name)).toContain('mcp-session-id')
    expect((await seen(url)).map(({ method }) => method)).toEqual(expect.arrayContaining(['POST', 'GET', 'DELETE']))
    // What a page can't measure.
    const responses = [...trace].filter((each) => each.kind === 'http' && each.phase === 'response')
    const timings = { connect: expect.any(Number), firstByte: expect.any(Number) }
    for (const each of responses) expect(each).toMatchObject({ timings })
  })

  test('is out of reach without it', async ({ skip }) => {
    skip(!inPage, 'Node is not bound by CORS')
    await expect(begin(place('no-cors'))).rejects.toMatchObject({ code: 'unreachable' })
  })

  test('gets what was to be sent, empty values too, and nothing of the page', async () => {
    const url = place('no-cors')
    const { session } = await begin(url, {
      fetch: relay(),
      headers: [
        ['Authorization', 'Bearer t'],
        ['DPoP', 'eyJ'],
        ['Mcp-Param-Region', 'eu'],
        ['Mcp-Param-Empty', ''],
        ['Cookie', 'a=1'],
      ],
    })
    await session.close()
    for (const { headers } of await seen(url)) {
      expect(headers).toMatchObject({
        authorization: 'Bearer t',
        dpop: 'eyJ',
        'mcp-param-region': 'eu',
        'mcp-param-empty': '',
        cookie: 'a=1',
        host: new URL(url).host,
      })
      expect(Object.keys(headers).filter((name) => /^(origin|referer|sec-.*|periscope-.*)$/.test(name))).toEqual([])
    }
  })

  test('TR-HTTP-19: streams that are cut in the middle are resumed, and nothing is lost or comes twice', async () => {
    const url = `${inject('cuttingUrl')}/cut/3/${crypto.randomUUID()}`
    const { trace, session } = await begin(url, { fetch: relay() })
    const args = { name: 'slow-count', arguments: { n: 12, ms: 15 } }
    expect(await session.request('tools/call', args, { idle: patient(20_000) })).toMatchObject({
      content: [{ text: 'counted to 12' }],
    })
    const steps = [...trace].flatMap((each) => {
      const message = each.kind === 'message' && each.direction === 'received' ? each.message : undefined
      const { method, params } = (message ?? {}) as { method?: string; params?: { progress: Json } }
      return method === 'notifications/progress' ? [params!.progress] : []
    })
    expect(steps).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
    // The server cut the stream, and the frame says so: the proxy is still there.
    const cut = [...trace].find((each) => each.kind === 'http' && each.phase === 'failed')
    expect(cut).toMatchObject({ stage: 'body', error: expect.stringMatching(/lost in the middle of the response/) })
    await session.close()
  })

  test('the reference server runs a tool', async () => {
    const { session } = await begin(inject('everythingUrl'), { fetch: relay() })
    expect(await session.request('tools/call', { name: 'echo', arguments: { message: 'hi' } })).toMatchObject({
      content: [{ text: 'Echo: hi' }],
    })
    await session.close()
  })

  test('a stream is read as it comes, and giving up ends it with the reason', async () => {
    const url = place('get-events')
    const { session } = await begin(url, { fetch: relay() })
    const [first] = await seen(url)
    expect(first).toMatchObject({ method: 'POST' })
    const id = (await relay()(url, initialize())).headers.get('mcp-session-id')
    const patience = new AbortController()
    const response = await relay()(url, { headers: { 'mcp-session-id': id! }, signal: patience.signal })
    const reader = response.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('unasked')
    const next = reader.read()
    patience.abort(new TypeError('enough'))
    await expect(next).rejects.toThrow('enough')
    await session.close()
  })

  test('a request that is given up before its answer rejects with the reason, as with any fetch', async () => {
    const patience = new AbortController()
    const asked = relay()(place('get-never'), { signal: patience.signal })
    patience.abort(new TypeError('enough'))
    await expect(asked).rejects.toThrow('enough')
    await expect(relay()(place('get-never'), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})

const initialize = (): RequestInit => ({
  method: 'post',
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
  }),
})

describe('what it takes', () => {
  test('any way to write a request, with what a fetch adds to it', async () => {
    const url = place('no-cors')
    const ask = async (...args: Parameters<typeof fetch>) => {
      const response = (await relay()(...args)) as RelayedResponse
      return {
        response,
        sent: Object.fromEntries(response.relay.sent.map(([name, value]) => [name.toLowerCase(), value])),
      }
    }
    const plain = await ask(new URL(`${url}#part`), initialize())
    expect(plain.response).toMatchObject({ status: 200, ok: true, url, redirected: false })
    expect(plain.response.type).not.toBe('cors')
    expect(plain.sent).toMatchObject({ accept: '*/*', 'content-type': 'application/json' })
    expect(plain.response.relay.remote).toBe(new URL(url).host)
    const bytes = new TextEncoder().encode(initialize().body as string)
    const request = new Request(url, { method: 'POST', body: bytes, headers: { 'X-Of-Request': '1' } })
    expect((await ask(request)).sent).toMatchObject({ 'x-of-request': '1', 'content-length': String(bytes.length) })
    const form = await ask(url, { method: 'PUT', body: new URLSearchParams({ a: 'b c' }) })
    expect(form.response.status).toBe(405)
    expect(form.sent).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' })
    const list = await ask(url, {
      headers: [
        ['X-Twice', '1'],
        ['x-twice', '2'],
      ],
    })
    expect(list.response.relay.sent.slice(-3)).toEqual([
      ['X-Twice', '1'],
      ['x-twice', '2'],
      ['Accept', '*/*'],
    ])
  })
})

describe('what it asks of the proxy', () => {
  const askedFor = async (url: string, certificates?: RelayOptions['certificates']): Promise<RelayRequest> => {
    const { posted, options } = sending(head(), frame('E', '{}'))
    await relayFetch({ ...options, ...(certificates ? { certificates } : {}) })(url)
    const [line] = new TextDecoder().decode(posted[0]).split('\n')
    return JSON.parse(line!) as RelayRequest
  }

  test('to undo what a server packs', async () => {
    expect(await askedFor('https://server/')).toEqual({ method: 'GET', url: 'https://server/', headers: [['Accept', '*/*']], decode: true }) // prettier-ignore
  })

  test('to accept one certificate from the very host and port that the user trusted it for, over https', async () => {
    const [own, auth] = ['0A', '0B'].map((byte) => Array(32).fill(byte).join(':'))
    const certificates = [`server:8443 ${own}`, `auth.server ${auth}`] as const
    const expected = async (url: string) => (await askedFor(url, certificates)).certificate
    expect(await expected('https://server:8443/mcp?a=1#b')).toBe(own)
    expect(await expected('https://SERVER:8443/')).toBe(own)
    expect(await expected('https://auth.server:443/token')).toBe(auth)
    for (const url of [
      'https://server/',
      'https://server:84430/',
      'http://server:8443/',
      'https://a.server:8443/',
      'https://erver:8443/',
    ])
      // prettier-ignore
      expect(await expected(url), url).toBeUndefined()
  })
})

describe('what it gives', () => {
  test('any chunking of the frames gives the same answer', async () => {
    const body = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(body, fc.array(fc.nat(400), { maxLength: 40 }), async (parts, cuts) => {
        const parted = [head({ headers: [['X-A', 'é']] }), ...parts.map((part) => frame('D', part)), frame('E', '{}')]
        const bytes = new Uint8Array(parted.flatMap((part) => [...part]))
        const pieces: Uint8Array[] = []
        let at = 0
        for (const cut of cuts) pieces.push(bytes.slice(at, (at += cut)))
        const response = await answering(...pieces, bytes.slice(at))('http://server/')
        expect(response.headers.get('x-a')).toBe('é')
        expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(parts.flatMap((part) => [...part])))
      }),
    )
  })

  test.each([200, 202, 204, 205, 299, 301, 302, 304, 307, 308, 401, 405, 418, 499, 503, 599, 600, 999])(
    'status %i comes as it is, redirects too',
    async (status) => {
      const headers = [
        ['Location', 'https://elsewhere.example/'],
        ['Set-Cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['WWW-Authenticate', 'Bearer'],
        ['X-Twice', '1'],
        ['X-Twice', '2'],
      ] as const
      const data = status === 204 || status === 304 ? [] : [frame('D', 'text')]
      const relayed = answering(head({ status, statusText: 'Grüße', headers }), ...data, frame('E', '{}'))
      const response = (await relayed('http://server/mcp')) as RelayedResponse
      expect(response).toBeInstanceOf(Response)
      expect(response).toMatchObject({
        status,
        statusText: 'Grüße',
        ok: status < 300,
        redirected: false,
        url: 'http://server/mcp',
        relay: { headers },
      })
      expect(response.headers.get('location')).toBe('https://elsewhere.example/')
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      expect(response.headers.get('x-twice')).toBe('1, 2')
      expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
      expect(await response.text()).toBe(data.length > 0 ? 'text' : '')
    },
  )
})

describe('what goes wrong', () => {
  test('a server that cannot be reached: the cause that a page never learns, and what to do', async () => {
    const refused = await failure(relay()('http://127.0.0.1:1/mcp'))
    expect(refused).toMatchObject({
      code: 'unreachable',
      message: 'Nothing is listening at 127.0.0.1:1.',
      details: { relayCode: 'refused', system: 'ECONNREFUSED', url: 'http://127.0.0.1:1/mcp' },
    })
    expect(refused.details['remedy']).toMatch(/Start the server/)
    expect(await failure(relay()('http://no-such-host.invalid/'))).toMatchObject({
      code: 'unreachable',
      details: { relayCode: 'dns' },
    })
    // The caller that opens the connection receives the error unchanged.
    const opening = begin('http://127.0.0.1:1/mcp', { fetch: relay() })
    expect(await failure(opening)).toMatchObject({ code: 'unreachable', details: { relayCode: 'refused' } })
  })

  test('Rule 12: a redirect is not followed, and where it leads is told', async () => {
    const url = `${inject('erasUrl')}/307-elsewhere/${crypto.randomUUID()}`
    const error = await failure(begin(url, { fetch: relay() }))
    expect(error).toMatchObject({ code: 'http-status', details: { status: 307 } })
    expect(error.details.location).toMatch(/good-both/)
    expect(error.message).toContain('good-both')
  })

  test('a proxy that is gone, or of another launch, is not taken for the server', async () => {
    const gone = relayFetch({ ...ours(), base: 'http://127.0.0.1:1/' })('http://server/')
    expect(await failure(gone)).toMatchObject({ code: 'no-proxy', details: { url: 'http://server/' } })
    const other = relayFetch({ ...ours(), token: 'wrong' })(place('no-cors'))
    expect(await failure(other)).toMatchObject({ code: 'no-proxy', details: { relayCode: 'forbidden' } })
  })

  test('what the relay does not do', async () => {
    for (const [url, relayCode] of [
      [`${inject('proxyUrl')}/api/hello`, 'loop'],
      ['ftp://server/', 'bad-request'],
      ['http://user:password@server/', 'bad-request'],
    ]) {
      expect(await failure(relay()(url!))).toMatchObject({ code: 'proxy-refused', details: { relayCode } })
    }
  })

  test('a body that broke off never looks whole, and says whose doing it was', async () => {
    const server = await answering(
      head(),
      frame('D', 'half'),
      frame('F', '{"code":"cut","message":"Lost.","remedy":"Look.","system":"ECONNRESET"}'),
    )('http://server/')
    expect(await failure(server.text())).toMatchObject({
      code: 'stream-lost',
      message: 'Lost.',
      details: { relayCode: 'cut', remedy: 'Look.', system: 'ECONNRESET' },
    })
    for (const rest of [[], [frame('D', 'half')], [frame('D', 'half').slice(0, 18)], [frame('E', '{}').slice(0, 3)]]) {
      const proxy = await answering(head(), ...rest)('http://server/')
      expect(await failure(proxy.text())).toMatchObject({ code: 'proxy-lost' })
    }
  })

  test.each<[string, Uint8Array[]]>([
    ['a page', [new TextEncoder().encode('<!doctype html><title>Welcome</title>')]],
    ['nothing', []],
    ['a head that is no JSON', [frame('H', 'x')]],
    ['a body first', [frame('D', 'x')]],
    ['a head without an end', [new Uint8Array(HEAD).fill(0xff)]],
    ['a head that goes on as a body', [frame('H', '{', 1), frame('E', '}')]],
    ['a frame of no known type', [frame('?', '{}')]],
  ])('what answers with %s is no relay', async (_, pieces) => {
    expect(await failure(answering(...pieces)('http://server/'))).toMatchObject({ code: 'proxy-lost' })
  })
})
