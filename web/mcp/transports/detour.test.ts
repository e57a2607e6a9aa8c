import { describe, expect, inject, test } from 'vitest'
import {
  Detour,
  relayFetch,
  Session,
  StreamableHttpTransport,
  Trace,
  type Frame,
  type RefusedByBrowser,
} from '../index.ts'
import { isRepeatable } from './detour.ts'

const relayed = () => relayFetch({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })

/** A browser that refuses requests to other origins, before or after it sent them. */
const browser = (refuses: (method: string, body: string) => boolean): typeof fetch => {
  return async (input, init) => {
    if (refuses(init?.method ?? 'GET', typeof init?.body === 'string' ? init.body : ''))
      throw new TypeError('Failed to fetch')
    return await fetch(input, init)
  }
}

const begin = async (url: string, direct: typeof fetch, way: typeof fetch = relayed(), silent?: AbortSignal) => {
  const refused: RefusedByBrowser[] = []
  const trace = new Trace()
  const detour = new Detour(way, (request) => void refused.push(request), silent)
  const session = new Session({
    trace,
    link: 's1',
    transport: new StreamableHttpTransport({ url, fetch: direct, detour }),
    clientInfo: { name: 'test', version: '0' },
    remembered: 'handshake',
  })
  await session.open()
  return { trace, session, refused, detour }
}

const requests = (trace: Trace) =>
  [...trace].filter(
    (frame): frame is Frame & { kind: 'http'; phase: 'request' } => frame.kind === 'http' && frame.phase === 'request',
  )

describe('a server that the browser refuses', () => {
  test('is reached through the proxy: one message, two requests, and no further attempt to go there directly', async () => {
    const { trace, session, refused, detour } = await begin(
      inject('everythingUrl'),
      browser(() => true),
    )
    await session.request('tools/list', {})
    await session.close()
    expect(detour.taken).toBe(true)
    expect(refused).toMatchObject([
      { url: inject('everythingUrl'), method: 'POST', headers: ['content-type', 'accept'] },
    ])
    const all = requests(trace)
    const [first, second] = all
    expect([first?.relayed, second?.relayed, second?.again]).toEqual([undefined, true, first!.seq])
    expect(all.filter((request) => !request.relayed)).toHaveLength(1)
    const initializes = [...trace].filter(
      (frame) =>
        frame.kind === 'message' &&
        frame.direction === 'sent' &&
        JSON.stringify(frame.message).includes('"initialize"'),
    )
    expect(initializes).toHaveLength(1)
  })

  test('a call is never sent twice, because the browser may have sent it and hidden the response', async () => {
    const { trace, session, detour } = await begin(
      inject('everythingUrl'),
      browser((_, body) => body.includes('tools/call')),
    )
    const call = session.request('tools/call', { name: 'echo', arguments: { message: 'once' } })
    await expect(call).rejects.toMatchObject({ code: 'unreachable' })
    expect(detour.taken).toBe(false)
    expect(requests(trace).some((request) => request.relayed)).toBe(false)
    await session.close()
  })

  test('and that the proxy can’t reach either: its cause counts, which a browser never tells', async () => {
    const opened = begin(
      'http://127.0.0.1:9/mcp',
      browser(() => true),
    )
    await expect(opened).rejects.toMatchObject({ code: 'unreachable', details: { relayCode: 'refused' } })
  })

  test('without a proxy: the failure is that of the browser', async () => {
    const gone = relayFetch({ base: 'http://127.0.0.1:9/', token: 'x' })
    const opened = begin(
      inject('everythingUrl'),
      browser(() => true),
      gone,
    )
    await expect(opened).rejects.toMatchObject({ code: 'unreachable', details: { error: 'Failed to fetch' } })
  })
})

/** A browser that waits for the response to OPTIONS, until the request is given up or `allowed` resolves. */
const waiting = (waits: (body: string) => boolean, onWait: () => void, allowed: Promise<void>): typeof fetch => {
  return async (input, init) => {
    if (!waits(typeof init?.body === 'string' ? init.body : '')) return await fetch(input, init)
    init?.signal?.throwIfAborted()
    const given = new Promise<never>((_, reject) =>
      init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
    )
    onWait()
    await Promise.race([given, allowed])
    return await fetch(input, init)
  }
}

describe('a direct way that stays silent', () => {
  test('is given up for the proxy, with the message once in the trace and the reason next to it', async () => {
    const silent = new AbortController()
    const direct = waiting(
      () => true,
      () => silent.abort(),
      new Promise<void>(() => {}),
    )
    const { trace, session, detour } = await begin(inject('everythingUrl'), direct, relayed(), silent.signal)
    await session.close()
    expect(detour.taken).toBe(true)
    const [first, second] = requests(trace)
    expect([first?.relayed, second?.relayed, second?.again]).toEqual([undefined, true, first!.seq])
    const failed = [...trace].find((frame) => frame.kind === 'http' && frame.phase === 'failed')
    const aborted = 'The server responds, but not to OPTIONS, which the browser sends first'
    expect(failed).toMatchObject({ request: first!.seq, aborted })
  })

  test('is given up at once by a request that begins when its silence is known', async () => {
    const silent = new AbortController()
    const direct = waiting(
      (body) => body.includes('tools/list'),
      () => {},
      new Promise<void>(() => {}),
    )
    const { trace, session, detour } = await begin(inject('everythingUrl'), direct, relayed(), silent.signal)
    const posts = () => requests(trace).filter(({ method }) => method === 'POST')
    const before = posts().length
    silent.abort()
    await expect(session.request('tools/list', {})).resolves.toHaveProperty('tools')
    expect(detour.taken).toBe(true)
    const [first, second, ...others] = posts().slice(before)
    expect([first?.relayed, second?.relayed, second?.again]).toEqual([undefined, true, first!.seq])
    expect(others).toEqual([])
    await session.close()
  })

  test('is kept for a call, which goes out once', async () => {
    const silent = new AbortController()
    let [waits, allow] = [() => {}, () => {}]
    const isWaiting = new Promise<void>((resolve) => (waits = resolve))
    const isAllowed = new Promise<void>((resolve) => (allow = resolve))
    const direct = waiting((body) => body.includes('tools/call'), () => waits(), isAllowed) // prettier-ignore
    const { trace, session } = await begin(inject('everythingUrl'), direct, relayed(), silent.signal)
    const call = session.request('tools/call', { name: 'echo', arguments: { message: 'once' } })
    await isWaiting
    silent.abort()
    allow()
    await expect(call).resolves.toMatchObject({ content: [{ type: 'text' }] })
    // The event stream may have been waiting as well, and may be opened twice.
    expect(requests(trace).filter(({ method, relayed }) => method === 'POST' && relayed)).toEqual([])
    await session.close()
  })
})

test('what may be repeated: what reads or announces, and never what may have an effect', () => {
  const asks = (...methods: string[]) => JSON.stringify(methods.map((method, id) => ({ jsonrpc: '2.0', id, method })))
  expect(isRepeatable('POST', asks('tools/list', 'ping'))).toBe(true)
  expect(isRepeatable('POST', asks('tools/list', 'tools/call'))).toBe(false)
  expect(isRepeatable('POST', JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }))).toBe(false)
  for (const body of ['[]', '{', '"tools/list"', asks('x/unknown')]) expect(isRepeatable('POST', body)).toBe(false)
  expect([isRepeatable('GET', undefined), isRepeatable('DELETE', undefined), isRepeatable('POST', undefined)]).toEqual([
    true,
    true,
    false,
  ])
})
