import { describe, expect, inject, test } from 'vitest'
import { exchanges, foldAll, LoopbackTransport, Session, StreamableHttpTransport, Trace } from '../mcp/index.ts'
import type { Answers, Frame, JsonObject, Revision, Transport } from '../mcp/index.ts'
import type { Outbound } from '../mcp/transports/tap.ts'
import type { Sink } from '../mcp/transports/transport.ts'
import { createSampleServer } from '../sample/server.ts'
import { SAMPLE_TOOLS } from '../sample/tools.ts'
import { rerun, type RerunOptions, type ScriptedAnswers, type StepReport } from './rerun.ts'
import { type Step, stepsOf } from './steps.ts'
import { DEFAULT_RULES } from './volatile.ts'

const open = async (transport: Transport, answers: Answers = {}, pinned?: Revision): Promise<Session> => {
  const session = new Session({
    trace: new Trace(),
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '1' },
    capabilities: () => ({ sampling: {}, elicitation: { form: {}, url: {} }, roots: {} }),
    answers,
    ...(pinned ? { pinned } : {}),
  })
  await session.open()
  return session
}

const sample = (tools = SAMPLE_TOOLS) => new LoopbackTransport(createSampleServer({ tools, wait: async () => {} }))

/** Accepts manually sent messages and never responds. */
const silent = (): Transport => {
  const transport = sample()
  const send = transport.send.bind(transport)
  let tap: Pick<Sink, 'tap'>['tap']
  const opened = transport.open.bind(transport)
  return Object.assign(transport, {
    open: async (sink: Sink) => {
      tap = sink.tap
      await opened(sink)
    },
    send: async (outbound: Outbound) => {
      if (outbound.byHand) tap.sent(outbound)
      else await send(outbound)
    },
  })
}

const all = async (steps: readonly Step[], session: Session, options: Partial<RerunOptions> = {}) => {
  const reports: StepReport[] = []
  for await (const report of rerun(steps, { session: () => session, rules: DEFAULT_RULES, ...options }))
    reports.push(report)
  return reports
}

const called = (session: Session, name: string, args: JsonObject = {}) =>
  session.request('tools/call', { name, arguments: args }).catch(() => {})

const verdicts = (reports: readonly StepReport[]) => reports.map(({ verdict }) => verdict)

const recording = async (transport: Transport = sample()): Promise<readonly Frame[]> => {
  const session = await open(transport)
  let cursor: string | undefined
  do {
    const page = await session.request('tools/list', cursor === undefined ? undefined : { cursor })
    cursor = page['nextCursor'] as string | undefined
  } while (cursor !== undefined)
  await called(session, 'echo', { message: 'Grüße' })
  await called(session, 'add', { a: 1, b: 2 })
  await called(session, 'fail')
  await session.close()
  return [...session.trace]
}

describe('the steps of a recording', () => {
  test('are what its user did: no handshake, no follow-ups, in order, with what came', async () => {
    const steps = stepsOf(await recording())
    const methods = steps.map(({ method }) => method)
    expect(methods.filter((method) => method === 'tools/call')).toHaveLength(3)
    expect(methods).not.toContain('initialize')
    expect(steps.every(({ recorded }) => recorded !== undefined)).toBe(true)
    expect(steps.every(({ params }) => !JSON.stringify(params ?? {}).includes('progressToken'))).toBe(true)
  })

  test('take each cursor from the page before, for a server makes its own', async () => {
    const pages = stepsOf(await recording()).filter(({ method }) => method === 'tools/list')
    expect(pages.length).toBeGreaterThan(1)
    expect(pages[0]!.take).toEqual([{ name: `cursor-${pages[0]!.id}`, pointer: '/nextCursor' }])
    expect(pages[1]!.params).toEqual({ cursor: `{{cursor-${pages[0]!.id}}}` })
  })
})

