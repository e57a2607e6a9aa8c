import { describe, expect, inject, test, vi } from 'vitest'
import { patient } from '../../tests/patience.ts'
import { LoopbackTransport, Session, StreamableHttpTransport, Trace } from '../mcp/index.ts'
import type { Answers, Frame, JsonObject, Revision, Transport } from '../mcp/index.ts'
import { createSampleServer } from '../sample/server.ts'
import { playbackServer, type PlaybackOptions } from './playback.ts'
import { rerun, type ScriptedAnswers, type StepReport } from './rerun.ts'
import { stepsOf } from './steps.ts'
import { DEFAULT_RULES } from './volatile.ts'

const ANSWERS: Answers = {
  'elicitation/create': () => ({ action: 'accept', content: { name: 'Ada', days: ['mon'] } }),
  'sampling/createMessage': () => ({ role: 'assistant', content: { type: 'text', text: 'Yes' }, model: 'm' }),
  'roots/list': () => ({ roots: [{ uri: 'file:///demo' }] }),
}

const open = async (transport: Transport, answers: Answers = ANSWERS, pinned?: Revision): Promise<Session> => {
  const session = new Session({
    trace: new Trace(),
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '1' },
    capabilities: (revision) => ({
      sampling: {},
      elicitation: { form: {}, url: {} },
      roots: {},
      ...(revision === '2025-11-25' ? { tasks: { requests: { sampling: { createMessage: {} } } } } : {}),
    }),
    answers,
    patience: patient(20_000),
    ...(pinned ? { pinned } : {}),
  })
  await session.open()
  return session
}

const call = (session: Session, name: string, args: JsonObject = {}) =>
  session.request('tools/call', { name, arguments: args }).catch(() => {})

const lists = async (session: Session) => {
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
    let cursor: string | undefined
    do {
      const page = await session.request(method, cursor === undefined ? undefined : { cursor }).catch(() => ({}))
      cursor = (page as { nextCursor?: string }).nextCursor
    } while (cursor !== undefined)
  }
}

const record = async (transport: Transport, use: (session: Session) => Promise<unknown>, pinned?: Revision) => {
  const session = await open(transport, ANSWERS, pinned)
  await lists(session)
  await use(session)
  await session.close()
  return [...session.trace]
}

const played = (frames: readonly Frame[], options?: PlaybackOptions) =>
  new LoopbackTransport(playbackServer(frames, options))

const rerunAgainst = async (frames: readonly Frame[], transport: Transport): Promise<StepReport[]> => {
  let script: ScriptedAnswers | undefined
  const answers = Object.fromEntries(
    Object.keys(ANSWERS).map((method) => [
      method,
      (params: JsonObject, _: AbortSignal, { key }: { key?: string }) => script!.answer(method, params, key),
    ]),
  )
  const session = await open(transport, answers)
  const reports: StepReport[] = []
  const options = {
    session: () => session,
    rules: DEFAULT_RULES,
    script: (next: ScriptedAnswers | undefined) => (script = next),
  }
  for await (const report of rerun(stepsOf(frames), options)) reports.push(report)
  await session.close()
  return reports
}

const faults = (reports: readonly StepReport[]) =>
  reports.filter(({ passed, unasked }) => !passed || unasked.length > 0).map(({ step, diff }) => [step.params, diff])

const rich = (way: string, key: string) =>
  new StreamableHttpTransport({ url: `${inject('richUrl')}/${way}/playback-${key}` })

const asking = async (session: Session) => {
  for (const name of ['ask-form', 'ask-roots', 'ask-sampling']) await call(session, name)
}

