/**
 * Our definitions agree with the official schemas on every official example and on tens of thousands of mutants. Node
 * only: the schemas are files outside the project.
 */
import { describe, expect, inject, test } from 'vitest'
import { patient } from '../../../tests/patience.ts'
import type { Json, JsonObject } from '../frame.ts'
import { REVISIONS, type Revision } from '../revision.ts'
import { mayGo, methodIn, METHODS, templates } from './methods.ts'
import { dice, eachFault, make, mutate, stockOf, type Dice } from './mutants.case.ts'
import { keysOfField, officialKeys } from './keys.case.ts'
import { absent, loadExamples, loadOfficial, type Official } from './official.case.ts'
import requirements from '../../lint/requirements.json'
import { Walk } from './interpret.ts'
import { notificationParams, requests } from './params-and-results.ts'
import { verdict, type Context } from './verdict.ts'

/** Random ones beside those with each fault; `npm run test:deep` tries 50 times as many. */
const MUTANTS = 8_000 * inject('depth')

interface Case {
  readonly message: Json
  readonly context: Context
}

/** Why no comparison is possible. */
const reason = absent()

describe.each(REVISIONS)('in %s', (revision) => {
  test(
    'a mutant of a message is valid exactly where the official schema finds it valid',
    ({ skip }) => {
      if (reason) skip(reason)
      const official = loadOfficial(revision)
      const roll = dice(20_260_728)
      const bases = messagesOf(official, roll)
      const stock = stockOf(
        bases.map(({ message }) => message),
        official.definitions,
      )
      const tally = { valid: 0, broken: 0 }
      const wrong: string[] = []
      const rules = new Set<string>()
      const put = ({ message, context }: Case) => {
        const expected = official.valid(message, context)
        tally[expected ? 'valid' : 'broken']++
        const found = verdict(message, context)
        for (const { rule } of found) rules.add(rule)
        if (found.some(({ severity }) => severity === 'breach') === expected) {
          wrong.push(JSON.stringify({ expected, message, context, found: found.slice(0, 4) }))
        }
      }
      for (const { message, context } of bases) {
        put({ message, context })
        eachFault(message, (broken) => put({ message: broken, context }))
      }
      for (let left = MUTANTS; left > 0; left--) {
        const { message, context } = bases[Math.floor(roll() * bases.length)]!
        put({ message: mutate(message, stock, roll), context })
      }
      expect(wrong.slice(0, 5)).toEqual([])
      // Both verdicts must be frequent, otherwise the comparison would prove little.
      expect(Math.min(tally.valid, tally.broken)).toBeGreaterThan(MUTANTS / 5)
      // Every cited rule must exist in this protocol version.
      const here = new Set(requirements.filter(({ revisions }) => revision in revisions).map(({ id }) => id))
      expect([...rules].filter((rule) => !here.has(rule))).toEqual([])
      expect(rules.size).toBeGreaterThan(30)
    },
    patient(60_000),
  )

  test('a key is known exactly where the official schema names it', ({ skip }) => {
    if (reason) skip(reason)
    const official = loadOfficial(revision)
    const walk = new Walk(revision)
    for (const [method, { request, result }] of Object.entries(official.names.requests)) {
      const ours = requests[method]!
      expect([method, keysOfField(walk, ours.params)]).toEqual([method, officialKeys(official, request, 'params')])
      if (result !== 'EmptyResult') {
        expect([method, keysOfField(walk, ours.result)]).toEqual([method, officialKeys(official, result)])
      }
    }
    for (const [method, name] of Object.entries(official.names.notifications)) {
      const ours = keysOfField(walk, notificationParams[method]!)
      expect([method, ours]).toEqual([method, officialKeys(official, name, 'params')])
    }
    const known = Object.keys(METHODS).filter((method) => methodIn(method, revision))
    expect(known.sort()).toEqual(
      [...Object.keys(official.names.requests), ...Object.keys(official.names.notifications)].sort(),
    )
  })
})

/**
 * Mostly valid messages: several of each method, from minimal to complete; templates, batches, errors, unknown
 * messages.
 */
