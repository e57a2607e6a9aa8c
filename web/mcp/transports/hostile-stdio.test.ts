/** A stdio server that misbehaves in one way at a time (tests/servers/hostile-stdio.mjs), through the proxy. */
import { afterAll, describe, expect, inject, test } from 'vitest'
import { patient, until } from '../../../tests/patience.ts'
import { Bridge, exchanges, foldAll, Session, StdioBridgeTransport, Trace } from '../index.ts'
import type { Answers, Frame, FrameOf, JsonObject } from '../index.ts'

const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
afterAll(() => bridge.leave())

const begin = (behaviour: string, { answers = {}, through = bridge }: { answers?: Answers; through?: Bridge } = {}) => {
  const trace = new Trace()
  const spawn = {
    command: inject('nodePath'),
    args: [`${inject('root')}/tests/servers/hostile-stdio.mjs`, behaviour],
  }
  const transport = new StdioBridgeTransport({ bridge: through, spawn })
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '0' },
    answers,
    remembered: 'handshake',
  })
  return { trace, session }
}

const call = async (session: Session): Promise<string> => {
  const { content } = await session.request('tools/call', { name: 't', arguments: {} }, { idle: patient(20_000) })
  return (content as unknown as { text: string }[])[0]!.text
}

const processFrames = (trace: Trace) =>
  [...trace].filter((frame: Frame): frame is FrameOf<'process'> => frame.kind === 'process')
const events = (trace: Trace) => processFrames(trace).map(({ event }) => event)
const findings = (trace: Trace) =>
  [...trace].flatMap((frame) => (frame.kind === 'message' ? (frame.findings ?? []) : []))

describe('what comes on stdout', () => {
  test('TR-STDIO-05: banners, log lines and JSON that is no message come between messages and hinder none', async () => {
    const { trace, session } = begin('noise')
    await session.open()
    expect(await call(session)).toBe('Grüße, 世界 🎈')
    const noise = processFrames(trace).flatMap((frame) => (frame.event === 'stdout-noise' ? [frame.text] : []))
    expect(noise).toEqual(
      expect.arrayContaining([expect.stringContaining('hostile!'), '\u001b[33m[debug]\u001b[0m got something']),
    )
    // JSON that isn't a message is shown unchanged, with the verdict.
    expect(findings(trace)).toContainEqual(expect.objectContaining({ rule: 'BP-01' }))
    await session.close()
  })

  test('BP-14: a byte order mark is told off, and it and CRLF are understood', async () => {
    const { trace, session } = begin('crlf-bom')
    await session.open()
    expect(await call(session)).toBe('Grüße, 世界 🎈')
    expect(findings(trace)).toEqual([expect.objectContaining({ rule: 'BP-14' })])
    expect(events(trace)).not.toContain('stdout-noise')
    await session.close()
  })

  test('BP-14: characters split between writes arrive whole', async () => {
    const { trace, session } = begin('split-utf8')
    expect((await session.open()).info.title).toBe('Böse 🎈')
    expect(await call(session)).toBe('Grüße, 世界 🎈')
    expect(findings(trace)).toEqual([])
    await session.close()
  })

  test('a last line without a line end is read', async () => {
    const { trace, session } = begin('no-newline-end')
    await session.open()
    expect(await call(session)).toBe('Grüße, 世界 🎈')
    await until(() => events(trace).includes('exit'))
    expect(session.state).toBe('closed')
    expect(foldAll(exchanges, trace).orphans.size).toBe(0)
  })

  test('BP-06: answers to ids nobody sent are orphans, and the right ones find their calls', async () => {
    const { trace, session } = begin('id-nobody-sent')
    await session.open()
    expect(await call(session)).toBe('Grüße, 世界 🎈')
    await session.close()
    expect([...foldAll(exchanges, trace).orphans.values()]).toEqual(Array.from({ length: 4 }, () => 'unknown-id'))
  })

  test('an answer that comes twice is taken once, and the second is shown', async () => {
    const { trace, session } = begin('duplicate')
    await session.open()
    expect(await call(session)).toBe('Grüße, 世界 🎈')
    await session.close()
    expect([...foldAll(exchanges, trace).orphans.values()]).toContain('second-answer')
  })

  test('BP-13: fifteen questions at once get one answer each', async () => {
    let asked = 0
    const answers = { 'roots/list': (): JsonObject => ({ roots: [{ uri: `file:///${++asked}` }] }) }
    const { trace, session } = begin('roots-fifteen', { answers })
    await session.open()
    const replies = () =>
      [...trace].filter((frame) => frame.kind === 'message' && frame.direction === 'sent' && frame.type === 'result')
    await until(() => replies().length >= 15)
    expect(await call(session)).toBe('15')
    expect([asked, replies().length]).toEqual([15, 15])
    await session.close()
  })
})

describe('how it ends', () => {
  test('TR-STDIO-08: one that ignores the end is taken through all steps, in their order', async () => {
    const { trace, session } = begin('ignores-end')
    await session.open()
    await session.close()
    const steps = processFrames(trace).flatMap((frame) => (frame.event === 'ending' ? [frame.step] : []))
    expect(steps).toEqual(['stdin-closed', 'SIGTERM', 'SIGKILL'])
    expect(processFrames(trace).at(-1)).toMatchObject({ event: 'exit', signal: 'SIGKILL' })
    expect([...trace].at(-1)).toMatchObject({ phase: 'closed', why: 'ended' })
  })

  test('TR-STDIO-09: one that dies in a call fails that call with its code and last words', async () => {
    const { session } = begin('dies-in-call')
    await session.open()
    await expect(call(session)).rejects.toMatchObject({
      code: 'process-exited',
      details: { code: 3, stderr: ['out of cheese'] },
    })
    expect(session.state).toBe('closed')
  })

  test('one that dies at once is told with its last words, and its start comes before all it said', async () => {
    const { trace, session } = begin('dies-at-start')
    await expect(session.open()).rejects.toMatchObject({ code: 'process-exited', details: { code: 1 } })
    expect(events(trace)[0]).toBe('spawn')
    expect(events(trace).at(-1)).toBe('exit')
    const failed = [...trace].find((frame) => frame.kind === 'session' && frame.phase === 'failed')
    expect(JSON.stringify(failed)).toContain('DATABASE_URL is not set')
  })

  test('what was being started when the user stopped is ended, and nothing opens after it was closed', async () => {
    const { trace, session } = begin('never-answers')
    const opening = session.open().catch((error: unknown) => error)
    await session.close()
    expect(await opening).toMatchObject({ code: 'cancelled' })
    await until(() => events(trace).includes('exit'))
    expect(processFrames(trace)[0]).toMatchObject({ event: 'spawn' })
    const phases = [...trace].flatMap((frame) => (frame.kind === 'session' ? [frame.phase] : []))
    expect(phases).toEqual(['opening', 'closed'])
  })

  test('a page that leaves makes nobody wait for an exit it will not hear of', async () => {
    const own = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
    const { session, trace } = begin('good', { through: own })
    await session.open()
    const closing = session.close()
    own.leave()
    await closing
    expect([...trace].at(-1)).toMatchObject({ phase: 'closed' })
  })
})
