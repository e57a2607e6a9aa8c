import { beforeEach, describe, expect, inject, test } from 'vitest'
import { inPage } from '../../../tests/in-page.ts'
import { patient, until } from '../../../tests/patience.ts'
import { exchanges, foldAll, Session, StreamableHttpTransport, Trace } from '../index.ts'
import type { Frame, FrameOf, Json, JsonObject, StreamableHttpOptions } from '../index.ts'
import { unusableResponse } from './unusable-response.ts'

/** Each test connects to a server that misbehaves in one way: see tests/servers/hostile. */
const begin = (behaviour: string, options: Partial<StreamableHttpOptions> = {}) => {
  const trace = new Trace()
  const transport = new StreamableHttpTransport({
    url: `${inject('hostileUrl')}/h/${behaviour}/${crypto.randomUUID()}`,
    ...options,
  })
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '0' },
    remembered: 'handshake',
  })
  return { trace, session }
}

const opened = async (behaviour: string, options?: Partial<StreamableHttpOptions>) => {
  const pair = begin(behaviour, options)
  await pair.session.open()
  return pair
}

const call = (session: Session, limits = { idle: patient(20_000) }) =>
  session.request('tools/call', { name: 't', arguments: {} }, limits)

const textOf = (result: JsonObject): string => (result.content as unknown as { text: string }[])[0]!.text

const httpFrames = (trace: Trace) =>
  [...trace].filter((frame: Frame): frame is FrameOf<'http'> => frame.kind === 'http')
const requests = (trace: Trace) => httpFrames(trace).flatMap((frame) => (frame.phase === 'request' ? [frame] : []))
const findings = (trace: Trace) =>
  [...trace].flatMap((frame) => (frame.kind === 'message' ? (frame.findings ?? []) : []).map(({ rule }) => rule))