const messagesOf = (official: Official, roll: Dice): Case[] => {
  const { revision, definitions, names } = official
  const cases: Case[] = []
  const of = (name: string, optional: number) => make({ $ref: `#/${name}` }, definitions, roll, optional) as JsonObject
  const add = (message: JsonObject, direction: Context['direction'], more: Partial<Context> = {}) =>
    cases.push({ message: { jsonrpc: '2.0', ...message }, context: { revision, direction, ...more } })
  const other = (direction: Context['direction']) => (direction === 'sent' ? 'received' : 'sent')
  for (let round = 0; round < 24; round++) {
    const optional = (round % 8) / 8
    const id = round % 2 === 0 ? round : `id-${round}`
    for (const [method, { request, result }] of Object.entries(names.requests)) {
      const row = methodIn(method, revision)
      // An input request is part of a result.
      if (!row || row.kind === 'input') continue
      const direction = mayGo(row, 'sent') ? 'sent' : 'received'
      const message = { ...of(request, optional), id }
      add(message, direction)
      const answered = {
        method,
        params: (message as JsonObject).params,
        ...(method === 'tasks/result' && { original: 'tools/call' }),
      }
      const values: JsonObject = revision === '2026-07-28' ? { resultType: 'complete' } : {}
      add({ id, result: { ...of(result, optional), ...values } }, other(direction), answered)
      if (revision === '2026-07-28' && `InputRequiredResult` in definitions && /call|get|read/.test(method)) {
        const asked = { ...of('InputRequiredResult', 0.9), resultType: 'input_required' }
        add({ id, result: asked }, other(direction), answered)
      }
      if (revision === '2025-11-25' && /call|create/.test(method)) {
        add({ id, result: of('CreateTaskResult', optional) }, other(direction), {
          method,
          params: { task: {} },
        })
      }
    }
    for (const [method, name] of Object.entries(names.notifications)) {
      add(of(name, optional), mayGo(methodIn(method, revision)!, 'sent') ? 'sent' : 'received')
    }
    const errors = Object.keys(definitions).filter((name) => /Required.*Error$|Mismatch|UnsupportedProtocol/.test(name))
    for (const name of errors) add({ ...of(name, optional), id }, 'received')
    for (const code of [-32602, -32002, -32042, -1]) {
      add({ id, error: { code, message: 'x', data: { supported: [revision], requested: 'x' } } }, 'received')
    }
    add({ id, method: 'x/y', params: { _meta: { progressToken: id } } }, 'sent')
    add({ method: 'x/y', params: { _meta: {} } }, 'sent')
    add({ id, result: { _meta: {}, resultType: 'complete' } }, 'received', { method: 'x/y' })
  }
  for (const [method, params] of Object.entries(templates(revision))) {
    const id: JsonObject = METHODS[method]![0]!.kind === 'request' ? { id: 1 } : {}
    add({ ...id, method, params }, 'sent')
  }
  if (revision === '2025-03-26') {
    const calls = cases.filter(({ message }) => 'method' in (message as JsonObject)).slice(0, 60)
    for (let at = 0; at + 3 < calls.length; at += 3) {
      cases.push({ message: calls.slice(at, at + 3).map(({ message }) => message), context: calls[at]!.context })
    }
    const error = { jsonrpc: '2.0', id: 2, error: { code: -1, message: 'x' } }
    const message = [{ jsonrpc: '2.0', id: 1, result: {} }, error]
    for (let more = 0; more < 10; more++) cases.push({ message, context: { revision, direction: 'received' } })
  }
  if (revision === '2026-07-28') cases.push(...examples())
  return cases
}

const LATEST: Revision = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': LATEST,
  'io.modelcontextprotocol/clientCapabilities': {},
}

const answerTo = (method: string, result: JsonObject): Case => ({
  message: { jsonrpc: '2.0', id: 1, result: { resultType: 'complete', ...result } },
  context: { revision: LATEST, direction: 'received', method },
})
const asking = (inputRequests: Json): Case => answerTo('tools/call', { resultType: 'input_required', inputRequests })
const asked = (method: string, params: Json): Case => asking({ one: { method, params } })
const call = (method: string, params: JsonObject): Case => ({
  message: { jsonrpc: '2.0', id: 1, method, params: { _meta: META, ...params } },
  context: { revision: LATEST, direction: 'sent' },
})
const answering = (inputResponses: Json): Case => call('tools/call', { name: 'x', inputResponses })
const sampling = (content: Json): Case =>
  asked('sampling/createMessage', { messages: [{ role: 'user', content }], maxTokens: 1 })
const fresh = { ttlMs: 0, cacheScope: 'public' }
const field = (one: Json): Case =>
  asked('elicitation/create', { message: 'x', requestedSchema: { type: 'object', properties: { one } } })
const block = (value: Json): Case => answerTo('tools/call', { content: [value] })
const contents = (value: Json): Case => answerTo('resources/read', { ...fresh, contents: [value] })
const whole = (message: Json): Case => ({ message, context: { revision: LATEST, direction: 'received' } })
const failure = (error: Json): Case => whole({ jsonrpc: '2.0', id: 1, error })

