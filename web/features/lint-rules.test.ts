/** A violation shown by a panel also appears in Overview, report, trace and export: one check, one finding. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { patient } from '../../tests/patience.ts'
import { SpecRules } from '../../proxy/commands/connections.ts'
import { judged } from '../app/sharing.ts'
import { sharedLint } from '../lint/shared.ts'
import { modern, Talk } from '../lint/talk.case.ts'
import { findingsAt } from '../trace/found.ts'
import { loadRequirements } from '../lint/requirements.ts'
import { titleOf } from '../lint/text/titles.case.ts'
import { groups } from '../lint/run.ts'
import { type FindingOrAdvice, type Json, type JsonObject, REVISIONS, type Revision, type Trace } from '../mcp/index.ts'
import { headOf } from '../session-file/write.ts'
import { reportOf } from '../session-file/formats/markdown-report.ts'
import { validator } from '../../tests/validator.ts'
import { featureRules } from './lint-rules.ts'
import { loadFeatureRules } from './lint.ts'
import { violationsOf } from './overview/report.ts'

// Node can't run the page's workers.
vi.mock('../forms/page-validator.ts', async () => ({
  pageValidator: (await import('../../tests/validator.ts')).validator,
}))

const leaving: AbortController[] = []
afterEach(() => {
  for (const each of leaving.splice(0)) each.abort()
})

/** All findings of the page's lint, once it has reached the end of the trace. */
const lintOf = async (trace: Trace) => {
  const controller = new AbortController()
  leaving.push(controller)
  const found = await sharedLint(trace, controller.signal, loadFeatureRules)
  await expect.poll(() => found.reached, { timeout: patient(60_000) }).toBe(trace.length)
  return found
}

const cited = async (trace: Trace): Promise<string[]> =>
  [...(await lintOf(trace)).current.bySeq.values()].flat().map(({ rule, keyword }) => `${rule} ${keyword}`)

const NUMBER = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
const TOOL = { name: 'add', inputSchema: { type: 'object' }, outputSchema: NUMBER }

/** A call of a tool with an outputSchema. @returns the frame of its result */
const call = (talk: Talk, structuredContent: JsonObject, more: JsonObject = {}) => {
  talk.answer(talk.ask('tools/list'), { tools: [TOOL] })
  const content = [{ type: 'text', text: JSON.stringify(structuredContent) }]
  return talk.answer(talk.ask('tools/call', { name: 'add', arguments: {} }), { content, structuredContent, ...more })
}

const sampling = (params: JsonObject): JsonObject => ({
  messages: [{ role: 'user', content: { type: 'text', text: 'x' } }],
  maxTokens: 1,
  ...params,
})

const form = (properties: JsonObject, message = 'Who are you?'): JsonObject => ({
  message,
  requestedSchema: { type: 'object', properties },
})

const asks = (talk: Talk, method: string, params: JsonObject) =>
  talk.received({ jsonrpc: '2.0', id: `s${talk.trace.length}`, method, params })

/** One session with the four violations that used to be on screen only. @returns the frame of each */
const wrong = () => {
  const talk = new Talk().shakeHands('2025-11-25', undefined, { sampling: {}, elicitation: { form: {} } })
  const mismatch = call(talk, { sum: 'three' })
  talk.answer(talk.ask('logging/setLevel', { level: 'error' }), {})
  const log = talk.tells('notifications/message', { level: 'debug', data: 'x' })
  const secret = asks(talk, 'elicitation/create', form({ password: { type: 'string' } }))
  const context = asks(talk, 'sampling/createMessage', sampling({ includeContext: 'allServers' }))
  const frames = { 'SF-TOOL-14': mismatch, 'SF-LOG-02': log, 'CF-FORM-09': secret, 'CF-SAMP-14': context }
  return { talk, frames: Object.entries(frames) }
}

test('TASK-10: a completed task whose tool result has isError is a finding, at the version that has the rule', async () => {
  const talk = new Talk().shakeHands('2025-11-25', undefined, { tasks: {} })
  const time = '2025-11-25T00:00:00Z'
  const task = { taskId: 't', status: 'working', createdAt: time, lastUpdatedAt: time, ttl: null }
  talk.answer(talk.ask('tools/call', { name: 'x', task: {} }), { task })
  talk.answer(talk.ask('tasks/get', { taskId: 't' }), { ...task, status: 'completed' })
  const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 't' } }
  const seq = talk.answer(talk.ask('tasks/result', { taskId: 't' }), { content: [], isError: true, _meta })
  expect(findingsAt(seq, await lintOf(talk.trace))).toMatchObject([{ rule: 'TASK-10', keyword: 'MUST' }])
})

