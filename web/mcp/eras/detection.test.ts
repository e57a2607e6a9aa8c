/** How a server's lifecycle is detected: what each response to the first message leads to, over HTTP and over stdio. */
import { afterAll, describe, expect, inject, test } from 'vitest'
import { patient } from '../../../tests/patience.ts'
import { Bridge, HttpSseTransport, Session, StdioBridgeTransport, StreamableHttpTransport, Trace } from '../index.ts'
import type { Evidence, JsonObject, MessageFrame, SessionOptions, Transport } from '../index.ts'

/** ms after which a server that always responds has hung. */
const HANGS = patient(20_000)

const begin = (transport: Transport, options: Partial<SessionOptions> = {}) => {
  const trace = new Trace()
  const capabilities = () => ({ elicitation: {}, roots: {} })
  const clientInfo = { name: 'test', version: '0' }
  const session = new Session({ trace, link: 's1', transport, clientInfo, capabilities, patience: HANGS, ...options })
  const sent = () =>
    [...trace]
      .filter((frame): frame is MessageFrame => frame.kind === 'message' && frame.direction === 'sent')
      .map(({ message }) => (message as JsonObject).method)
  return { trace, session, sent }
}

const overHttp = (kind: string, options?: Partial<SessionOptions>) =>
  begin(new StreamableHttpTransport({ url: `${inject('erasUrl')}/${kind}/${crypto.randomUUID()}` }), options)

const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
afterAll(() => bridge.leave())

const overStdio = (kind: string, options?: Partial<SessionOptions>) => {
  const args = [`${inject('root')}/tests/servers/era-stdio.mjs`, kind]
  return begin(new StdioBridgeTransport({ bridge, spawn: { command: inject('nodePath'), args } }), options)
}

/** The outcomes of the probe. */
const probed = (evidence: readonly Evidence[] = []): string[] =>
  evidence.flatMap((seen) => (seen.saw === 'probe' ? [seen.outcome] : seen.saw === 'restarted' ? ['restarted'] : []))

/** The protocol version of an open session, otherwise the error code. */
const ends = async ({ session }: ReturnType<typeof begin>): Promise<string> => {
  try {
    return (await session.open()).revision
  } catch (error) {
    return `${(error as { code: string | number }).code}`
  } finally {
    await session.close()
  }
}

const [OLD, NEW] = ['2025-11-25', '2026-07-28'] as const

