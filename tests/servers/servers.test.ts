/** The test servers behave as described: each fault is observed with fetch and spawn only, without any of our code. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { control } from './control.ts'
import { start as startCutting, type CuttingPeer } from './cutting.ts'
import { start as startHostile, type HostilePeer } from './hostile/index.ts'

let cutting: CuttingPeer
let hostile: HostilePeer
beforeAll(async () => void ([cutting, hostile] = await Promise.all([startCutting(), startHostile()])))
afterAll(() => Promise.all([cutting.close(), hostile.close()]))

const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
}
const CALL_T = { id: 1, method: 'tools/call', params: { name: 't' } }

type Headers = Record<string, string>

const post = (url: string, message: object, headers: Headers = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })

const get = (url: string, headers: Headers, signal?: AbortSignal): Promise<Response> =>
  fetch(url, { headers: { Accept: 'text/event-stream', ...headers }, signal })

/** The header of a new session. */
const begin = async (url: string): Promise<Headers> => {
  const response = await post(url, INITIALIZE)
  const session = {
    'Mcp-Session-Id': response.headers.get('mcp-session-id') ?? '',
    // Without it, the SDK assumes an older client and sends no priming events.
    'MCP-Protocol-Version': '2025-11-25',
  }
  // This stream is cut like any other; the session stays open anyway.
  await read(response)
  await post(url, { method: 'notifications/initialized' }, session)
  return session
}

/** All bytes until the stream ends or breaks. */
const read = async (response: Response): Promise<{ text: string; broken: boolean }> => {
  const reader = response.body!.getReader()
  const chunks: Uint8Array[] = []
  const text = () => Buffer.concat(chunks).toString()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { text: text(), broken: false }
      chunks.push(value)
    }
  } catch {
    return { text: text(), broken: true }
  }
}

interface Event {
  readonly id: string | undefined
  readonly data: string
}

/** The usable part of a stream: complete events. */
const eventsOf = (text: string): Event[] =>
  (text.match(/[\s\S]*?\n\n/g) ?? []).flatMap((block) => {
    const data = /^data: ?(.*)$/m.exec(block)?.[1]
    return data === undefined ? [] : [{ id: /^id: (.*)$/m.exec(block)?.[1], data }]
  })

const messages = (events: Event[]) => events.flatMap(({ data }) => (data === '' ? [] : [JSON.parse(data) as unknown]))

const count = (n: number) => ({
  id: 1,
  method: 'tools/call',
  params: { name: 'slow-count', arguments: { n, ms: 2 }, _meta: { progressToken: 7 } },
})

/** Resumes repeatedly, always after the last complete event, until the response arrives. */
const resumeByHand = async (url: string, session: Headers, first: Event[]): Promise<{ all: Event[]; gets: number }> => {
  const all = [...first]
  let gets = 0
  while (!all.at(-1)!.data.includes('"result"')) {
    const response = await get(url, { ...session, 'Last-Event-ID': all.at(-1)!.id! })
    expect(response.status).toBe(200)
    gets++
    // The stream of a replayed response stays open, so stop reading there.
    const reader = response.body!.getReader()
    let text = ''
    while (!/"result".*\n\n/.test(text)) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      if (done) break
      text += Buffer.from(value!).toString('latin1')
    }
    await reader.cancel().catch(() => {})
    const events = eventsOf(Buffer.from(text, 'latin1').toString())
    expect(events.length).toBeGreaterThan(0)
    all.push(...events)
  }
  return { all, gets }
}