describe('a recording that is sent again', () => {
  test('finds the same server to be the same', async () => {
    const session = await open(sample())
    const reports = await all(stepsOf(await recording()), session)
    expect(new Set(verdicts(reports))).toEqual(new Set(['same']))
    expect(reports.every(({ passed }) => passed)).toBe(true)
  })

  test('names exactly what is another: one tool whose answer changed, one that is gone', async () => {
    const tools = SAMPLE_TOOLS.filter(({ declaration }) => declaration.name !== 'fail').map((each) =>
      each.declaration.name === 'echo'
        ? { ...each, run: () => ({ content: [{ type: 'text', text: 'something else' }] }) }
        : each,
    )
    const reports = await all(stepsOf(await recording()), await open(sample(tools)))
    const different = reports.filter(({ verdict }) => verdict !== 'same')
    const names = different.map(({ step }) => step.params?.['name'] ?? step.method)
    expect([...new Set(names)]).toEqual(['tools/list', 'echo', 'fail'])
    const echo = different.find(({ step }) => step.params?.['name'] === 'echo')!
    expect(echo.diff?.differences).toEqual([
      { pointer: '/content/0/text', kind: 'changed', was: expect.any(String), is: 'something else' },
    ])
  })

  test('skips, repeats, fills variables in, and says which are not known', async () => {
    const step = (id: string, more: Partial<Step>): Step => ({
      id,
      link: 's1',
      kind: 'request',
      method: 'tools/call',
      params: { name: 'echo', arguments: { message: '{{word}}' } },
      templated: true,
      ...more,
    })
    const steps = [step('a', { skip: true }), step('b', { repeat: 2 }), step('c', { params: { name: '{{other}}' } })]
    const reports = await all(steps, await open(sample()), { variables: { word: 'hello' } })
    expect(verdicts(reports)).toEqual(['skipped', 'extra', 'extra', 'not-sent'])
    expect(JSON.stringify(reports[1]!.outcome)).toContain('hello')
    expect(reports[3]!.problem).toEqual({ code: 'unknown-variables', names: ['other'] })
  })

  test('sends braces that were only text as text', async () => {
    const session = await open(sample())
    await called(session, 'echo', { message: '{{word}}' })
    const [step] = stepsOf([...session.trace])
    const [report] = await all([step!], await open(sample()), { variables: { word: 'hello' } })
    expect(report!.verdict).toBe('same')
    expect(JSON.stringify(report!.outcome)).toContain('{{word}}')
  })

  test('checks what is expected of an answer', async () => {
    const step: Step = {
      id: 'a',
      link: 's1',
      kind: 'request',
      method: 'tools/call',
      params: { name: 'add', arguments: { a: 1, b: 2 } },
      expect: [
        { kind: 'status', status: 'ok' },
        { kind: 'equals', pointer: '/structuredContent/sum', value: 3 },
        { kind: 'equals', pointer: '/structuredContent/sum', value: 4 },
        { kind: 'contains', text: 'nowhere to be found' },
        { kind: 'under', limit: 60_000 },
        { kind: 'no-must' },
      ],
    }
    const [report] = await all([step], await open(sample()))
    expect(report!.expectations.map(({ met }) => met)).toEqual([true, true, false, false, true, true])
    expect(report!.expectations[2]!.found).toBe('3')
    expect(report!.passed).toBe(false)
  })
})