describe('over HTTP', () => {
  test.each([
    // A DiscoverResult decides by the versions it lists.
    ['good-modern', NEW, ['answered']],
    ['good-both', NEW, ['answered']],
    ['discover-lists-2025', OLD, ['answered']],
    ['discover-lists-future', 'unsupported-revision', ['answered']],
    ['discover-empty-result', OLD, ['unusable']],
    // VN-24: a 400 without an error of the stateless protocol means an older server, whatever it contains.
    ['good-handshake', OLD, ['error']],
    ['400-empty', OLD, ['status']],
    ['400-html', OLD, ['status']],
    ['400-json', OLD, ['status']],
    ['400-error-32600', OLD, ['error']],
    ['404-bare', OLD, ['status']],
    ['404-text', OLD, ['status']],
    ['405-bare', OLD, ['status']],
    ['406-bare', OLD, ['status']],
    ['415-bare', OLD, ['status']],
    ['200-empty', OLD, ['unusable']],
    ['202-bare', OLD, ['unusable']],
    ['200-html', OLD, ['unusable']],
    // VN-31: a response from an intermediary says nothing about the server's lifecycle.
    ['500-error', OLD, ['error']],
    ['500-modern', 'http-status', undefined],
    ['502-modern', 'http-status', undefined],
    ['403-always', 'http-status', undefined],
    ['429-always', 'http-status', undefined],
    ['503-always', 'http-status', undefined],
    ['breaks-always', 'unreachable', undefined],
    ['discover-error-32601', OLD, ['error']],
    ['discover-error-32602', OLD, ['error']],
    ['discover-error-32603', OLD, ['error']],
    ['discover-error-32000', OLD, ['error']],
    ['discover-error0', OLD, ['error']],
    ['discover-draft-32004', OLD, ['error']],
    ['discover-draft-32001', OLD, ['error']],
    // VN-24: an error of the stateless protocol means a stateless server.
    ['unsupported-once', NEW, ['modern-error', 'answered']],
    ['unsupported-none-shared', 'unsupported-revision', ['modern-error']],
    ['unsupported-lists-2025', OLD, ['modern-error']],
    ['unsupported-no-data', OLD, ['error']],
    ['unsupported-always', '-32022', ['modern-error']],
    ['header-mismatch', '-32020', ['modern-error']],
    ['capability-for-discover', NEW, ['answered']],
    // VN-25: 404 with -32601 is a stateless server without that method.
    ['no-discover', NEW, ['no-such-method']],
    // The connection breaks instead of a response.
    ['discover-dies', OLD, ['opaque']],
    ['307-elsewhere', NEW, ['answered']],
    ['403-foreign-origin', typeof location === 'undefined' ? NEW : 'http-status', undefined],
  ] as const)('VN-23, VN-24: %s ends in %s', async (kind, end, seen) => {
    const pair = overHttp(kind)
    expect(await ends(pair)).toBe(end)
    if (seen && pair.session.peer) expect(probed(pair.session.peer.evidence)).toEqual(seen)
  })

  test('VN-31: 401 says nothing about the era: nothing else is sent, and the sign-in comes first', async () => {
    const pair = overHttp('401-until-token')
    expect(await ends(pair)).toBe('unauthorized')
    expect(pair.sent()).toEqual(['server/discover'])
  })

  test('VN-31: nor does silence, and the limit is told', async () => {
    const pair = overHttp('discover-never', { patience: 800 })
    expect(await ends(pair)).toBe('timeout')
    expect(pair.sent()).toEqual(['server/discover'])
  })

  test('BR-05: a preflight that refuses the new headers is no verdict; the handshake is tried, and the page says why', async () => {
    const pair = overHttp('preflight-refused')
    expect(await ends(pair)).toBe(OLD)
    // Node has no preflight, so it receives the rejection itself.
    expect(probed(pair.session.peer?.evidence)).toEqual([typeof location === 'undefined' ? 'error' : 'opaque'])
  })

  test('TR-HTTP-04: a notification may be accepted with anything: nothing was asked, so nothing is missed', async () => {
    const { session } = overHttp('202-null')
    expect((await session.open()).revision).toBe(OLD)
    await expect(session.request('tools/list')).resolves.toHaveProperty('tools')
    await session.close()
  })

  test('LC-03: a server that fails notifications/initialized is inspected all the same, and that is kept as evidence', async () => {
    const { session } = overHttp('500-after-first', { pinned: OLD })
    const peer = await session.open()
    expect(peer.evidence).toContainEqual({ saw: 'initialized-refused', status: 500 })
    await expect(session.request('tools/list')).rejects.toMatchObject({ code: 'http-status', details: { status: 500 } })
    expect(session.state).toBe('open')
    await session.close()
  })

  test('the versions of a server and its answers are kept as evidence', async () => {
    const { session } = overHttp('good-both')
    const peer = await session.open()
    expect(peer).toMatchObject({ era: 'stateless', supported: expect.arrayContaining([NEW]) as string[] })
    expect(peer.info.name).toBeTypeOf('string')
    await session.close()
  })
})

describe('over stdio', () => {
  test.each([
    ['good-both', NEW, ['answered']],
    ['discover-lists-2025', OLD, ['answered']],
    ['discover-error-32603', OLD, ['error']],
    ['discover-error0', OLD, ['error']],
    ['discover-dies', OLD, ['process-exited', 'restarted']],
    ['discover-2025-spoils-handshake', OLD, ['answered', 'restarted']],
    ['unsupported-none-shared', 'unsupported-revision', ['modern-error']],
    ['no-discover', '-32601', undefined],
  ] as const)('VN-20, VN-21, VN-22: %s ends in %s', { timeout: patient(120_000) }, async (kind, end, seen) => {
    const pair = overStdio(kind)
    const end_ = await ends(pair)
    if (kind === 'no-discover') return expect(end_).not.toBe(OLD)
    expect(end_).toBe(end)
    if (seen && pair.session.peer) expect(probed(pair.session.peer.evidence)).toEqual(seen)
  })

  test(
    'VN-21: silence means older: the handshake follows on the same process',
    { timeout: patient(120_000) },
    async () => {
      const pair = overStdio('discover-never', { patience: 4000 })
      expect(await ends(pair)).toBe(OLD)
      expect(probed(pair.session.peer?.evidence)).toEqual(['silence'])
      expect(pair.sent().slice(0, 3)).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
    },
  )

  test(
    'a probe that is answered late, because the process had to start first, still counts',
    { timeout: patient(120_000) },
    async () => {
      const pair = overStdio('good-modern', { patience: 1 })
      expect(await ends(pair)).toBe(NEW)
      expect(probed(pair.session.peer?.evidence)).toEqual(['silence', 'answered-late'])
    },
  )

  test(
    'a server of the SDK v2 that starts slowly accepts both, and is stateless in a new process',
    { timeout: patient(120_000) },
    async () => {
      const late = `setTimeout(() => import('file://${inject('root')}/tests/servers/modern-stdio.mjs'), 1500)`
      const spawn = { command: inject('nodePath'), args: ['-e', late] }
      const { session, trace } = begin(new StdioBridgeTransport({ bridge, spawn }), { patience: 500 })
      expect((await session.open()).revision).toBe(NEW)
      expect(probed(session.peer?.evidence)).toEqual(['silence', 'answered-late', 'restarted', 'answered'])
      // After the handshake, it would leave this out.
      expect(await session.request('tools/list')).toMatchObject({ resultType: 'complete' })
      expect([...trace].filter((frame) => frame.kind === 'process' && frame.event === 'spawn')).toHaveLength(2)
      await session.close()
    },
  )
})