describe('the server that is cut', () => {
  test.each(['cut', 'between'])(
    'a naive reader of /%s loses the answer; a resume by hand gets exactly the rest',
    async (how) => {
      const wholeUrl = `${cutting.url}/whole/${how}`
      const whole = await read(await post(wholeUrl, count(8), await begin(wholeUrl)))
      expect(whole.broken).toBe(false)
      const wanted = messages(eventsOf(whole.text))
      // A progress and a log message per step, and the response.
      expect(wanted).toHaveLength(17)

      const url = `${cutting.url}/${how}/3/naive`
      const session = await begin(url)
      const { text, broken } = await read(await post(url, count(8), session))
      const first = eventsOf(text)
      expect(broken).toBe(true)
      expect(first).toHaveLength(3)
      expect(first[0]).toMatchObject({ data: '', id: expect.any(String) })
      expect(text.endsWith('\n\n')).toBe(how === 'between')
      expect(text).not.toContain('"result"')

      const { all, gets } = await resumeByHand(url, session, first)
      expect(messages(all)).toEqual(wanted)
      expect(gets).toBeGreaterThanOrEqual(5)
      const { requests, cuts } = await control<ReturnType<CuttingPeer['seen']>>(url, 'seen')
      expect(requests.filter(({ headers }) => headers['last-event-id'] !== undefined)).toHaveLength(gets)
      expect(cuts).toBeGreaterThanOrEqual(5)
    },
  )

  test('the GET stream is cut too, and numbered notifications wait for who comes back', async () => {
    const url = `${cutting.url}/whole/standing`
    const session = await begin(url)
    await control(url, 'cut-after', { events: 2 })
    // Read before it breaks: a broken stream loses what wasn't read.
    const standing = read(await get(url, session))
    expect(await control(url, 'notify', { n: 3 })).toEqual({ first: 1, last: 3 })
    const { text, broken } = await standing
    expect(broken).toBe(true)
    expect(await control(url, 'notify', { n: 2 })).toEqual({ first: 4, last: 5 })
    const numbers = (events: Event[]) =>
      messages(events).map((message) => (message as { params: { data: number } }).params.data)
    const first = eventsOf(text)
    expect(numbers(first)).toEqual([1, 2])
    const second = eventsOf((await read(await get(url, { ...session, 'Last-Event-ID': first.at(-1)!.id! }))).text)
    expect(numbers(second)).toEqual([3, 4])
    await control(url, 'cut-after', {})
    const third = await get(url, { ...session, 'Last-Event-ID': second.at(-1)!.id! })
    const rest = read(third)
    expect(await control(url, 'cut-now')).toBe(1)
    expect(numbers(eventsOf((await rest).text))).toEqual([5])
  })

  test('asks the client to reconnect: priming event, retry, a stream that ends cleanly without the response', async () => {
    const url = `${cutting.url}/poll/120/x`
    const session = await begin(url)
    const { text, broken } = await read(await post(url, count(5), session))
    expect(broken).toBe(false)
    expect(text).toMatch(/^id: \d+\nretry: 120\ndata: \n\n/)
    expect(text).not.toContain('"result"')
    const { all } = await resumeByHand(url, session, eventsOf(text))
    expect(messages(all)).toHaveLength(11)
  })

  test('big answers with exactly so many bytes; places are apart, and reset forgets one', async () => {
    const [one, two] = [`${cutting.url}/whole/1`, `${cutting.url}/whole/2`]
    const [sessionOne, sessionTwo] = [await begin(one), await begin(two)]
    const big = { id: 1, method: 'tools/call', params: { name: 'big', arguments: { n: 100_001 } } }
    const [answer] = messages(eventsOf((await read(await post(one, big, sessionOne))).text))
    const { content } = (answer as { result: { content: { text: string }[] } }).result
    expect(Buffer.byteLength(content[0]!.text)).toBe(100_001)
    expect((await post(two, big, sessionOne)).status).toBe(404)
    await control(one, 'reset')
    expect((await post(one, big, sessionOne)).status).toBe(404)
    expect((await post(two, big, sessionTwo)).status).toBe(200)
    await expect(control(one, 'no-such')).rejects.toThrow('cut-after')
  })
})