describe('what was sent by hand', () => {
  const request = (id: number, name: string, args: JsonObject = {}) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })
  /** A recording in which two calls were sent with the same id. */
  const recorded = async () => {
    const session = await open(sample())
    await session.raw(request(7, 'echo', { message: 'one' }))
    await session.raw(request(7, 'echo', { message: 'two' }))
    await session.raw(request(8, 'fail'))
    await session.raw('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}')
    await expect.poll(() => foldAll(exchanges, session.trace).pending).toBe(0)
    await session.close()
    return stepsOf([...session.trace])
  }

  test('BP-04: is sent with ids of its own, one after the other, and compared with what came then', async () => {
    const steps = await recorded()
    const session = await open(sample())
    const reports = await all([...steps, ...steps], session)
    expect(verdicts(reports)).toEqual(Array.from({ length: 8 }, () => 'same'))
    expect(reports.every(({ passed }) => passed)).toBe(true)
    expect(
      reports.slice(0, 3).map(({ outcome }) => JSON.stringify(outcome).replace(/.*"text":"(\w+).*/, '$1')),
    ).toEqual(['one', 'two', expect.any(String)])
    const sent = [...session.trace].flatMap((frame) =>
      frame.kind === 'message' && frame.byHand && frame.type === 'request'
        ? [(frame.message as { id: number }).id]
        : [],
    )
    expect(new Set(sent).size).toBe(6)
    const { all: exchanged, orphans } = foldAll(exchanges, session.trace)
    expect(exchanged.filter(({ status }) => status === 'pending')).toEqual([])
    expect(orphans.size).toBe(0)
  })

  test('a request that nobody responds to is no pass, and is not left pending', async () => {
    const session = await open(silent())
    const step: Step = { id: 'a', link: 's1', kind: 'raw', method: 'tools/call', text: request(1, 'echo') }
    const [report] = await all([step], session, { rawLimit: 20 })
    expect(report).toMatchObject({ verdict: 'missing', passed: false, outcome: { ended: 'timeout' } })
    const last = foldAll(exchanges, session.trace).all.at(-1)
    expect(last).toMatchObject({ status: 'timeout' })
  })

  test('a call that never got a response in the recording passes if it gets none now, and not if it can’t be sent', async () => {
    const session = await open(sample([{ ...SAMPLE_TOOLS[0]!, run: () => new Promise(() => {}) }]))
    const step = (ended: 'lost' | 'cancelled' | 'timeout'): Step => ({
      ...{
        id: ended,
        link: 's1',
        kind: 'request',
        method: 'tools/call',
        params: { name: 'echo', arguments: { message: 'hi' } },
      },
      recorded: { took: 20, ended },
    })
    const reports = await all([step('lost'), step('cancelled'), step('timeout')], session)
    expect(reports.map(({ verdict, passed }) => [verdict, passed])).toEqual([
      ['same', true],
      ['same', true],
      ['same', true],
    ])
    await session.close()
    expect(verdicts(await all([step('cancelled')], session))).toEqual(['not-sent'])
  })

  test('a step whose request was redacted is left out, not sent', async () => {
    const session = await open(sample())
    const params = { name: 'echo', arguments: { message: '‹removed: name:password›' } }
    const before = session.trace.length
    const [report] = await all([{ id: 'a', link: 's1', kind: 'request', method: 'tools/call', params }], session)
    expect(report).toMatchObject({ verdict: 'skipped', passed: true, problem: { code: 'redacted' } })
    expect(session.trace.length).toBe(before)
    await session.close()
  })

  test('what the server refuses with an HTTP status was sent, and did not pass', async () => {
    const session = await open(new StreamableHttpTransport({ url: inject('everythingUrl') }))
    const step: Step = { id: 'a', link: 's1', kind: 'raw', method: '', text: '{"jsonrpc":"1.0","id":1,"method":7}' }
    const [report] = await all([step], session)
    expect(report).toMatchObject({ verdict: 'missing', passed: false, outcome: { ended: 'lost' } })
    await session.close()
  })
})

describe.each([
  ['by requests of the server', 'v1', '2025-11-25'],
  ['in results that ask', 'v2', '2026-07-28'],
] as const)('questions that came %s', (_, way, revision) => {
  const rich = (key: string) => new StreamableHttpTransport({ url: `${inject('richUrl')}/${way}/rerun-${key}` })
  const form = { action: 'accept', content: { name: 'Ada', days: ['mon'] } }

  test('are answered from the recording', async () => {
    const first = await open(
      rich('first'),
      { 'elicitation/create': () => form, 'roots/list': () => ({ roots: [] }) },
      revision,
    )
    await called(first, 'ask-form')
    await called(first, 'ask-roots')
    await first.close()
    const steps = stepsOf([...first.trace]).filter(({ method }) => method === 'tools/call')
    expect(steps.map(({ answers }) => answers?.map(({ method, result }) => [method, result]))).toEqual([
      [['elicitation/create', form]],
      [['roots/list', { roots: [] }]],
    ])

    let script: ScriptedAnswers | undefined
    const answer =
      (method: string) =>
      (params: JsonObject, _signal: AbortSignal, { key }: { key?: string }) =>
        script!.answer(method, params, key)
    const again = await open(
      rich('again'),
      { 'elicitation/create': answer('elicitation/create'), 'roots/list': answer('roots/list') },
      revision,
    )
    const reports = await all(steps, again, { script: (next) => (script = next) })
    await again.close()
    expect(verdicts(reports)).toEqual(['same', 'same'])
    expect(reports.every(({ extra, unasked }) => extra.length === 0 && unasked.length === 0)).toBe(true)
  })
})