describe('a mismatch with outputSchema, a log below its level, a form for a secret, context that was not declared', () => {
  const EXPECTED = ['SF-TOOL-14 MUST', 'SF-LOG-02 MAY', 'CF-FORM-09 MUST', 'CF-SAMP-14 SHOULD']

  test('are in the counts and rules of Overview and its report', async () => {
    const { talk } = wrong()
    const { MUST, SHOULD, violations } = violationsOf((await lintOf(talk.trace)).current, talk.link)
    expect([MUST, SHOULD]).toEqual([2, 1])
    expect(violations.map(({ rule, keyword }) => `${rule} ${keyword}`).sort()).toEqual([...EXPECTED].sort())
    expect(violations.find(({ rule }) => rule === 'SF-TOOL-14')?.explanation).toContain('outputSchema of "add"')
  })

  test('stand at their frames in the trace', async () => {
    const { talk, frames } = wrong()
    const found = await lintOf(talk.trace)
    for (const [rule, seq] of frames) expect(findingsAt(seq, found)).toMatchObject([{ rule }])
  })

  test('are in what leaves as a file, and in the report in Markdown', async () => {
    const { talk, frames } = wrong()
    const all = [...talk.trace]
    const findings: ReadonlyMap<number, readonly FindingOrAdvice[]> = await judged(all)
    const head = headOf({ begunAt: '', tool: { name: '', version: '' }, servers: [] })
    const text = (await reportOf(head, all, { findings })).join('')
    for (const [rule, seq] of frames) expect(text).toMatch(new RegExp(`Frame ${seq}: .*${rule}`))
  })

  test('are violations of a recording on the command line', async () => {
    const { talk } = wrong()
    const rules = await SpecRules.over(talk.trace)
    expect(await rules.musts(talk.link, 0)).toBe(2)
    expect((await rules.newMusts([])).map(({ rule }) => rule)).toEqual(['SF-TOOL-14', 'CF-FORM-09'])
    expect(await rules.newMusts([...talk.trace])).toEqual([])
  })
})

describe('outputSchema (SF-TOOL-14)', () => {
  const of = async (
    structuredContent: JsonObject,
    more?: JsonObject,
    revision: '2025-03-26' | '2025-11-25' = '2025-11-25',
  ) => {
    const talk = new Talk().shakeHands(revision)
    call(talk, structuredContent, more)
    return (await cited(talk.trace)).filter((each) => each.includes('SF-TOOL-14'))
  }

  test('nothing is found in a result that matches, in an error, and before the rule existed', async () => {
    expect(await of({ sum: 3 })).toEqual([])
    expect(await of({ why: 'x' }, { isError: true })).toEqual([])
    expect(await of({ sum: 'three' }, {}, '2025-03-26')).toEqual([])
  })

  test('what cannot be checked is listed as such', async () => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.answer(talk.ask('tools/list'), { tools: [{ ...TOOL, outputSchema: { type: 'object', $ref: 'http://h/x' } }] })
    talk.answer(talk.ask('tools/call', { name: 'add' }), { content: [], structuredContent: { sum: 3 } })
    expect(await cited(talk.trace)).toContain('SF-TOOL-14 MAY')
  })

  test('the result of a task is held to it, once', async () => {
    const talk = new Talk().discover(undefined, { extensions: { 'io.modelcontextprotocol/tasks': {} } })
    const tools = modern({ tools: [TOOL], ttlMs: 0, cacheScope: 'private' })
    talk.answer(talk.ask('tools/list', talk.envelope()), tools)
    const task = { taskId: 't', status: 'working', createdAt: 'x', lastUpdatedAt: 'x', ttlMs: null }
    const called = talk.ask('tools/call', talk.envelope({ name: 'add', arguments: {} }))
    talk.answer(called, { ...modern(), ...task, resultType: 'task' })
    const result = { content: [{ type: 'text', text: '{"sum":"x"}' }], structuredContent: { sum: 'x' } }
    for (let poll = 0; poll < 2; poll++) {
      const id = talk.ask('tasks/get', talk.envelope({ taskId: 't' }))
      talk.answer(id, modern({ ...task, status: 'completed', result }))
    }
    expect((await cited(talk.trace)).filter((each) => each === 'SF-TOOL-14 MUST')).toHaveLength(1)
  })
})