describe('the hostile server', () => {
  const callIn = async (name: string, key = 'raw'): Promise<Response> => {
    const url = `${hostile.url}/h/${name}/${key}`
    return await post(url, CALL_T, await begin(url))
  }

  /** The chunks of the response as the server wrote them: `fetch` joins those that it reads late. */
  const chunksIn = async (name: string): Promise<readonly Buffer[]> => {
    const url = `${hostile.url}/h/${name}/raw`
    const headers = { 'Content-Type': 'application/json', ...(await begin(url)) }
    return await new Promise((resolve, reject) => {
      const asked = request(url, { method: 'POST', headers, agent: false }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('end', () => resolve(chunks))
        response.once('error', reject)
      })
      asked.once('error', reject)
      asked.end(JSON.stringify({ jsonrpc: '2.0', ...CALL_T }))
    })
  }

  test.each<[string, number, string | null, RegExp]>([
    ['good', 200, 'application/json', /^\{"jsonrpc":"2.0","id":1,"result"/],
    ['bad-json', 200, 'application/json', /^\{"jsonrpc":"2.0","id":$/],
    ['wrong-id', 200, 'application/json', /"id":1001,/],
    ['null-id', 200, 'application/json', /"id":null,"result"/],
    ['no-id', 200, 'application/json', /^\{"jsonrpc":"2.0","result"/],
    ['id-as-string', 200, 'application/json', /"id":"1"/],
    ['answer-twice', 200, 'text/event-stream', /^(data: .*"id":1,"result".*\n\n){2}$/],
    ['html', 200, 'text/html', /<!doctype/],
    ['html-404', 404, 'text/html', /<h1>/],
    ['500-text', 500, 'text/plain', /overflow/],
    ['error-id-null', 400, 'application/json', /"id":null,"error"/],
    ['202-for-request', 202, null, /^$/],
    ['json-no-content-type', 200, null, /"result"/],
    ['sse-wrong-case-content-type', 200, 'Text/Event-Stream; charset=UTF-8', /^data: /],
    ['batch-answer', 200, 'application/json', /^\[\{.*\}\]$/],
    ['both-result-and-error', 200, 'application/json', /"result":.*"error":/],
    [
      'one-byte-chunks',
      200,
      'text/event-stream',
      /^\uFEFF: hello\r\rdata: [^\r\n]+\r\rdata: [^\r\n]+世界[^\r\n]+\r\n\r\n$/,
    ],
    ['retry-huge', 200, 'text/event-stream', /^retry: 4294967296\nid: e-1\ndata: \n\n$/],
    ['progress-decreasing', 200, 'text/event-stream', /"progress":3\}[^]*"progress":2\}[^]*"progress":1\}[^]*"result"/],
  ])('%s answers with %i, %s and that body', async (name, status, type, body) => {
    const response = await callIn(name)
    // Decoded explicitly, because `text()` would remove the BOM.
    const { text, broken } = await read(response)
    expect([response.status, response.headers.get('content-type'), broken]).toEqual([status, type, false])
    expect(text).toMatch(body)
  })

  test.each(['cut-no-ids', 'priming-empty'])('%s breaks the connection before the answer', async (name) => {
    const { text, broken } = await read(await callIn(name))
    expect(broken).toBe(true)
    expect(/^id:/m.test(text)).toBe(name === 'priming-empty')
    expect(text).not.toContain('"result"')
  })

  test.each(['priming-empty', 'retry-short', 'retry-huge'])('the resume of %s has the answer', async (name) => {
    const url = `${hostile.url}/h/${name}/resume`
    const session = await begin(url)
    await read(await post(url, CALL_T, session))
    const resumed = await get(url, { ...session, 'Last-Event-ID': 'e-1' })
    expect(messages(eventsOf((await read(resumed)).text))).toMatchObject([{ id: 1, result: {} }])
  })

  test('chunks and floods are as large as they say', async () => {
    const [value] = await chunksIn('split-utf8')
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(value)).toThrow()
    expect(Buffer.byteLength((await read(await callIn('huge-line'))).text)).toBeGreaterThan(20_000_000)
    for (const [name, events] of [
      ['progress-flood', 10_001],
      ['burst-20000', 20_001],
    ] as const)
      expect(eventsOf((await read(await callIn(name))).text)).toHaveLength(events)
  })

  test('session-404-once and session-400 end the session once, and a new one is well', async () => {
    for (const [name, status] of [
      ['session-404-once', 404],
      ['session-400', 400],
    ] as const) {
      const url = `${hostile.url}/h/${name}/raw`
      const old = await begin(url)
      expect((await post(url, CALL_T, old)).status).toBe(status)
      expect((await post(url, CALL_T, old)).status).toBe(404)
      expect((await post(url, CALL_T, await begin(url))).status).toBe(200)
    }
  })

  test('pages may read the session id, except where the fault is that they may not', async () => {
    const preflight = async (name: string) => {
      const { status, headers } = await fetch(`${hostile.url}/h/${name}`, {
        method: 'OPTIONS',
        headers: { 'Access-Control-Request-Headers': 'last-event-id, x-own' },
      })
      return [status, headers.get('access-control-allow-headers')]
    }
    const exposed = async (name: string) => {
      const { headers } = await post(`${hostile.url}/h/${name}/cors`, INITIALIZE)
      return [headers.get('access-control-allow-origin'), headers.get('access-control-expose-headers')]
    }
    expect(await preflight('good')).toEqual([204, 'last-event-id, x-own'])
    expect(await exposed('good')).toEqual(['*', expect.stringContaining('Mcp-Session-Id')])
    expect(await exposed('hidden-session')).toEqual(['*', null])
    expect(await preflight('no-cors')).toEqual([404, null])
    expect(await exposed('no-cors')).toEqual([null, null])
  })

  test('the server’s questions wait for their answers, and seen shows them; a name written wrong is refused', async () => {
    const url = `${hostile.url}/h/server-request-in-stream/asked`
    const session = await begin(url)
    const call = await post(url, CALL_T, session)
    for (const id of ['s0', 's1', 's2']) expect((await post(url, { id, result: {} }, session)).status).toBe(202)
    expect(messages(eventsOf((await read(call)).text))).toMatchObject([
      { id: 's0', method: 'ping' },
      { id: 's1', method: 'roots/list' },
      { id: 's2', method: 'no/such/method' },
      { id: 1, result: {} },
    ])
    const seen = await control<ReturnType<HostilePeer['seen']>>(url, 'seen')
    expect(seen.map(({ message }) => (message as { id?: unknown }).id)).toEqual([0, undefined, 1, 's0', 's1', 's2'])
    expect((await post(`${hostile.url}/h/no-such-fault`, INITIALIZE)).status).toBe(404)
  })

  test('pages of tools end, or never do', async () => {
    const listIn = async (name: string, limit: number) => {
      const url = `${hostile.url}/h/${name}/raw`
      const session = await begin(url)
      const pages: { tools: unknown[]; nextCursor?: string }[] = []
      do {
        const cursor = pages.at(-1)?.nextCursor
        const response = await post(url, { id: 2, method: 'tools/list', params: { cursor } }, session)
        pages.push(((await response.json()) as { result: (typeof pages)[number] }).result)
      } while (pages.at(-1)!.nextCursor !== undefined && pages.length < limit)
      return pages
    }
    expect((await listIn('paged', 5)).map(({ tools, nextCursor }) => [tools.length, nextCursor])).toEqual([
      [3, ''],
      [3, 'last'],
      [3, undefined],
    ])
    expect(new Set((await listIn('endless-cursor', 5)).map(({ nextCursor }) => nextCursor))).toEqual(
      new Set(['the-same']),
    )
    expect((await listIn('many-tools', 5)).map(({ tools }) => tools.length)).toEqual([1083])
    const [odd] = await listIn('odd-tools', 5)
    const descriptions = odd!.tools.map((tool) => (tool as { description?: string } | null)?.description?.length ?? 0)
    expect(Math.max(...descriptions)).toBeGreaterThan(34_000)
  })

  test('close ends what would never end', async () => {
    const peer = await startHostile()
    const at = (name: string) => `${peer.url}/h/${name}`
    const [endless, silent, listening] = await Promise.all(
      ['endless-stream', 'no-first-event', 'get-events'].map(at).map(begin),
    )
    const streams = await Promise.all([
      post(at('endless-stream'), CALL_T, endless),
      post(at('no-first-event'), CALL_T, silent),
      get(at('get-events'), listening!),
    ])
    const silence = [
      post(at('init-never'), INITIALIZE),
      get(at('get-never'), {}),
      fetch(at('delete-never'), { method: 'DELETE' }),
    ]
    const broken = Promise.all(silence.map((response) => response.then(() => false).catch(() => true)))
    const texts = Promise.all(streams.map(read))
    const arrived = () =>
      ['init-never', 'get-never', 'delete-never'].every((name) => peer.seen(`/h/${name}`).length > 0)
    while (!arrived()) await new Promise((resolve) => setTimeout(resolve, 5))
    await peer.close()
    expect(await broken).toEqual([true, true, true])
    const [flow, nothing, one] = await texts
    expect(eventsOf(flow!.text).length).toBeGreaterThanOrEqual(100)
    expect(nothing).toEqual({ text: '', broken: true })
    expect(eventsOf(one!.text)).toHaveLength(1)
  })
})

describe('the reference server', () => {
  test('sends CORS headers itself: any request header allowed, the session ID exposed', async () => {
    const url = inject('everythingUrl')
    const headers = { Origin: 'http://a.test', 'Access-Control-Request-Headers': 'mcp-protocol-version,last-event-id' }
    const preflight = await fetch(url, { method: 'OPTIONS', headers })
    expect(preflight.headers.get('access-control-allow-headers')).toBe('mcp-protocol-version,last-event-id')
    const response = await post(url, INITIALIZE, { Origin: 'http://a.test' })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-expose-headers')).toContain('mcp-session-id')
    await response.body?.cancel()
  })
})
