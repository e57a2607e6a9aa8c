/** Correct servers: every finding about them has to be true, and none may be a MUST. */
import { afterAll, describe, expect, inject, test } from 'vitest'
import { patient } from '../../tests/patience.ts'
import {
  Bridge,
  HttpSseTransport,
  isObject,
  Session,
  StdioBridgeTransport,
  StreamableHttpTransport,
  Trace,
  type Json,
  type JsonObject,
  type Revision,
  type Transport,
} from '../mcp/index.ts'
import { validator } from '../../tests/validator.ts'
import { featureRules } from '../features/lint-rules.ts'
import { deferredChecks, findings } from './run.ts'
import { shapes } from './shapes.ts'
import { levels, listed } from './talk.case.ts'

const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
afterAll(() => bridge.leave())

const overStdio = (...args: string[]) => {
  const [script, ...rest] = args.map((part) => part.replace('~', inject('root')))
  return new StdioBridgeTransport({ bridge, spawn: { command: inject('nodePath'), args: [script!, ...rest] } })
}
const EVERYTHING = '~/node_modules/@modelcontextprotocol/server-everything/dist/index.js'

const CAPABILITIES: JsonObject = { roots: {}, sampling: {}, elicitation: {} }
/** ms for a request that every server answers. */
const ANSWERED = { idle: patient(20_000), total: patient(20_000) }
/** ms for a call: some tools never respond. */
const CALLED = { idle: patient(1_500), total: patient(2_500) }

const argumentOf = (schema: Json | undefined): Json => {
  const { type, enum: values, default: usual } = isObject(schema) ? schema : {}
  if (usual !== undefined) return usual
  if (Array.isArray(values)) return values[0] as Json
  return type === 'number' || type === 'integer' ? 2 : type === 'boolean' ? true : 'x'
}

/** Uses everything a server offers, and requests a few things it doesn't have. */
const use = async (transport: Transport, pinned?: Revision): Promise<{ trace: Trace; revision: Revision }> => {
  const trace = new Trace()
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '0' },
    capabilities: () => CAPABILITIES,
    answers: {
      'roots/list': () => ({ roots: [] }),
      'sampling/createMessage': () => ({ role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' }),
      'elicitation/create': () => ({ action: 'decline' }),
    },
    patience: patient(20_000),
    ...(pinned ? { pinned } : {}),
  })
  const { revision } = await session.open()
  const ask = (method: string, params: JsonObject = {}, limits = ANSWERED) =>
    session.request(method, params, limits).catch((): JsonObject => ({}))
  const { tools } = await ask('tools/list')
  const calls = (Array.isArray(tools) ? (tools as readonly Json[]) : [])
    .filter(isObject)
    .map(({ name, inputSchema }) => {
      const properties = isObject(inputSchema) && isObject(inputSchema.properties) ? inputSchema.properties : {}
      const entries = Object.entries(properties).map(([key, schema]) => [key, argumentOf(schema)] as const)
      return ask('tools/call', { name: name!, arguments: Object.fromEntries(entries) }, CALLED)
    })
  await Promise.all(calls)
  await ask('tools/call', { name: 'there is no such tool', arguments: {} })
  if (revision === '2025-03-26') {
    const batch = session.batch([{ method: 'ping' }, { method: 'tools/list' }])
    await Promise.allSettled(batch.map(({ result }) => result))
  }
  for (const method of ['resources/list', 'resources/templates/list', 'prompts/list', 'no/such/method'])
    await ask(method)
  await ask('resources/read', { uri: 'none://at/all' })
  await session.close()
  return { trace, revision }
}

/** Includes the checks of the features, as in the page. */
const said = async (trace: Trace): Promise<string[]> => {
  const fold = findings({ levels, shapes, features: featureRules(validator) })
  const state = fold.initial()
  for (const frame of trace) {
    fold.step(state, frame)
    await deferredChecks(state)
  }
  return listed(state).map(({ rule, keyword, explanation }) => `${keyword} ${rule}: ${explanation}`)
}

const place = () => `${inject('modernUrl')}/lint-${Math.random().toString(36).slice(2)}`

