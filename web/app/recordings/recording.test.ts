/** A recording shows the same as the live session: every fold that a view reads, after reopening and at any moment. */
import fc from 'fast-check'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { patient } from '../../../tests/patience.ts'
import { ordinarySession } from '../../../tests/sessions/ordinary.ts'
import { plantedSession } from '../../../tests/sessions/planted.ts'
import { featureSources, foldsAskedFor } from '../../features/folds.case.ts'
import { findings } from '../../lint/run.ts'
import { levelsOf, loadRequirements } from '../../lint/requirements.ts'
import { shapes } from '../../lint/shapes.ts'
import {
  Bridge,
  exchanges,
  isObject,
  LoopbackTransport,
  Session,
  StdioBridgeTransport,
  StreamableHttpTransport,
  Trace,
  type Answers,
  type Fold,
  type Frame,
  type Json,
  type JsonObject,
  type Transport,
  signIns,
} from '../../mcp/index.ts'
import { signing } from '../../oauth/signing.case.ts'
import { createSampleServer } from '../../sample/server.ts'
import { readSession } from '../../session-file/read.ts'
import type { OpenedSession } from '../../session-file/file.ts'
import { headOf, sessionText } from '../../session-file/write.ts'
import { httpExchanges } from '../../mcp/http-exchange.ts'
import { Moment, viewFolds } from './recording-moment.ts'
import { FoldedTrace } from '../folded-trace.ts'
import { connections } from '../server/index.ts'

/** The folds of the views and of the trace dock. */
const said = findings({ levels: levelsOf(await loadRequirements()), shapes })
const FOLDS: readonly Fold<unknown>[] = [...(await viewFolds()), httpExchanges, signIns]

const BEGUN = Date.UTC(2026, 0, 1)

/** The states of all folds. For lint, only the findings: the rules keep internal state. */
const statesOf = (folded: FoldedTrace): unknown[] => {
  const { bySeq, byRule, byLink, counts } = folded.state(said).current
  return [
    folded.state(exchanges).current,
    folded.state(connections).current,
    { bySeq, byRule, byLink, counts },
    ...FOLDS.map((fold) => folded.state(fold).current),
  ]
}

interface Live {
  readonly frames: readonly Frame[]
  /** States by number of frames. */
  readonly seen: ReadonlyMap<number, unknown[]>
}

/** Follows a trace like a page does, and copies all states at growing lengths: 1, 2, 3, 5, 8 … */
const follow = (trace: Trace): (() => Live) => {
  const folded = new FoldedTrace(trace)
  statesOf(folded)
  const seen = new Map<number, unknown[]>()
  const copy = (length: number) => void seen.set(length, structuredClone(statesOf(folded)))
  let next = 1
  // Registered last: the folds have processed this frame and no later one.
  const end = trace.subscribe(({ seq }) => {
    if (seq + 1 < next) return
    copy(seq + 1)
    next = Math.ceil((seq + 1) * 1.5)
  })
  return () => {
    end()
    copy(trace.length)
    return { frames: [...trace], seen }
  }
}

const HEAD = headOf({
  begunAt: new Date(BEGUN).toISOString(),
  tool: { name: 'mcp-periscope', version: '0' },
  servers: [{ link: 's1', name: 'one', target: { kind: 'sample' } }],
})

const reopened = (frames: readonly Frame[]): Promise<OpenedSession> =>
  readSession([...sessionText(HEAD, frames)].join(''))

const isSame = async ({ frames, seen }: Live): Promise<void> => {
  const opened = await reopened(frames)
  expect(opened.damage).toEqual([])
  expect(opened.frames).toEqual(frames)
  const moment = new Moment(BEGUN, opened.frames, [...FOLDS, said])
  const moments = [...seen].sort(([one], [other]) => one - other)
  for (const [length, states] of moments) {
    await moment.grow(() => length)
    expect(moment.length).toBe(length)
    expect([length, statesOf(moment)]).toEqual([length, states])
  }
  // Back: the state at another moment, computed directly.
  const [length, states] = moments[Math.floor(moments.length / 2)]!
  const back = new Moment(BEGUN, opened.frames)
  await back.grow(() => length)
  expect(statesOf(back)).toEqual(states)
}

const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
afterAll(() => bridge.leave())

const ANSWERS: Answers = {
  'sampling/createMessage': () =>
    Promise.resolve({ role: 'assistant', model: 'm', content: { type: 'text', text: 'Grüße' }, stopReason: 'endTurn' }),
  'elicitation/create': () => Promise.resolve({ action: 'decline' }),
  'roots/list': () => Promise.resolve({ roots: [{ uri: 'file:///work', name: 'work' }] }),
}

const listed = (value: Json | undefined): readonly JsonObject[] =>
  (Array.isArray(value) ? (value as readonly Json[]) : []).filter(isObject)

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const argumentsOf = (schema: Json | undefined): JsonObject => {
  const { properties, required } = isObject(schema) ? schema : {}
  if (!isObject(properties) || !Array.isArray(required)) return {}
  const one = ({ type, enum: values }: JsonObject): Json =>
    Array.isArray(values) ? (values as Json[])[0]! : type === 'string' ? 'Grüße' : type === 'boolean' ? true : 3
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      (required as Json[]).includes(name) && isObject(property) ? [[name, one(property)]] : [],
    ),
  )
}