test('context is asked for freely where sampling.context was declared (CF-SAMP-14)', async () => {
  const talk = new Talk().shakeHands('2025-11-25', undefined, { sampling: { context: {} } })
  asks(talk, 'sampling/createMessage', sampling({ includeContext: 'thisServer' }))
  expect(await cited(talk.trace)).toEqual([])
})

const logged = async (data: unknown) => {
  const talk = new Talk().shakeHands('2025-11-25')
  talk.tells('notifications/message', { level: 'debug', data: data as Json })
  return (await cited(talk.trace)).filter((each) => each.startsWith('SEC-15'))
}

test.each([
  'connecting to postgres://admin:hunter2@db.internal:5432/prod',
  'Authorization: Bearer 5cGq2vXn8LrT4wKd9pZ1',
  { headers: { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl' } },
  { password: 'Tr0ub4dor&3' },
])('SEC-15: the log message %j contains a secret', async (data) => expect(await logged(data)).toEqual(['SEC-15 MUST']))

test.each([
  'disk 91 % full',
  'the token has expired',
  'token: [redacted]',
  { password: '••••••••' },
  { msg: 'cache miss', key: '8d379f' },
  { tokens: 1204, session: 'f3a91c22' },
  'GET https://example.com/items?page=2 took 41 ms',
  '0b7c9f2e-4f4e-4b3e-9a53-0f9d3c1f9a11',
])("SEC-15: the log message %j doesn't", async (data) => expect(await logged(data)).toEqual([]))

test('a log at its level or above, or while the level is being set, is fine (SF-LOG-02)', async () => {
  const talk = new Talk().shakeHands('2025-11-25')
  talk.tells('notifications/message', { level: 'debug', data: 'x' })
  const id = talk.ask('logging/setLevel', { level: 'error' })
  talk.tells('notifications/message', { level: 'info', data: 'x' })
  talk.answer(id, {})
  talk.tells('notifications/message', { level: 'critical', data: 'x' })
  expect(await cited(talk.trace)).toEqual([])
})

test('requests in a result are judged as requests are (MRTR-02)', async () => {
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {} }
  const talk = new Talk().discover(undefined, capabilities)
  const id = talk.ask('tools/call', talk.envelope({ name: 'x', arguments: {} }, capabilities))
  const inputRequests = {
    a: { method: 'elicitation/create', params: { mode: 'form', ...form({ api_key: { type: 'string' } }) } },
    b: { method: 'sampling/createMessage', params: sampling({ includeContext: 'allServers' }) },
  }
  const seq = talk.answer(id, modern({ resultType: 'input_required', inputRequests, requestState: 's' }))
  const found = findingsAt(seq, await lintOf(talk.trace))
  expect(found.filter(({ keyword }) => keyword !== 'MAY')).toMatchObject([
    { rule: 'CF-FORM-09', pointer: '/result/inputRequests/a/params/requestedSchema/properties/api_key' },
    { rule: 'CF-SAMP-14', pointer: '/result/inputRequests/b/params/includeContext' },
  ])
})

const choice = { type: 'string', enum: ['r', 'g'] }
const multiple = {
  type: 'array',
  items: {
    anyOf: [
      { const: 'r', title: 'R' },
      { const: 'g', title: 'G' },
    ],
  },
}
/** Fields that no answer fits, or not the one that they suggest. */
const unfit: readonly (readonly [string, JsonObject])[] = [
  ['CF-FORM-05 SHOULD', { ...choice, default: 'b' }],
  ['CF-FORM-05 SHOULD', { type: 'string', oneOf: multiple.items.anyOf, default: 'b' }],
  ['CF-FORM-05 SHOULD', { ...multiple, default: ['r', 'b'] }],
  ['CF-FORM-05 SHOULD', { ...multiple, minItems: 2, default: ['r'] }],
  ['CF-FORM-05 SHOULD', { type: 'string', maxLength: 2, default: 'abc' }],
  ['CF-FORM-05 SHOULD', { type: 'string', format: 'date', default: 'today' }],
  ['CF-FORM-05 SHOULD', { type: 'integer', default: 1.5 }],
  ['CF-FORM-05 SHOULD', { type: 'number', maximum: 1, default: 2 }],
  ['CF-FORM-06 MUST', { ...multiple, minItems: 2, maxItems: 1 }],
  ['CF-FORM-06 MUST', { ...multiple, minItems: 3 }],
]
const fit: readonly JsonObject[] = [
  { ...choice, default: 'g' },
  { ...multiple, minItems: 1, maxItems: 2, default: ['r'] },
  { ...multiple, minItems: 2, maxItems: 2 },
  { type: 'string', minLength: 1, maxLength: 2, default: '🎈🎈' },
  { type: 'string', format: 'date', default: '2026-01-01' },
  { type: 'string', format: 'email', default: '' },
  { type: 'integer', minimum: 1, maximum: 1, default: 1 },
  { type: 'boolean', default: false },
]

describe('what else a panel names is a finding, as strongly as the panel says:', () => {
  const ALL = { sampling: { tools: {} }, elicitation: { form: {}, url: {} } }
  const at = (revision: Revision, say: (talk: Talk) => void): Talk => {
    const talk = revision === '2026-07-28' ? new Talk().discover() : new Talk().shakeHands(revision, undefined, ALL)
    say(talk)
    return talk
  }
  const elicits = (params: JsonObject) => (talk: Talk) => void asks(talk, 'elicitation/create', params)
  const samples = (params: JsonObject) => (talk: Talk) => void asks(talk, 'sampling/createMessage', sampling(params))
  /** 2026-07-28: in a call's result. */
  const within = (method: string, params: JsonObject) => (talk: Talk) => {
    const id = talk.ask('tools/call', talk.envelope({ name: 'x', arguments: {} }, ALL))
    talk.answer(id, modern({ resultType: 'input_required', inputRequests: { a: { method, params } } }))
  }
  const task = (more: JsonObject) => (talk: Talk) => {
    const times = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' }
    const handle = { taskId: 't', status: 'working', ttl: null, ...times, ...more }
    talk.answer(talk.ask('tools/call', { name: 'x', arguments: {}, task: {} }), { task: handle })
  }
  const extensionTask = (more: JsonObject) => (talk: Talk) => {
    const id = talk.ask('tasks/get', talk.envelope({ taskId: 't' }))
    const times = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' }
    talk.answer(id, modern({ taskId: 't', status: 'working', ttlMs: null, ...times, ...more }))
  }
  const calls = Array.from({ length: 12 }, (_, index): JsonObject[] => [
    { role: 'assistant', content: { type: 'tool_use', id: `${index}`, name: 'x', input: {} } },
    { role: 'user', content: { type: 'tool_result', toolUseId: `${index}`, content: [] } },
  ]).flat()
  const several = { type: 'array', items: { type: 'string', enum: ['x'] } }
  const DRAFT_07 = { $schema: 'http://json-schema.org/draft-07/schema#' }
  const schemas = (property: JsonObject, more: JsonObject = {}) => ({
    inputSchema: { type: 'object', properties: { a: property }, ...more },
  })
  const lists = (method: string, member: string, more: JsonObject) => (talk: Talk) => {
    const result = { [member]: [{ name: 'x', inputSchema: { type: 'object' }, ...more }] }
    const isModern = [...talk.trace].some(
      (frame) => frame.kind === 'session' && frame.phase === 'open' && frame.peer.era === 'stateless',
    )
    const id = talk.ask(method, isModern ? talk.envelope() : {})
    talk.answer(id, isModern ? modern({ ...result, ttlMs: 0, cacheScope: 'private' }) : result)
  }
  const gets = (content: Json) => (talk: Talk) =>
    void talk.answer(talk.ask('prompts/get', { name: 'x' }), { messages: [{ role: 'user', content }] })
  const page = { mode: 'url', message: 'x', url: 'https://h.example/', elicitationId: 'e' }

  test.each<[string, Revision, (talk: Talk) => void]>([
    ['CF-ELIC-01 MUST', '2025-06-18', elicits({ ...page })],
    ['CF-ELIC-05 MUST', '2025-11-25', elicits({ mode: 'voice', message: 'x' })],
    ['CF-FORM-03 MAY', '2025-06-18', elicits(form({ a: { type: 'string', default: 'x' } }))],
    ['CF-FORM-03 MUST', '2025-06-18', elicits(form({ a: { type: 'string', oneOf: [{ const: 'x', title: 'X' }] } }))],
    ['CF-FORM-04 MUST', '2025-11-25', elicits(form({ a: { type: 'string', oneOf: [{ const: 'x' }] } }))],
    ['CF-FORM-06 MUST', '2025-11-25', elicits(form({ a: { ...several, maxItems: -1 } }))],
    ['CF-FORM-06 MUST', '2026-07-28', within('elicitation/create', form({ a: { ...several, minItems: -1 } }))],
    ...unfit.flatMap(([rule, field]): [string, Revision, (talk: Talk) => void][] => [[rule, '2025-11-25', elicits(form({ a: field }))], [rule, '2026-07-28', within('elicitation/create', form({ a: field }))]]),
    ...(['minLength', 'maxLength'] as const).map((limit): [string, Revision, (talk: Talk) => void] => ['CF-FORM-02 MUST', '2025-06-18', elicits(form({ a: { type: 'string', [limit]: '3' } }))]),
    ['CF-FORM-02 MUST', '2025-06-18', elicits(form({ a: { type: 'string', minLength: 3, maxLength: 2 } }))],
    ['CF-FORM-01 MUST', '2025-06-18', elicits(form({ a: { type: 'number', minimum: 3, maximum: 2 } }))],
    ['CF-FORM-10 SHOULD', '2025-11-25', elicits(form({ a: { type: 'string' } }, 'See https://h.example/'))],
    ['CF-URL-08 MUST', '2026-07-28', within('elicitation/create', page)],
    ['SEC-04 MUST', '2025-11-25', elicits({ ...page, url: 'file:///etc/passwd' })],
    ['CF-URL-02 SHOULD', '2025-11-25', elicits({ ...page, url: 'http://h.example/' })],
    ['CF-SAMP-05 MUST', '2025-11-25', samples({ modelPreferences: { costPriority: 2 } })],
    ['CF-SAMP-09 MUST', '2025-11-25', samples({ messages: calls.slice(0, 1) })],
    ['CF-SAMP-11 MAY', '2025-11-25', samples({ messages: [{ role: 'user', content: { type: 'text', text: 'x' } }, ...calls] })],
    ['CF-SAMP-15 MAY', '2026-07-28', within('sampling/createMessage', sampling({}))],
    ['SF-RES-05 MUST', '2026-07-28', (talk) => void talk.answer(talk.ask('resources/read', talk.envelope({ uri: 'a:b' })), modern({ contents: [], ttlMs: 0, cacheScope: 'private' }))],
    ['SF-PROMPT-03 MUST', '2024-11-05', gets('hi')],
    ['SF-PROMPT-03 MUST', '2025-11-25', gets('hi')],
    ['JS-04 MUST', '2025-11-25', lists('tools/list', 'tools', schemas({ enum: 'red,green' }))],
    ['JS-04 MUST', '2026-07-28', lists('tools/list', 'tools', schemas({ required: true }))],
    ['JS-04 MUST', '2026-07-28', lists('tools/list', 'tools', schemas({ minLength: -1 }, DRAFT_07))],
    ['JS-04 MUST', '2026-07-28', lists('tools/list', 'tools', { outputSchema: { items: [{}] } })],
    ...(['{open', 'a}', 'a{{b}}', 'a{}'] as const).flatMap((end) => REVISIONS.map((revision): [string, Revision, (talk: Talk) => void] => ['SF-RES-06 MUST', revision, lists('resources/templates/list', 'resourceTemplates', { uriTemplate: `file:///${end}` })])),
    ...(['no uri', 'file:///my file.md', 'C:\\docs\\a.md', 'a:b%zz', 'a:<b>', 'file:///naïve'] as const).flatMap((uri) => REVISIONS.map((revision): [string, Revision, (talk: Talk) => void] => ['SF-RES-12 SHOULD', revision, lists('resources/list', 'resources', { uri })])),
    ['SF-TOOL-17 SHOULD', '2025-11-25', (talk) => void talk.answer(talk.ask('tools/call', { name: 'x' }), { content: [{ type: 'text', text: '{}' }], structuredContent: { a: 1 } })],
    ['SF-COMP-04 MUST', '2025-11-25', (talk) => void talk.answer(talk.ask('completion/complete'), { completion: { values: ['a', 'b'], total: 1 } })],
    ['SF-PROMPT-02 MUST', '2025-11-25', (talk) => void talk.answer(talk.ask('prompts/list'), { prompts: [{ name: 'x', arguments: [{ name: 'a' }, { name: 'a' }] }] })],
    ['TASK-05 SHOULD', '2025-11-25', task({ pollInterval: -1 })],
    ['TASK-15 MUST', '2025-11-25', task({ ttl: -1 })],
    ['TEXT-05 SHOULD', '2026-07-28', extensionTask({ pollIntervalMs: -1 })],
  ])('%s', async (expected, revision, say) => {
    expect(await cited(at(revision, say).trace)).toContain(expected)
  }) // prettier-ignore

  test.each<[string, Revision, (talk: Talk) => void]>([
    ['a maximum of a choice', '2025-11-25', elicits(form({ a: { ...several, maxItems: 0 } }))],
    ['a default of a boolean', '2025-06-18', elicits(form({ a: { type: 'boolean', default: true } }))],
    ['a content block', '2025-11-25', gets({ type: 'text', text: 'hi' })],
    ['properties named like keywords', '2025-11-25', lists('tools/list', 'tools', schemas({ properties: { enum: { type: 'string' }, required: {} } }))],
    ['items of draft-07', '2026-07-28', lists('tools/list', 'tools', schemas({ items: [{}] }, DRAFT_07))],
    ['keywords of an unknown dialect', '2026-07-28', lists('tools/list', 'tools', schemas({ required: true }, { $schema: 'https://example.com/own' }))],
    ['a schema before the rule', '2025-06-18', lists('tools/list', 'tools', schemas({ enum: 'red' }))],
    ...fit.flatMap((field): [string, Revision, (talk: Talk) => void][] => [['a field', '2025-11-25', elicits(form({ a: field }))], ['a field', '2026-07-28', within('elicitation/create', form({ a: field }))]]),
    ...REVISIONS.map((revision): [string, Revision, (talk: Talk) => void] => ['a URI', revision, lists('resources/list', 'resources', { uri: "x-y://[::1]/a%20b~(c)?d=e&f='#g" })]),
    ...REVISIONS.map((revision): [string, Revision, (talk: Talk) => void] => ['a template', revision, lists('resources/templates/list', 'resourceTemplates', { uriTemplate: 'file:///{+path}{?a,b*}' })]),
  ])('nothing is said of %s in %s', async (_what, revision, say) => {
    expect((await cited(at(revision, say).trace)).filter((each) => !each.endsWith('MAY'))).toEqual([])
  }) // prettier-ignore
})

/** Ids that panels cite for user input or for what this page sends: servers aren't judged by them. */
const OURS: Readonly<Record<string, string>> = {
  'CF-FORM-07': 'a form that the user fills in',
  'CF-ROOT-05': 'a root that the user enters',
  'CF-SAMP-06': 'a response that the user writes',
  'CF-SAMP-08': 'a response that the user writes',
  'TASK-02': 'a tool call that this page sends',
  'TASK-03': 'a tool call that this page sends',
  'TEXT-01': 'a tool call that this page sends',
  'BP-22': 'a raw message that the user writes',
  'BP-23': 'a raw message that the user writes',
}

test('every id that a panel can name is one that the lint can report', async () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const ids = new Set((await loadRequirements()).map(({ id }) => id))
  const named = new Map<string, string>()
  // Catalogues explain what the page itself does; a panel's findings are named in code.
  for (const file of files.filter(
    (path) => /\.(ts|svelte)$/.test(path) && !/\.(test|case)\.ts$|lint\.ts$|text\//.test(path),
  )) {
    for (const id of idsIn(join(import.meta.dirname, file))) if (ids.has(id)) named.set(id, file)
  }
  // Otherwise the comparison would prove nothing.
  expect(named.size).toBeGreaterThan(50)
  const shapes = join(import.meta.dirname, '../mcp/schema')
  const reportable = new Set([
    ...[...groups, ...featureRules(validator)].flatMap(({ rules }) => rules),
    ...readdirSync(shapes).flatMap((file) => (file.endsWith('.test.ts') ? [] : idsIn(join(shapes, file)))),
    ...idsIn(join(import.meta.dirname, '../mcp/jsonrpc.ts')),
  ])
  const missing = Array.from(named, ([id, file]) => `${id} in ${file}`).filter((line) => {
    const id = line.split(' ')[0]!
    return !reportable.has(id) && !Object.hasOwn(OURS, id)
  })
  expect(missing).toEqual([])
})

/** Ignores comments. */
const idsIn = (path: string): string[] => {
  const code = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|(?<=^|\s)\/\/.*$/gm, '')
  return code.match(/\b[A-Z]{2,6}(?:-[A-Z0-9]{2,6})?-\d{2}\b/g) ?? []
}

test('every id that a feature may cite has a title in both languages', () => {
  for (const id of featureRules(validator).flatMap(({ rules }) => rules)) {
    for (const language of ['en', 'zh-CN'] as const) expect(titleOf(language, id), id).toBeDefined()
  }
})