describe('what is known already', () => {
  test('VN-26: a remembered handshake is not probed for', async () => {
    const pair = overHttp('good-both', { remembered: 'handshake' })
    expect(await ends(pair)).toBe(OLD)
    expect(pair.sent()[0]).toBe('initialize')
  })

  test('VN-26: it is checked again when it fails', async () => {
    const pair = overHttp('good-modern', { remembered: 'handshake' })
    expect(await ends(pair)).toBe(NEW)
    expect(pair.sent()[0]).toBe('initialize')
    expect(pair.session.peer?.evidence).toContainEqual(expect.objectContaining({ saw: 'forgotten' }))
  })

  test('VN-32: a pinned revision is spoken without a probe, and nothing else is accepted', async () => {
    for (const pinned of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const) {
      const pair = overHttp('good-both', { pinned })
      expect(await ends(pair)).toBe(pinned)
      expect(pair.sent()[0]).toBe('initialize')
    }
    expect(await ends(overHttp('good-both', { pinned: '2026-07-28' }))).toBe(NEW)
    expect(await ends(overHttp('good-handshake', { pinned: '2026-07-28' }))).not.toBe(OLD)
    expect(await ends(overHttp('good-modern', { pinned: '2025-11-25' }))).toBe('-32022')
  })

  test('VN-05: a pinned stateless revision needs no server/discover', async () => {
    expect(await ends(overHttp('discover-no-versions', { pinned: '2026-07-28' }))).toBe(NEW)
    expect(await ends(overHttp('no-discover', { pinned: '2026-07-28' }))).toBe(NEW)
  })
})

describe('older transports', () => {
  const sse = (variant: string) => `${inject('sseVariantsUrl')}/${variant}/${crypto.randomUUID()}/sse`

  test('TR-SSE-05, TR-SSE-07, TR-SSE-08: a server that answers POST with 400, 404 or 405 is asked over HTTP+SSE', async () => {
    for (const variant of ['post-400', 'post-404', 'post-405']) {
      const { session } = begin(new StreamableHttpTransport({ url: sse(variant) }))
      const peer = await session.open()
      expect(peer.evidence).toContainEqual({
        saw: 'transport',
        transport: 'HTTP+SSE',
        status: Number(variant.slice(5)),
      })
      await session.close()
    }
  })

  test('TR-SSE-01, TR-SSE-02: the official SDK’s old server is inspected with no setting by hand', async () => {
    const { session } = begin(new StreamableHttpTransport({ url: inject('sseUrl') }))
    expect((await session.open()).revision).toBe(OLD)
    const { tools } = await session.request('tools/list')
    expect(tools).toHaveProperty('length')
    await session.close()
  })

  test('what the newer transport was told is the explanation when the older one is not there either', async () => {
    const { session } = begin(new StreamableHttpTransport({ url: `${inject('erasUrl')}/404-always/x` }))
    await expect(session.open()).rejects.toMatchObject({ code: 'http-status', details: { status: 404 } })
  })

  test('HTTP+SSE chosen by hand begins with the handshake', async () => {
    const pair = begin(new HttpSseTransport({ url: inject('sseUrl') }))
    expect(await ends(pair)).toBe(OLD)
    expect(pair.sent()[0]).toBe('initialize')
  })
})