/** How an example that isn't a message is embedded in one. */
const EMBED: Readonly<Record<string, (value: JsonObject) => Case>> = {
  AudioContent: block,
  ImageContent: block,
  TextContent: block,
  EmbeddedResource: block,
  ResourceLink: block,
  BlobResourceContents: contents,
  TextResourceContents: contents,
  ClientCapabilities: (value) =>
    call('server/discover', { _meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': value } }),
  ServerCapabilities: (capabilities) =>
    answerTo('server/discover', { ...fresh, capabilities, supportedVersions: [LATEST] }),
  CompleteRequestParams: (params) => call('completion/complete', params),
  CallToolRequestParams: (params) => call('tools/call', params),
  GetPromptRequestParams: (params) => call('prompts/get', params),
  PaginatedRequestParams: (params) => call('tools/list', params),
  CreateMessageRequest: (one) => asking({ one }),
  CreateMessageRequestParams: (params) => asked('sampling/createMessage', params),
  ModelPreferences: (modelPreferences) =>
    asked('sampling/createMessage', { messages: [], maxTokens: 1, modelPreferences }),
  SamplingMessage: (message) => asked('sampling/createMessage', { messages: [message], maxTokens: 1 }),
  ToolUseContent: sampling,
  ToolResultContent: sampling,
  ElicitRequest: (one) => asking({ one }),
  ElicitRequestFormParams: (params) => asked('elicitation/create', params),
  ElicitRequestURLParams: (params) => asked('elicitation/create', params),
  ListRootsRequest: (one) => asking({ one }),
  InputRequests: asking,
  InputRequiredResult: (result) => answerTo('tools/call', result),
  InputResponses: answering,
  CreateMessageResult: (one) => answering({ one }),
  ElicitResult: (one) => answering({ one }),
  ListRootsResult: (one) => answering({ one }),
  Root: (root) => answering({ one: { roots: [root] } }),
  Resource: (resource) => answerTo('resources/list', { ...fresh, resources: [resource] }),
  Tool: (tool) => answerTo('tools/list', { ...fresh, tools: [tool] }),
  BooleanSchema: field,
  NumberSchema: field,
  StringSchema: field,
  CancelledNotificationParams: (params) => ({
    message: { jsonrpc: '2.0', method: 'notifications/cancelled', params },
    context: { revision: LATEST, direction: 'sent' },
  }),
  LoggingMessageNotificationParams: (params) => whole({ jsonrpc: '2.0', method: 'notifications/message', params }),
  ProgressNotificationParams: (params) => whole({ jsonrpc: '2.0', method: 'notifications/progress', params }),
  ResourceUpdatedNotificationParams: (params) =>
    whole({ jsonrpc: '2.0', method: 'notifications/resources/updated', params }),
}

const METHOD_OF: Readonly<Record<string, string>> = {
  CallTool: 'tools/call',
  Complete: 'completion/complete',
  Discover: 'server/discover',
  GetPrompt: 'prompts/get',
  ListPrompts: 'prompts/list',
  ListResources: 'resources/list',
  ListResourceTemplates: 'resources/templates/list',
  ListTools: 'tools/list',
  ReadResource: 'resources/read',
  SubscriptionsListen: 'subscriptions/listen',
}

const caseOf = (definition: string, value: JsonObject): Case => {
  const embed = EMBED[definition]
  if (embed) return embed(value)
  if (/EnumSchema$/.test(definition)) return field(value)
  if (/Error$/.test(definition)) return 'jsonrpc' in value ? whole(value) : failure(value)
  if (/Request$/.test(definition)) return { message: value, context: { revision: LATEST, direction: 'sent' } }
  if (/Notification$/.test(definition)) return whole(value)
  const method = METHOD_OF[definition.replace(/Result(Response)?$/, '')]
  if (method === undefined) throw new Error(`No message holds an example of ${definition}: add it to EMBED`)
  const { message, context } = answerTo(method, value)
  return { message: definition.endsWith('Response') ? value : message, context }
}

const examples = (): Case[] => loadExamples().map(({ definition, value }) => caseOf(definition, value as JsonObject))

/** Examples that contradict the specification they illustrate. */
const SLIPS: Readonly<Record<string, readonly string[]>> = {
  // MRTR-09: an input request has no id. The schema is open and accepts it.
  'list-roots-request.json': ['unknown-here /result/inputRequests/one/id'],
  // CACHE-01. The schema rejects it as well.
  'read-resource-result-response.json': ['breach /result/ttlMs', 'breach /result/cacheScope'],
}

test('every official example gets the verdict of the schema, and has no key of another revision', ({ skip }) => {
  if (reason) skip(reason)
  const official = loadOfficial(LATEST)
  const all = loadExamples()
  expect(all.length).toBeGreaterThan(100)
  for (const { definition, name, value } of all) {
    const { message, context } = caseOf(definition, value as JsonObject)
    const found = verdict(message, context).map(({ pointer, severity }) => `${severity} ${pointer}`)
    const slips = SLIPS[name] ?? []
    const valid = !slips.some((slip) => slip.startsWith('breach'))
    expect([definition, name, found, official.valid(message, context)]).toEqual([definition, name, slips, valid])
  }
})
