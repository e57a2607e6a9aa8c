import { describe, expect, inject, test } from 'vitest'
import { patient, until } from '../../../tests/patience.ts'
import { exchanges, foldAll, Session, StreamableHttpTransport, Trace } from '../index.ts'
import type { Frame, Json, MessageFrame } from '../index.ts'

const begin = async (url: string) => {
  const trace = new Trace()
  const session = new Session({
    trace,
    link: 's1',
    transport: new StreamableHttpTransport({ url }),
    clientInfo: { name: 'test', version: '0' },
    remembered: 'handshake',
  })
  await session.open()
  return { url, trace, session }
}

const received = (trace: Trace, method: string): Json[] =>
  [...trace].flatMap((frame: Frame) => {
    if (frame.kind !== 'message' || frame.direction !== 'received') return []
    const message = frame.message as { method?: string; params?: Json }
    return message.method === method ? [message.params!] : []
  })

/** Calls a control of the peer, outside the protocol: tests/servers/control.ts. */
const control = async <Answer>(url: string, name: string, body: object = {}): Promise<Answer> => {
  const { origin, pathname } = new URL(url)
  const asked = { method: 'POST', body: JSON.stringify(body) }
  return (await (await fetch(`${origin}/control/${name}${pathname}`, asked)).json()) as Answer
}

const steps = (trace: Trace) =>
  received(trace, 'notifications/progress').map((params) => (params as { progress: number }).progress)

const resumes = (trace: Trace) => [...trace].filter((frame) => frame.kind === 'stream' && frame.event === 'resume')

describe('Streamable HTTP with the reference server', () => {
  test('TR-HTTP-01 … -05: connects, lists 13 tools or more, calls one, and ends the session', async () => {
    const { trace, session } = await begin(inject('everythingUrl'))
    expect(session.peer).toMatchObject({ revision: '2025-11-25', info: { name: 'mcp-servers/everything' } })
    const { tools } = (await session.request('tools/list', {})) as { tools: Json[] }
    expect(tools.length).toBeGreaterThanOrEqual(13)
    expect(await session.request('tools/call', { name: 'echo', arguments: { message: 'hi' } })).toMatchObject({
      content: [{ text: 'Echo: hi' }],
    })
    await session.close()
    const posts = [...trace].filter(
      (frame) => frame.kind === 'http' && frame.phase === 'request' && frame.method === 'POST',
    )
    const sent = [...trace].filter(
      (frame): frame is MessageFrame => frame.kind === 'message' && frame.direction === 'sent',
    )
    expect(sent.map(({ carrier }) => carrier)).toEqual(posts.map(({ seq }) => seq))
    for (const post of posts) {
      expect(post).toMatchObject({
        headers: expect.arrayContaining([['accept', 'application/json, text/event-stream']]),
      })
    }
    expect(
      [...trace].some((frame) => frame.kind === 'http' && frame.phase === 'request' && frame.method === 'DELETE'),
    ).toBe(true)
  })
})

describe('streams that are cut in the middle of a call', () => {
  test('TR-HTTP-19, TR-HTTP-20, TR-HTTP-22: nothing is lost, nothing comes twice, and the trace shows each resume', async () => {
    const { trace, session } = await begin(`${inject('cuttingUrl')}/cut/3/${crypto.randomUUID()}`)
    const result = await session.request(
      'tools/call',
      { name: 'slow-count', arguments: { n: 12, ms: 15 } },
      { idle: patient(20_000) },
    )
    expect(result).toMatchObject({ content: [{ text: 'counted to 12' }] })
    expect(steps(trace)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
    expect(resumes(trace).length).toBeGreaterThanOrEqual(2)
    const { all, orphans } = foldAll(exchanges, trace)
    expect(all.at(-1)).toMatchObject({ method: 'tools/call', status: 'ok' })
    expect(orphans.size).toBe(0)
    await session.close()
  })

  test('TR-HTTP-19: streams cut between two events, and broken all at once, lose and repeat nothing', async () => {
    const between = await begin(`${inject('cuttingUrl')}/between/2/${crypto.randomUUID()}`)
    const whole = await begin(`${inject('cuttingUrl')}/whole/${crypto.randomUUID()}`)
    // The count waits for the cut, so that on a busy machine it isn't over before.
    await control(whole.url, 'hold', { step: 3 })
    const count = (session: Session) =>
      session.request('tools/call', { name: 'slow-count', arguments: { n: 12, ms: 30 } }, { idle: patient(20_000) })
    const calls = [count(between.session), count(whole.session)]
    await until(() => steps(whole.trace).length >= 3)
    expect(await control<number>(whole.url, 'cut-now')).toBeGreaterThanOrEqual(1)
    await Promise.all(calls)
    for (const { trace, session } of [between, whole]) {
      expect(steps(trace)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
      expect(resumes(trace).length).toBeGreaterThanOrEqual(1)
      expect(foldAll(exchanges, trace).orphans.size).toBe(0)
      await session.close()
    }
  })

  test('TR-HTTP-15, TR-HTTP-19: the GET stream resumes too, and every notification arrives once and in order', async () => {
    const { trace, session } = await begin(`${inject('cuttingUrl')}/cut/4/${crypto.randomUUID()}`)
    // The GET stream opens in the background; messages sent before that aren't stored for it.
    const listening = () =>
      [...trace].some((frame) => frame.kind === 'stream' && frame.event === 'open' && isListening(trace, frame.request))
    await until(listening)
    await session.request('tools/call', { name: 'notify', arguments: { n: 15 } })
    const numbers = () => received(trace, 'notifications/message').map((params) => (params as { data: number }).data)
    await until(() => numbers().length >= 15)
    expect(numbers()).toEqual(Array.from({ length: 15 }, (_, index) => index + 1))
    await session.close()
  })

  test('TR-HTTP-21, TR-HTTP-23: a server that closes the stream and asks to come back is polled at its pace', async () => {
    const { trace, session } = await begin(`${inject('cuttingUrl')}/poll/120/${crypto.randomUUID()}`)
    const result = await session.request(
      'tools/call',
      { name: 'slow-count', arguments: { n: 6, ms: 30 } },
      { idle: patient(20_000) },
    )
    expect(result).toMatchObject({ content: [{ text: 'counted to 6' }] })
    const resume = resumes(trace).find((frame) => 'lastEventId' in frame)
    expect(resume).toMatchObject({ lastEventId: expect.any(String) })
    expect((resume as { delay: number }).delay).toBeGreaterThanOrEqual(120)
    expect((resume as { delay: number }).delay).toBeLessThan(200)
    await session.close()
  })
})

const isListening = (trace: Trace, seq: number): boolean => {
  const frame = trace.at(seq)
  return frame?.kind === 'http' && frame.phase === 'request' && frame.purpose === 'listen'
}