describe('answers that are wrong', () => {
  test.each([
    ['bad-json', 'stream-lost'],
    ['wrong-id', 'stream-lost'],
    ['html', 'not-mcp'],
    ['html-404', 'http-status'],
    ['500-text', 'http-status'],
  ])('%s ends the call with %s, and the session goes on', async (behaviour, code) => {
    const { session } = await opened(behaviour)
    await expect(call(session)).rejects.toMatchObject({ name: 'TransportError', code })
    expect(session.state).toBe('open')
    await session.close()
  })

  test.each([
    ['bad-json', { fault: 'cut-json' }, /^The response to request \d+ isn't JSON: Not JSON: /],
    ['wrong-id', { fault: 'other-id' }, /has the id 10\d\d$/],
    // Only errors may come without the id (BP-08), so waiting for another response would last until the limit.
    ['null-id', { fault: 'other-id' }, /has the id null$/],
    ['no-id', { fault: 'no-response' }, /contains no response with that id$/],
  ])('%s says what arrived in place of the response', async (behaviour, details, message) => {
    const { session } = await opened(behaviour)
    await expect(call(session)).rejects.toMatchObject({ details, message: expect.stringMatching(message) })
    await session.close()
  })

  test('the response to another request of the same batch is not taken for a wrong id', () => {
    const received = { seq: 0, type: 'batch', findings: [], size: 0 } as const
    const message: Json = [{ jsonrpc: '2.0', id: 1, result: {} }]
    expect(unusableResponse({ ...received, message }, 2, [1, 2]).details).toEqual({ fault: 'no-response' })
    expect(unusableResponse({ ...received, message }, 2, [2]).details).toEqual({ fault: 'other-id', asked: '2', found: '1' }) // prettier-ignore
  })

  test('truncated JSON and invalid JSON are reported as different faults', () => {
    const received = { seq: 0, type: 'invalid', findings: [], size: 9 } as const
    const faultOf = (text: string) => unusableResponse(received, 2, [2], text).details
    expect(faultOf('{"a":"Köl')).toEqual({ fault: 'cut-json', size: 9, wide: true })
    expect(faultOf('{"a":[1,{"b":"}"')).toEqual({ fault: 'cut-json', size: 9, wide: false })
    for (const whole of ['{"a":1}\n<!-- cache -->', "{'a':1}", '{"a":"\\""}}', ''])
      expect(faultOf(whole)).toEqual({ fault: 'invalid-json' })
  })

  test('JSON of another kind is named as such', () => {
    const received = { seq: 0, type: 'invalid', findings: [], size: 0 } as const
    for (const message of [{ status: 'ok' }, [], [1], 'ok', null])
      expect(unusableResponse({ ...received, message }, 2, [2]).details).toEqual({ fault: 'not-json-rpc' })
    expect(unusableResponse({ ...received, message: { jsonrpc: '2.0', method: 'x' } }, 2, [2]).details).toEqual({ fault: 'no-response' }) // prettier-ignore
  })

  test('BP-06: an id that comes back as a string is accepted, and its exchange is complete', async () => {
    const { session, trace } = await opened('id-as-string')
    await expect(call(session)).resolves.toMatchObject({ content: expect.anything() })
    expect(foldAll(exchanges, trace)).toMatchObject({ pending: 0, orphans: new Map() })
    await session.close()
  })

  test('BP-07: a result with `"error": null` is a result', async () => {
    const { session, trace } = await opened('error-null')
    await expect(call(session)).resolves.toMatchObject({ content: expect.anything() })
    expect([...trace].flatMap((frame) => (frame.kind === 'message' ? (frame.findings ?? []) : []))).toContainEqual(
      expect.objectContaining({ rule: 'BP-07' }),
    )
    await session.close()
  })

  test('BP-08: an error that lost its id is the answer to what was posted', async () => {
    const { session, trace } = await opened('error-id-null')
    await expect(call(session)).rejects.toMatchObject({ name: 'ProtocolError' })
    expect(foldAll(exchanges, trace).pending).toBe(0)
    await session.close()
  })

  test('an answer that comes twice is taken once, and the second is shown', async () => {
    const { session, trace } = await opened('answer-twice')
    await call(session)
    await session.close()
    expect([...foldAll(exchanges, trace).orphans.values()]).toContain('second-answer')
  })

  test('BP-07: result and error together are told', async () => {
    const { session, trace } = await opened('both-result-and-error')
    await call(session).catch(() => {})
    expect(findings(trace)).toContain('BP-07')
    await session.close()
  })

  test.each([
    ['an answer', 200, '"result":{"content":[{"type":"text","text":"?"}]}'],
    ['an error with HTTP 400', 400, '"error":{"code":-32602,"message":"?"}'],
  ])(
    'BP-14: bytes that are no UTF-8 in %s are noticed; a U+FFFD of the server’s own is not',
    async (_, status, rest) => {
      const findingsFor = async (inside: readonly number[]) => {
        const { session, trace } = await opened('get-405', {
          fetch: async (url, init) => {
            const { id, method } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as JsonObject
            if (method !== 'tools/call') return await fetch(url, init)
            const text = new TextEncoder().encode(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}`)
            const bytes = [...text].flatMap((byte) => (byte === 0x3f ? inside : [byte]))
            return new Response(Uint8Array.from(bytes), { status, headers: { 'content-type': 'application/json' } })
          },
        })
        await call(session).catch(() => {})
        await session.close()
        return findings(trace)
      }
      expect(await findingsFor([0xff])).toEqual(['BP-14'])
      expect(await findingsFor([0xef, 0xbf, 0xbd])).toEqual([])
    },
  )

  test.each(['json-no-content-type', 'sse-wrong-case-content-type', 'batch-answer'])(
    '%s is understood all the same',
    async (behaviour) => {
      const { session } = await opened(behaviour)
      expect(textOf(await call(session))).toBeTypeOf('string')
      await session.close()
    },
  )
})

describe('bytes that come in odd ways', () => {
  test.each(['one-byte-chunks', 'split-utf8', 'huge-line'])('TR-HTTP-14: %s loses nothing', async (behaviour) => {
    const { session, trace } = await opened(behaviour)
    const text = textOf(await call(session))
    expect(text).not.toContain('\uFFFD')
    if (behaviour === 'huge-line') expect(text.length).toBeGreaterThan(19_000_000)
    else expect(text).toMatch(/\P{ASCII}/u)
    expect(findings(trace)).toEqual([])
    await session.close()
  })

  test('a server that never answers is left when the limit says so, and told', async () => {
    const { session } = await opened('no-headers')
    await expect(call(session, { idle: 150 })).rejects.toMatchObject({ code: 'timeout' })
    await session.close()
  })

  test('headers and then silence end in a timeout too', async () => {
    const { session } = await opened('no-first-event')
    await expect(call(session, { idle: 150 })).rejects.toMatchObject({ code: 'timeout' })
    await session.close()
  })

  test('an endless stream can be read, and left by closing', async () => {
    const { session, trace } = await opened('endless-stream')
    const pending = call(session)
    const outcome = pending.catch((error: unknown) => error)
    await until(() => trace.length >= 200)
    await session.close()
    expect(await outcome).toMatchObject({ code: 'closed' })
    const length = trace.length
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(trace.length).toBe(length)
  })
})

describe('streams that are cut', () => {
  test('TR-HTTP-21: a priming event is no message, and the answer arrives on the resumed stream', async () => {
    const { session, trace } = await opened('priming-empty')
    expect(textOf(await call(session))).toBeTypeOf('string')
    expect(findings(trace)).toEqual([])
    expect(
      requests(trace).some(
        ({ purpose, headers, origin }) =>
          purpose === 'resume' &&
          headers.some(([name]) => name === 'last-event-id') &&
          // The trace links it to the request whose response it resumes.
          requests(trace).some(({ seq, method }) => seq === origin && method === 'POST'),
      ),
    ).toBe(true)
    await session.close()
  })

  test('TR-HTTP-24: a cut stream without event ids is lost, and the reason is given', async () => {
    const { session, trace } = await opened('cut-no-ids')
    await expect(call(session)).rejects.toMatchObject({
      code: 'stream-lost',
      message: expect.stringContaining('no ids'),
    })
    expect([...trace].some((frame) => frame.kind === 'stream' && frame.event === 'gap')).toBe(true)
    await session.close()
  })

  test('TR-HTTP-23: the server’s retry is waited for', async () => {
    const { session, trace } = await opened('retry-short')
    await call(session)
    const resume = [...trace].find((frame) => frame.kind === 'stream' && frame.event === 'resume')
    const retry = [...trace].find((frame) => frame.kind === 'stream' && frame.event === 'retry')
    expect(resume).toMatchObject({ lastEventId: expect.any(String) })
    expect((resume as { delay: number }).delay).toBeGreaterThanOrEqual((retry as { delay: number }).delay)
    await session.close()
  })
})

describe('waits without an end', () => {
  test('TR-HTTP-23: a retry beyond all reason is shown as it came, waited for within a bound, and left by closing', async () => {
    const { session, trace } = await opened('retry-huge')
    const outcome = call(session).catch((error: unknown) => error)
    const resume = () => [...trace].find((frame) => frame.kind === 'stream' && frame.event === 'resume')
    await until(() => resume() !== undefined)
    expect(resume()).toMatchObject({ delay: expect.any(Number) })
    expect((resume() as { delay: number }).delay).toBeGreaterThanOrEqual(300_000)
    expect((resume() as { delay: number }).delay).toBeLessThan(301_000)
    expect([...trace].find((frame) => frame.kind === 'stream' && frame.event === 'retry')).toMatchObject({
      delay: 2 ** 32,
    })
    await session.close()
    expect(await outcome).toMatchObject({ code: 'closed' })
  })

  test('202 for a request leaves it pending until its limit, and the trace shows what is missing', async () => {
    const { session, trace } = await opened('202-for-request')
    // Long enough for the 202 to arrive on a busy machine.
    await expect(call(session, { idle: patient(1_000) })).rejects.toMatchObject({ code: 'timeout' })
    expect([...trace].find((frame) => frame.kind === 'stream' && frame.event === 'gap')).toMatchObject({
      why: expect.stringContaining('HTTP 202'),
    })
    expect(session.state).toBe('open')
    await session.close()
  })
})

/** Node exposes every header and blocks nothing. */
describe('what the browser keeps to itself', () => {
  beforeEach(({ skip }) => skip(!inPage, 'only a page of another origin knows CORS'))

  test('a session id that CORS hides is named as the reason', async () => {
    const { session, trace } = begin('hidden-session')
    await expect(session.open()).rejects.toMatchObject({
      code: 'http-status',
      details: { status: 400, sessionIdHidden: true },
    })
    expect([...trace].at(-1)).toMatchObject({ phase: 'failed', details: { sessionIdHidden: true } })
  })

  test('a server without CORS headers is unreachable, and the address is named', async () => {
    const { session } = begin('no-cors')
    await expect(session.open()).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('/h/no-cors/'),
    })
  })
})

describe('listening', () => {
  test.each(['get-405', 'get-404', 'get-500', 'get-never'])('TR-HTTP-16: %s hinders nothing', async (behaviour) => {
    const { session } = await opened(behaviour)
    expect(textOf(await call(session))).toBeTypeOf('string')
    await session.close()
  })

  test('TR-HTTP-15: what comes on the GET stream is heard', async () => {
    const { session, trace } = await opened('get-events')
    await until(() =>
      [...trace].some(
        (frame) => frame.kind === 'message' && frame.type === 'notification' && frame.direction === 'received',
      ),
    )
    await session.close()
  })

  test.each(['delete-405', 'delete-never'])(
    'TR-HTTP-27: %s does not keep the session from ending',
    async (behaviour) => {
      const { session, trace } = await opened(behaviour, { limits: { end: 200 } })
      await session.close()
      expect(requests(trace).at(-1)).toMatchObject({ method: 'DELETE', purpose: 'end-session' })
      expect([...trace].at(-1)).toMatchObject({ phase: 'closed', why: 'ended' })
    },
  )
})

describe('sessions that end', () => {
  test.each(['session-404-once', 'session-400'])(
    'TR-HTTP-26: %s begins a new session, sends the request again, and says so',
    async (behaviour) => {
      const { session, trace } = await opened(behaviour)
      expect(textOf(await call(session))).toBeTypeOf('string')
      const phases = [...trace].flatMap((frame) => (frame.kind === 'session' ? [frame.phase] : []))
      expect(phases).toContain('renewing')
      expect(phases.filter((phase) => phase === 'open')).toHaveLength(2)
      const ids = [...trace].flatMap((frame) =>
        frame.kind === 'message' && frame.direction === 'sent' && frame.type === 'request'
          ? [(frame.message as { id: number }).id]
          : [],
      )
      expect(new Set(ids).size).toBe(ids.length)
      await session.close()
    },
  )

  test('TR-HTTP-25, TR-HDR-01: session id and revision go with every request after initialize', async () => {
    const { session, trace } = await opened('get-405')
    await call(session)
    await session.close()
    const [first, ...rest] = requests(trace)
    const names = (frame: (typeof rest)[number]) => frame.headers.map(([name]) => name)
    expect(names(first!)).not.toContain('mcp-session-id')
    for (const request of rest)
      expect(names(request)).toEqual(expect.arrayContaining(['mcp-session-id', 'mcp-protocol-version']))
  })

  test('TR-HTTP-30, SEC-15: secrets never reach the trace', async () => {
    const { session, trace } = await opened('get-405', {
      headers: [
        ['authorization', 'Bearer s3cr3t-t0ken-value'],
        ['x-api-key', 'k3y-k3y-k3y'],
      ],
    })
    await call(session)
    await session.close()
    const everything = JSON.stringify([...trace])
    expect(everything).not.toContain('s3cr3t')
    expect(everything).not.toContain('k3y-k3y')
    expect(everything).toContain('Bearer ••••')
  })
})

describe('a handshake that goes wrong', () => {
  test.each([
    ['init-error', 'ProtocolError', undefined],
    ['init-unknown-version', 'TransportError', 'unsupported-revision'],
  ])('%s is told as it is', async (behaviour, name, code) => {
    const { session } = begin(behaviour)
    await expect(session.open()).rejects.toMatchObject({ name, ...(code ? { code } : {}) })
  })

  test('init-never names the step it waited in, and can be stopped meanwhile', async () => {
    const { session, trace } = begin('init-never', { limits: { headers: 150, answer: 150 } })
    await expect(session.open()).rejects.toMatchObject({ code: 'timeout', details: { limit: 150 } })
    expect([...trace].findLast(({ kind }) => kind === 'session')).toMatchObject({ phase: 'failed', code: 'timeout' })
  })

  test.each(['init-error-unsupported', 'init-older', 'empty-info', 'notification-before-init-answer'])(
    '%s connects',
    async (behaviour) => {
      const { session } = await opened(behaviour)
      expect(session.state).toBe('open')
      await session.close()
    },
  )

  test('a port where nobody listens is unreachable, and says where', async () => {
    const trace = new Trace()
    const transport = new StreamableHttpTransport({ url: 'http://127.0.0.1:9/mcp' })
    const session = new Session({
      trace,
      link: 's1',
      transport,
      clientInfo: { name: 'test', version: '0' },
      remembered: 'handshake',
    })
    await expect(session.open()).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('127.0.0.1:9'),
    })
  })
})

describe('floods and questions', () => {
  test.each(['progress-flood', 'burst-20000'])(
    '%s arrives whole and in order, and the answer with it',
    async (behaviour) => {
      const { session, trace } = await opened(behaviour)
      await call(session)
      const count = [...trace].filter(
        (frame) => frame.kind === 'message' && frame.type === 'notification' && frame.direction === 'received',
      ).length
      expect(count).toBeGreaterThanOrEqual(behaviour === 'burst-20000' ? 20_000 : 10_000)
      await session.close()
    },
  )

  test('TR-HTTP-06, BP-13: questions inside the answer’s stream are answered on their own POSTs', async () => {
    const { session, trace } = await opened('server-request-in-stream')
    expect(textOf(await call(session))).toBeTypeOf('string')
    const answers = [...trace].flatMap((frame) =>
      frame.kind === 'message' && frame.direction === 'sent' && (frame.type === 'result' || frame.type === 'error')
        ? [frame.type]
        : [],
    )
    expect(answers.sort()).toEqual(['error', 'error', 'result'])
    await session.close()
  })
})