/** Slow tools. */
const SLOW = /long|slow|sleep|never|late|simulate|async/i

/** Lists, calls and reads everything, and requests a few things that don't exist. */
const use = async (transport: Transport): Promise<Live> => {
  const trace = new Trace({ begunAt: BEGUN })
  const done = follow(trace)
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '0' },
    capabilities: () => ({ sampling: {}, elicitation: { form: {}, url: {} }, roots: { listChanged: true } }),
    answers: ANSWERS,
    patience: patient(60_000),
  })
  await session.open()
  const ask = (method: string, params: JsonObject = {}) =>
    session.request(method, params, { idle: 500, total: 1_000, progress: true }).catch((): JsonObject => ({}))
  const [{ tools }, { resources }, { prompts }] = await Promise.all([
    ask('tools/list'),
    ask('resources/list'),
    ask('prompts/list'),
    ask('resources/templates/list'),
    ask('logging/setLevel', { level: 'debug' }),
  ])
  const uris = listed(resources)
    .map(({ uri }) => uri!)
    .slice(0, 5)
  await Promise.all(uris.map((uri) => ask('resources/subscribe', { uri })))
  await Promise.all([
    ...listed(tools)
      .filter(({ name }) => !SLOW.test(textOf(name)))
      .map(({ name, inputSchema }) => ask('tools/call', { name: name!, arguments: argumentsOf(inputSchema) })),
    ask('tools/call', { name: 'there is no such tool', arguments: {} }),
    ...uris.map((uri) => ask('resources/read', { uri })),
    ask('resources/read', { uri: 'none://at/all' }),
    ...listed(prompts).map(({ name, arguments: wanted }) =>
      ask('prompts/get', {
        name: name!,
        arguments: Object.fromEntries(listed(wanted).map((each) => [textOf(each.name), 'x'])),
      }),
    ),
    ask('no/such/method'),
  ])
  await session.notify('notifications/roots/list_changed').catch(() => {})
  await session.close()
  return done()
}

const overHttp = (url: string) => () => new StreamableHttpTransport({ url })
const overStdio =
  (script: string, ...args: string[]) =>
  () =>
    new StdioBridgeTransport({
      bridge,
      spawn: { command: inject('nodePath'), args: [`${inject('root')}/${script}`, ...args] },
    })

describe.concurrent('a recording shows in every view what was seen live, at any moment', () => {
  test.each<[string, () => Transport]>([
    ['server-everything over HTTP', overHttp(inject('everythingUrl'))],
    [
      'server-everything over stdio',
      overStdio('node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'stdio'),
    ],
    ['every feature at 2025-11-25', overHttp(`${inject('richUrl')}/v1/recording`)],
    ['every feature at 2026-07-28', overHttp(`${inject('richUrl')}/v2/recording`)],
    ['the SDK v2 at 2026-07-28', overHttp(`${inject('modernUrl')}/recording`)],
    ['tasks by hand', overHttp(`${inject('erasUrl')}/tasks/recording`)],
    ['the sample server', () => new LoopbackTransport(createSampleServer({ wait: async () => {} }))],
    ['one kind of garbage after another', overHttp(`${inject('garbageUrl')}/recording?kind=all&then=answer`)],
    ['garbage over stdio', overStdio('tests/servers/garbage-stdio.mjs', 'all')],
    ['a server with odd tools', overHttp(`${inject('hostileUrl')}/h/odd-tools/recording`)],
    ['a session that is lost on the way', overHttp(`${inject('hostileUrl')}/h/session-404-once/recording`)],
  ])('%s', { timeout: patient(180_000) }, async (_, transport) => {
    const live = await use(transport())
    expect(live.seen.size).toBeGreaterThan(8)
    await isSame(live)
  })
})

test('a sign-in, from the challenge to the call: the same', async () => {
  const one = signing()
  const done = follow(one.trace)
  await one.connect().catch(() => {})
  await one.begin()
  await one.connect()
  await one.call('echo')
  await one.session?.close()
  const live = done()
  expect(live.frames.some(({ kind }) => kind === 'auth')).toBe(true)
  await isSame(live)
})

test('any traffic, in any order of frames: the same', () =>
  fc.assert(
    fc.asyncProperty(
      fc.nat(5_000),
      fc.boolean(),
      fc.array(fc.nat(10_000), { maxLength: 60 }),
      async (seed, plain, order) => {
        const story = plain ? ordinarySession(seed + 1) : plantedSession(seed + 1).frames
        const trace = new Trace({ begunAt: BEGUN })
        const done = follow(trace)
        // The whole story first; then frames out of order, as only a broken peer or a damaged file contains them.
        for (const { seq: _, at: __, ...draft } of [...story, ...order.map((at) => story[at % story.length]!)])
          trace.append(draft)
        await isSame(done())
      },
    ),
    { numRuns: 25 },
  ))

test('every fold that a panel asks for is made before it is shown', { timeout: patient(240_000) }, async () => {
  const asked = await foldsAskedFor(featureSources())
  expect(asked.size).toBeGreaterThan(15)
  const made = new Set(await viewFolds())
  expect([...asked].flatMap(([name, fold]) => (made.has(fold!) ? [] : [name]))).toEqual([])
})
