/** HTTP+SSE of 2024-11-05, against the official SDK v1 and servers with one oddity each (tests/servers/sse). */
import { describe, expect, inject, test } from 'vitest'
import { patient } from '../../../tests/patience.ts'
import { exchanges, foldAll, HttpSseTransport, Session, Trace } from '../index.ts'
import type { HttpSseOptions, JsonObject, SessionOptions } from '../index.ts'

const begin = (url: string, options: Partial<HttpSseOptions> = {}, more: Partial<SessionOptions> = {}) => {
  const trace = new Trace()
  const transport = new HttpSseTransport({ url, ...options })
  const clientInfo = { name: 'test', version: '0' }
  const session = new Session({ trace, link: 's1', transport, clientInfo, ...more })
  const requests = () =>
    [...trace].flatMap((frame) => (frame.kind === 'http' && frame.phase === 'request' ? [frame] : []))
  return { trace, session, requests }
}

const variant = (name: string) => `${inject('sseVariantsUrl')}/${name}/${crypto.randomUUID()}/sse`

const opened = async (name: string, options?: Partial<HttpSseOptions>, more?: Partial<SessionOptions>) => {
  const pair = begin(variant(name), options, more)
  await pair.session.open()
  return pair
}

/** Every variant has a tool that returns text. */
const call = async (session: Session): Promise<JsonObject> => {
  const { tools } = await session.request('tools/list')
  const [tool] = tools as unknown as { name: string }[]
  return await session.request(
    'tools/call',
    { name: tool!.name, arguments: { text: 'Grüße, 世界' } },
    { idle: patient(20_000) },
  )
}

describe('where messages go', () => {
  test.each([
    'rooted',
    'relative',
    'absolute',
    'query',
    'late-endpoint',
    'two-endpoints',
    'unnamed-events',
    'crlf-bom',
  ])('TR-SSE-01, TR-SSE-02, TR-SSE-03: %s is understood', async (name) => {
    const { session, requests } = await opened(name)
    await expect(call(session)).resolves.toHaveProperty('content')
    expect(requests()[0]).toMatchObject({ method: 'GET', purpose: 'listen' })
    expect(
      requests()
        .slice(1)
        .every(({ method }) => method === 'POST'),
    ).toBe(true)
    await session.close()
  })

  test.each(['other-origin', 'other-host', 'script-url'])(
    'TR-SSE-03: %s gets nothing, and the failure names it',
    async (name) => {
      const { session, requests } = begin(variant(name))
      await expect(session.open()).rejects.toMatchObject({ code: 'not-mcp', details: { foreignEndpoint: true } })
      expect(requests()).toHaveLength(1)
    },
  )

  test('TR-SSE-03: unless the user says so', async () => {
    const { session } = await opened('other-host', { foreignEndpoint: true })
    await expect(call(session)).resolves.toHaveProperty('content')
    await session.close()
  })

  test.each(['empty-endpoint', 'no-endpoint', 'json-endpoint'])(
    '%s ends in a limit or a clear refusal',
    async (name) => {
      const { session } = begin(variant(name), { limits: { endpoint: 300 } })
      const failed = (await session.open().catch((error: unknown) => error)) as { code: string }
      expect(['timeout', 'not-mcp', 'http-status', 'bad-handshake']).toContain(failed.code)
    },
  )

  test.each([
    ['get-html', 'not-mcp'],
    ['get-500', 'http-status'],
  ])('%s is told as %s', async (name, code) => {
    await expect(begin(variant(name)).session.open()).rejects.toMatchObject({ code })
  })
})

describe('messages', () => {
  test.each(['message-202-body', 'stream-first', 'message-both', 'rooted'])(
    'TR-SSE-02: %s: the answer is what comes on the stream',
    async (name) => {
      const { session, trace } = await opened(name)
      await expect(call(session)).resolves.toHaveProperty('content')
      await session.close()
      expect(foldAll(exchanges, trace).pending).toBe(0)
    },
  )

  test('a refused POST ends its call, and the session goes on', async () => {
    const pair = begin(variant('message-400'))
    await expect(pair.session.open()).rejects.toMatchObject({ code: 'http-status', details: { status: 400 } })
  })

  test('BP-13: the server’s questions on the stream get answers on their own POSTs', async () => {
    const { session, trace } = await opened('asks-back', {}, { answers: { 'roots/list': () => ({ roots: [] }) } })
    await expect(call(session)).resolves.toHaveProperty('content')
    const asked = foldAll(exchanges, trace).all.filter(({ direction }) => direction === 'received')
    expect(asked.map(({ method, status }) => [method, status])).toEqual([
      ['ping', 'ok'],
      ['roots/list', 'ok'],
    ])
    await session.close()
  })

  test('TR-HDR-01: later revisions over this transport name themselves from then on', async () => {
    const { session, requests } = begin(inject('sseUrl'))
    const { revision } = await session.open()
    await session.request('tools/list')
    expect(Object.fromEntries(requests().at(-1)!.headers)).toMatchObject({ 'mcp-protocol-version': revision })
    await session.close()
  })
})

describe('the stream is the connection', () => {
  test.each(['cut', 'ends'])('TR-SSE-04: when it %ss, the session is over and says so', async (name) => {
    const { session, trace } = await opened(name)
    await expect(call(session)).rejects.toMatchObject({ code: 'stream-lost' })
    expect(session.state).toBe('closed')
    expect([...trace].at(-1)).toBeDefined()
    expect(
      [...trace].some((frame) => frame.kind === 'session' && frame.phase === 'closed' && frame.code === 'stream-lost'),
    ).toBe(true)
    expect([...trace].some((frame) => frame.kind === 'stream' && frame.event === 'resume')).toBe(false)
  })

  test('LC-15: closing it is all there is to closing', async () => {
    const { session, requests, trace } = await opened('rooted')
    await session.close()
    expect(requests().some(({ method }) => method === 'DELETE')).toBe(false)
    expect([...trace].at(-1)).toMatchObject({ kind: 'session', phase: 'closed', why: 'ended' })
  })
})