/** True findings about these servers. */
const TRUE = [
  // A note, not a violation: server-everything sends the keys of its newest protocol version, whatever was negotiated.
  /^MAY LC-09: no such key in this protocol version/,
  // The test gives up early, so on a busy machine a call is answered after its cancellation.
  /^SHOULD UT-CANC-03: A response [\d.]+ s after the request was cancelled$/,
  // Without an event store, the SDK v1 doesn't prime streams.
  /^SHOULD TR-HTTP-21/,
  // It rejects a missing resource with -32602 at 2025-11-25 already.
  /^SHOULD BP-35/,
  // Tools whose text differs from the JSON of their structured content.
  /^SHOULD SF-TOOL-17/,
  // Like most published servers, those of the SDK v1 and the one by hand answer a call of an unknown tool.
  /^MUST SF-TOOL-20: There is no tool "there is no such tool"/,
  // A note: the servers of the SDK v2 request sampling at 2026-07-28, which deprecates it.
  /^MAY CF-SAMP-15: Sampling is deprecated/,
]

/** Features of 2025-11-25 and 2025-06-18 that server-everything uses in older protocol versions, which lack them. */
const TOO_NEW = [
  // Defaults of strings and numbers, and choices with titles.
  /^MAY CF-FORM-03/,
  /^MUST CF-FORM-03: Titles in oneOf/,
  // Multiple choice in a form.
  /^MUST CF-FORM-01: .*found "array" \(from 2025-11-25\)/,
  // Resource links as content.
  /^MUST SF-TOOL-10: .*found "resource_link" \(from 2025-06-18\)/,
  // A request that 2025-03-26 doesn't have, although the client declared it.
  /^SHOULD LC-09: 2025-03-26 has no request "elicitation\/create"/,
]

// Each waits for tools that never respond, so run them concurrently and wait only once.
describe.concurrent('no MUST is said of a server that is well', () => {
  test.each<[string, () => Transport, Revision, Revision | undefined]>([
    ['server-everything over HTTP', () => new StreamableHttpTransport({ url: inject('everythingUrl') }), '2025-11-25', undefined],
    ['server-everything at 2025-06-18', () => new StreamableHttpTransport({ url: inject('everythingUrl') }), '2025-06-18', '2025-06-18'],
    ['server-everything at 2025-03-26', () => new StreamableHttpTransport({ url: inject('everythingUrl') }), '2025-03-26', '2025-03-26'],
    ['the SDK v2 at 2026-07-28', () => new StreamableHttpTransport({ url: place() }), '2026-07-28', undefined],
    ['the SDK v2 at 2025-11-25', () => new StreamableHttpTransport({ url: place() }), '2025-11-25', '2025-11-25'],
    ['the SDK v2, modern alone', () => new StreamableHttpTransport({ url: `${inject('modernOnlyUrl')}/lint` }), '2026-07-28', undefined],
    ['the SDK v1 over HTTP+SSE', () => new HttpSseTransport({ url: inject('sseUrl') }), '2025-11-25', undefined],
    ['server-everything over stdio', () => overStdio(EVERYTHING, 'stdio'), '2025-11-25', undefined],
    ['the SDK v2 over stdio', () => overStdio('~/tests/servers/modern-stdio.mjs'), '2026-07-28', undefined],
    ['a server by hand', () => new StreamableHttpTransport({ url: `${inject('hostileUrl')}/h/good/lint` }), '2025-11-25', undefined],
  ])('%s', { timeout: patient(60_000) }, async (_, transport, expected, pinned) => {
    const { trace, revision } = await use(transport(), pinned)
    expect(revision).toBe(expected)
    expect(trace.length).toBeGreaterThan(30)
    const known = [...TRUE, ...(pinned !== undefined && pinned < '2025-11-25' ? TOO_NEW : [])]
    expect((await said(trace)).filter((line) => !known.some((each) => each.test(line)))).toEqual([])
  }) // prettier-ignore
})

describe.concurrent('no MUST is said of the same tools on both SDKs, in any revision', () => {
  const versed = (path: string) => `${inject('versedUrl')}${path}/lint-${Math.random().toString(36).slice(2)}`

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const)(
    'the SDK v1 at %s, over Streamable HTTP and HTTP+SSE',
    { timeout: patient(60_000) },
    async (newest) => {
      const transports = [
        new StreamableHttpTransport({ url: versed(`/v1/${newest}`) }),
        new HttpSseTransport({ url: versed(`/sse/${newest}`) }),
      ]
      for (const transport of transports) {
        const { trace, revision } = await use(transport)
        expect(revision).toBe(newest)
        expect((await said(trace)).filter((line) => !TRUE.some((known) => known.test(line)))).toEqual([])
      }
    },
  )

  test('the SDK v2 at 2026-07-28', { timeout: patient(60_000) }, async () => {
    const { trace, revision } = await use(new StreamableHttpTransport({ url: versed('/v2') }))
    expect(revision).toBe('2026-07-28')
    expect(await said(trace)).toEqual([])
  })
})