describe('a recording that plays', () => {
  test.each<[string, () => Transport, (session: Session) => Promise<unknown>]>([
    [
      'of the sample server',
      () => new LoopbackTransport(createSampleServer({ wait: async () => {} })),
      async (session) => {
        await call(session, 'echo', { message: 'Grüße' })
        await call(session, 'count-slowly', { to: 3 })
        await call(session, 'fail')
        await call(session, 'no such tool')
      },
    ],
    [
      'of server-everything',
      () => new StreamableHttpTransport({ url: inject('everythingUrl') }),
      async (session) => {
        await call(session, 'echo', { message: 'hi' })
        await call(session, 'get-sum', { a: 1, b: 2 })
        await call(session, 'trigger-long-running-operation', { duration: 0.2, steps: 2 })
        await call(session, 'trigger-sampling-request', { prompt: 'Really?' })
        // TASK-13: the ids of the client's tasks are others each time.
        await call(session, 'trigger-sampling-request-async', { prompt: 'Really?' })
        await session.request('resources/read', { uri: 'demo://resource/dynamic/text/1' }).catch(() => {})
      },
    ],
    ['that asked by requests', () => rich('v1', 'record'), asking],
    ['that asked in results', () => rich('v2', 'record'), asking],
    [
      'of the newest revision',
      () => new StreamableHttpTransport({ url: `${inject('modernOnlyUrl')}/playback` }),
      async (session) => {
        await call(session, 'add', { a: 1, b: 2 })
        await call(session, 'no such tool')
      },
    ],
  ])('answers %s all as it was', async (_, transport, use) => {
    const frames = await record(transport(), use)
    const reports = await rerunAgainst(frames, played(frames))
    expect(reports.length).toBeGreaterThan(4)
    expect(faults(reports)).toEqual([])
  })

  test('TASK-13: polls the tasks of its client by the ids that this client gave them', async () => {
    const frames = await record(new StreamableHttpTransport({ url: inject('everythingUrl') }), (session) =>
      call(session, 'trigger-sampling-request-async', { prompt: 'Really?' }),
    )
    const session = await open(played(frames))
    await call(session, 'trigger-sampling-request-async', { prompt: 'Really?' })
    await session.close()
    const responses = [...session.trace].flatMap((frame) => {
      const { id, method, error } = frame.kind === 'message' ? (frame.message as JsonObject) : {}
      return frame.kind === 'message' && frame.direction === 'sent' && id !== undefined && !method ? [error] : []
    })
    expect(responses.length).toBeGreaterThan(2)
    expect(responses.filter((error) => error !== undefined)).toEqual([])
  })

  test('speaks the revision that was recorded, whichever that is', async () => {
    for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25'] as const) {
      const frames = await record(new LoopbackTransport(createSampleServer()), async () => {}, revision)
      const session = await open(played(frames))
      expect(session.peer?.revision).toBe(revision)
      expect(session.peer?.info).toMatchObject({ name: expect.stringMatching(/./) })
      await session.close()
    }
  })

  const sample = (use: (session: Session) => Promise<unknown>) =>
    record(new LoopbackTransport(createSampleServer({ wait: async () => {} })), use)

  test('gives each of several answers in its turn, and the last again', async () => {
    const frames = await sample(async (session) => {
      await session.request('tools/list')
      await call(session, 'add-tool', { name: 'one' })
      await session.request('tools/list')
    })
    const session = await open(played(frames))
    const first = await Promise.all([1, 2, 3, 4].map(() => session.request('tools/list')))
    expect(first[2]).toEqual(first[3])
    expect(first[1]).not.toEqual({})
    await session.close()
  })

  test('sends the progress of a call along, under the token of whoever calls now', async () => {
    const frames = await sample((session) => call(session, 'count-slowly', { to: 3 }))
    const session = await open(played(frames))
    await session.request('tools/list')
    await call(session, 'count-slowly', { to: 3 })
    await session.close()
    const notes = (all: Iterable<Frame>) =>
      [...all].flatMap((frame) =>
        frame.kind === 'message' && frame.type === 'notification' && frame.direction === 'received'
          ? [(frame.message as JsonObject)['method']]
          : [],
      )
    expect(notes(session.trace)).toEqual(notes(frames))
    expect(notes(frames)).toContain('notifications/progress')
  })

  test('refuses arguments that it does not hold, or takes the nearest and says so, if that is wished for', async () => {
    const frames = await sample(async (session) => {
      await call(session, 'add', { a: 1, b: 2 })
      await call(session, 'add', { a: 5, b: 6 })
    })
    const nearest = await open(played(frames, { nearest: true }))
    const sum = await nearest.request('tools/call', { name: 'add', arguments: { a: 5, b: 7 } })
    expect(sum['structuredContent']).toEqual({ sum: 11 })
    expect(sum['_meta']).toMatchObject({ 'mcp-periscope/recorded-call': { arguments: { a: 5, b: 6 } } })
    const same = await nearest.request('tools/call', { name: 'add', arguments: { b: 6, a: 5 } })
    expect(JSON.stringify(same)).not.toContain('recorded-call')
    await nearest.close()
    const session = await open(played(frames))
    await expect(session.request('tools/call', { name: 'add', arguments: { a: 5, b: 7 } })).rejects.toMatchObject({
      code: -32602,
      message: 'The recording holds no tools/call of "add" with these arguments',
      data: { recorded: [{ arguments: { a: 1, b: 2 } }, { arguments: { a: 5, b: 6 } }] },
    })
    await expect(session.request('tools/call', { name: 'other' })).rejects.toMatchObject({
      code: -32602,
      message: 'The recording holds no tools/call for "other"',
    })
    await expect(session.request('completion/complete', {})).rejects.toMatchObject({
      code: -32601,
      message: expect.stringMatching(/holds no completion\/complete; it holds .*tools\/list/),
    })
    await expect(session.request('tools/list', { cursor: 'made up' })).rejects.toMatchObject({ code: -32602 })
    await session.close()
  })

  test('is as slow as it was where that is wished for, and can be cancelled meanwhile', async () => {
    const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 300))
    const frames = await record(new LoopbackTransport(createSampleServer({ wait })), (session) =>
      call(session, 'count-slowly', { to: 2 }),
    )
    const slow = await open(played(frames, { delays: true }))
    const quick = await open(played(frames))
    // Where the clock stands still, only what waits for no time ends.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await call(quick, 'count-slowly', { to: 2 })
      let over = false
      const waiting = call(slow, 'count-slowly', { to: 2 }).then(() => (over = true))
      await vi.advanceTimersByTimeAsync(250)
      await slow.ping()
      expect(over).toBe(false)
      // Recorded on a busy machine, it took longer than its timers.
      while (!over) {
        await vi.advanceTimersByTimeAsync(100)
        await slow.ping()
      }
      await waiting
    } finally {
      vi.useRealTimers()
    }
    const cancelled = slow.call('tools/call', { name: 'count-slowly', arguments: { to: 2 } })
    cancelled.cancel('enough')
    await expect(cancelled.result).rejects.toMatchObject({ code: 'cancelled' })
    await Promise.all([slow.close(), quick.close()])
  })
})
