import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { parsePointer } from '../../json/index.ts'
import type { Json, JsonObject } from '../frame.ts'
import { REVISIONS, type Revision } from '../revision.ts'
import * as schema from './schema.ts'
import { isValid, verdict, type Breach, type Context } from './schema.ts'

const TASKS = 'io.modelcontextprotocol/tasks'

const answer = (revision: Revision, method: string, result: Json, more: Partial<Context> = {}): readonly Breach[] =>
  verdict({ jsonrpc: '2.0', id: 1, result }, { revision, direction: 'received', method, ...more })
const received = (revision: Revision, message: Json): readonly Breach[] =>
  verdict(message, { revision, direction: 'received' })
const sent = (revision: Revision, message: Json, more: Partial<Context> = {}): readonly Breach[] =>
  verdict(message, { revision, direction: 'sent', ...more })
const rules = (found: readonly Breach[]) =>
  found.filter(({ severity }) => severity === 'breach').map(({ rule }) => rule)
const modern = { resultType: 'complete', ttlMs: 0, cacheScope: 'public' }

describe('a breach', () => {
  test('names the place, what is due there, what is there instead, and the rule', () => {
    const tools = [
      { name: 'a', inputSchema: { type: 'object' } },
      { name: 7, inputSchema: { type: 'array' } },
    ]
    expect(answer('2025-11-25', 'tools/list', { tools })).toEqual([
      {
        rule: 'SF-TOOL-02',
        keyword: 'MUST',
        pointer: '/result/tools/1/name',
        expected: 'a string',
        found: '7',
        severity: 'breach',
      },
      {
        rule: 'JS-04',
        keyword: 'MUST',
        pointer: '/result/tools/1/inputSchema/type',
        expected: '"object"',
        found: '"array"',
        severity: 'breach',
      },
    ])
  })

  test('names what is missing, and since when it has to be there', () => {
    const { ttlMs: _, ...rest } = modern
    expect(answer('2026-07-28', 'tools/list', { ...rest, tools: [] })).toEqual([
      {
        rule: 'CACHE-01',
        keyword: 'MUST',
        pointer: '/result/ttlMs',
        expected: 'an integer, at least 0',
        found: 'nothing',
        since: '2026-07-28',
        severity: 'breach',
      },
    ])
    expect(answer('2025-11-25', 'tools/list', { tools: [] })).toEqual([])
  })

  test('escapes what a pointer must escape', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'x', arguments: { 'a/b~c': 1 } } }
    expect(sent('2025-11-25', message)).toMatchObject([{ pointer: '/params/arguments/a~1b~0c', found: '1' }])
  })

  test('tells a block of a later revision from one that nobody knows', () => {
    const content: Json[] = [
      { type: 'audio', data: '', mimeType: 'audio/wav' },
      { type: 'video', data: '' },
    ]
    const [audio, video] = answer('2024-11-05', 'tools/call', { content })
    expect(audio).toMatchObject({
      rule: 'SF-TOOL-10',
      pointer: '/result/content/0/type',
      expected: 'one of "text", "image", "resource"',
      found: '"audio"',
      since: '2025-03-26',
    })
    expect(video).not.toHaveProperty('since')
    expect(answer('2025-03-26', 'tools/call', { content: [content[0]!] })).toEqual([])
  })

  test('of a union is told of the member that comes nearest', () => {
    const contents = [{ uri: 'file:///a', blob: 1 }]
    expect(answer('2025-06-18', 'resources/read', { contents })).toMatchObject([{ pointer: '/result/contents/0/text' }])
    const content = [{ type: 'text', text: 1 }]
    const result = { role: 'user', model: 'x', content }
    const to = { method: 'sampling/createMessage' }
    expect(sent('2025-11-25', { jsonrpc: '2.0', id: 1, result }, to)).toMatchObject([
      { pointer: '/result/content/0/text', expected: 'a string' },
    ])
    // 2025-11-25 introduced multiple blocks.
    expect(sent('2025-06-18', { jsonrpc: '2.0', id: 1, result }, to)).toMatchObject([
      { rule: 'CF-SAMP-07', pointer: '/result/content', expected: 'an object', since: '2025-11-25' },
    ])
  })
})

describe('what is known in other revisions only', () => {
  test('is noted with the revision it came with, or went with, and leaves the message valid', () => {
    const tools = [{ name: 'a', inputSchema: { type: 'object' }, icons: 'none', execution: {} }]
    const context: Context = { revision: '2025-03-26', direction: 'received', method: 'tools/list' }
    const message = { jsonrpc: '2.0', id: 1, result: { tools } }
    expect(verdict(message, context)).toMatchObject([
      { rule: 'LC-09', severity: 'unknown-here', pointer: '/result/tools/0/icons', since: '2025-11-25' },
      { severity: 'unknown-here', pointer: '/result/tools/0/execution', since: '2025-11-25', until: '2025-11-25' },
    ])
    expect(isValid(message, context)).toBe(true)
    const late = answer('2026-07-28', 'tools/list', { ...modern, tools: [{ ...tools[0], icons: [] }] })
    expect(late).toMatchObject([{ rule: 'VN-02', pointer: '/result/tools/0/execution', until: '2025-11-25' }])
  })

  test('is noted of methods too, and of who may send them', () => {
    const ask = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: {} })
    expect(received('2025-03-26', ask('elicitation/create'))).toMatchObject([
      { severity: 'unknown-here', pointer: '/method', since: '2025-06-18', found: '"elicitation/create"' },
    ])
    expect(sent('2026-07-28', ask('ping'))).toMatchObject([{ pointer: '/method', until: '2025-11-25' }])
    expect(received('2025-11-25', { ...ask('tools/list') })).toMatchObject([
      { severity: 'unknown-here', expected: 'from the client only, in this protocol version' },
    ])
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }
    expect(sent('2025-11-25', progress)).toEqual([])
    expect(sent('2026-07-28', progress)).toMatchObject([{ pointer: '/method', until: '2025-11-25' }])
    expect(received('2026-07-28', progress)).toEqual([])
    expect(sent('2025-11-25', ask('acme/own'))).toEqual([])
  })

  test('is no news in _meta, experimental capabilities, arguments, structured content and schemas', () => {
    const later = {
      icons: 1,
      title: 1,
      execution: 1,
      task: 1,
      $schema: 1,
      'io.modelcontextprotocol/protocolVersion': 1,
    }
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2024-11-05',
        // APPS-01: also sent to older servers.
        capabilities: { experimental: { later, x: { tasks: {} } }, extensions: { 'io.modelcontextprotocol/ui': {} } },
        clientInfo: { name: 'x', version: '1' },
        _meta: later,
      },
    }
    expect(sent('2024-11-05', initialize)).toEqual([])
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: later } }
    expect(sent('2024-11-05', call)).toEqual([])
    const inputSchema = { type: 'object', $schema: 'x', execution: 1 }
    expect(answer('2024-11-05', 'tools/list', { tools: [{ name: 'x', inputSchema }] })).toEqual([])
    const result = { content: [], structuredContent: later }
    expect(answer('2025-06-18', 'tools/call', result)).toEqual([])
    expect(answer('2024-11-05', 'tools/call', result)).toMatchObject([{ since: '2025-06-18' }])
  })
})

describe('the envelope', () => {
  test.each<[rule: string, message: Json]>([
    ['BP-01', 'text'],
    ['BP-01', { jsonrpc: '2.0', id: 1 }],
    ['BP-01', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['BP-01', { jsonrpc: '2.0', id: 1, method: 1 }],
    ['BP-01', { jsonrpc: '2.0', id: 1, method: 'ping', result: {} }],
    ['BP-02', { jsonrpc: '2.0', id: 0.5, method: 'ping' }],
    ['BP-02', { jsonrpc: '2.0', method: 'ping' }],
    ['BP-03', { jsonrpc: '2.0', id: null, method: 'ping' }],
    ['BP-06', { jsonrpc: '2.0', id: true, result: {} }],
    ['BP-06', { jsonrpc: '2.0', result: {} }],
    ['BP-07', { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'x' } }],
    ['BP-09', { jsonrpc: '2.0', id: 1, error: { code: '1', message: 'x' } }],
    ['BP-09', { jsonrpc: '2.0', id: 1, error: { code: 1 } }],
    ['BP-10', { jsonrpc: '2.0', id: 1, method: 'notifications/initialized' }],
    ['BP-25', []],
  ])('%s is cited for %j', (rule, message) => {
    expect(rules(received('2025-11-25', message))).toEqual([rule])
  })

  test('lets an error lack its id from 2025-11-25; before, only prose does, so the verdict is mild', () => {
    const error = { jsonrpc: '2.0', error: { code: -32700, message: 'x' } }
    expect(received('2025-11-25', error)).toEqual([])
    expect(received('2025-06-18', error)).toMatchObject([{ rule: 'BP-08', keyword: 'MAY', pointer: '/id' }])
    expect(received('2024-11-05', error)).toMatchObject([{ rule: 'BP-06', keyword: 'MUST', pointer: '/id' }])
  })

  test('of a batch is judged message by message, in 2025-03-26 alone', () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const done = { jsonrpc: '2.0', id: 1, result: {} }
    const initialize = { ...ping, method: 'initialize', params: schema.templates('2025-03-26')['initialize']! }
    for (const revision of REVISIONS) {
      expect(rules(received(revision, [ping]))).toEqual(revision === '2025-03-26' ? [] : ['BP-25'])
    }
    expect(received('2025-03-26', [ping, { ...ping, id: null }])).toMatchObject([{ rule: 'BP-03', pointer: '/1/id' }])
    expect(rules(received('2025-03-26', []))).toEqual(['BP-20'])
    expect(rules(received('2025-03-26', [ping, [ping]]))).toEqual(['BP-01'])
    expect(rules(sent('2025-03-26', [ping, initialize]))).toEqual(['BP-22'])
    expect(rules(sent('2025-03-26', [ping, done]))).toEqual(['BP-23'])
    expect(rules(received('2025-03-26', [ping, done]))).toEqual([])
    const methodOf = (id: string | number) => (id === 1 ? 'tools/list' : undefined)
    const context: Context = { revision: '2025-03-26', direction: 'received', methodOf }
    expect(verdict([done], context)).toMatchObject([{ rule: 'SF-TOOL-02', pointer: '/0/result/tools' }])
  })

  test('since 2026-07-28 clients answer nothing and servers ask nothing', () => {
    const done = { jsonrpc: '2.0', id: 1, result: { resultType: 'complete' } }
    expect(rules(sent('2026-07-28', done))).toEqual(['BP-11'])
    const ask = { jsonrpc: '2.0', id: 1, method: 'roots/list' }
    expect(rules(received('2026-07-28', ask))).toEqual(['BP-12'])
    expect(rules(received('2025-11-25', ask))).toEqual([])
  })
})

describe('the kind of a result', () => {
  test('has to be said since 2026-07-28, and counts as complete where it is not', () => {
    expect(rules(answer('2026-07-28', 'tools/call', { content: [] }))).toEqual(['BP-40'])
    expect(rules(answer('2026-07-28', 'tools/call', {}))).toEqual(['BP-40', 'SF-TOOL-09'])
    expect(rules(answer('2025-11-25', 'tools/call', { content: [] }))).toEqual([])
  })

  test('is one that core or a declared extension defines', () => {
    const task = {
      resultType: 'task',
      taskId: 't',
      status: 'working',
      createdAt: '2026-07-28T00:00:00Z',
      lastUpdatedAt: '2026-07-28T00:00:00Z',
      ttlMs: null,
    }
    const declared = { extensions: [TASKS] }
    expect(rules(answer('2026-07-28', 'tools/call', { resultType: 'partial' }))).toEqual(['BP-42'])
    expect(rules(answer('2026-07-28', 'tools/call', task))).toEqual(['BP-43'])
    expect(answer('2026-07-28', 'tools/call', task, declared)).toEqual([])
    expect(rules(answer('2026-07-28', 'prompts/get', task, declared))).toEqual(['TEXT-03'])
    expect(rules(answer('2026-07-28', 'tasks/get', task, declared))).toEqual(['TEXT-12'])
    expect(answer('2026-07-28', 'tools/call', { ...task, ttl: 1, ttlMs: 'x' }, declared)).toMatchObject([
      { pointer: '/result/ttlMs', expected: 'a number or null' },
      { pointer: '/result/ttl', severity: 'unknown-here', until: '2025-11-25' },
    ])
  })

  test('may be input_required on three methods only, and then asks something or has a state', () => {
    const asked = { resultType: 'input_required', requestState: 's' }
    for (const method of ['tools/call', 'prompts/get', 'resources/read']) {
      expect(answer('2026-07-28', method, asked)).toEqual([])
    }
    expect(rules(answer('2026-07-28', 'tools/list', asked))).toEqual(['MRTR-01'])
    expect(rules(answer('2026-07-28', 'tools/call', { resultType: 'input_required' }))).toEqual(['MRTR-08'])
  })

  test('input_required holds questions without an envelope', () => {
    const ask = (one: Json) =>
      answer('2026-07-28', 'tools/call', { resultType: 'input_required', inputRequests: { one } })
    expect(ask({ method: 'roots/list' })).toEqual([])
    expect(ask({ method: 'roots/list', jsonrpc: '2.0', id: 1 })).toMatchObject([
      { severity: 'unknown-here', pointer: '/result/inputRequests/one/jsonrpc', until: '2025-11-25' },
      { severity: 'unknown-here', pointer: '/result/inputRequests/one/id', until: '2025-11-25' },
    ])
    expect(ask({ method: 'tools/list' })).toMatchObject([{ rule: 'MRTR-09' }])
    expect(ask({ method: 'elicitation/create', params: { mode: 'url', message: 'x' } })).toMatchObject([
      { rule: 'CF-URL-02', pointer: '/result/inputRequests/one/params/url' },
    ])
  })
})

describe('tasks', () => {
  const once = { taskId: 't', status: 'working', createdAt: 'x', lastUpdatedAt: 'x', ttl: 60_000 }
  const now = { taskId: 't', createdAt: 'x', lastUpdatedAt: 'x', ttlMs: 60_000, resultType: 'complete' }
  const declared = { extensions: [TASKS] }

  test('of 2025-11-25 come nested, in answer to who asked for one', () => {
    const asked = { params: { name: 'x', task: { ttl: 1 } } }
    expect(answer('2025-11-25', 'tools/call', { task: once }, asked)).toEqual([])
    expect(rules(answer('2025-11-25', 'tools/call', { task: once }, { params: { name: 'x' } }))).toEqual(['SF-TOOL-09'])
    const { ttl: _, ...immortal } = once
    expect(answer('2025-11-25', 'tools/call', { task: immortal }, asked)).toMatchObject([
      { rule: 'TASK-15', pointer: '/result/task/ttl', expected: 'an integer or null' },
    ])
    expect(answer('2025-11-25', 'tasks/get', once)).toEqual([])
    expect(answer('2025-11-25', 'tasks/result', {}, { original: 'tools/call' })).toMatchObject([{ rule: 'SF-TOOL-09' }])
    expect(answer('2025-11-25', 'tasks/result', {})).toEqual([])
  })

  test('of the extension say by status what they hold', () => {
    const get = (rest: JsonObject) => answer('2026-07-28', 'tasks/get', { ...now, ...rest }, declared)
    expect(get({ status: 'working' })).toEqual([])
    expect(get({ status: 'completed', result: { content: [] } })).toEqual([])
    expect(get({ status: 'completed' })).toMatchObject([{ rule: 'TEXT-10', pointer: '/result/result' }])
    expect(get({ status: 'failed', error: { code: 1 } })).toMatchObject([{ pointer: '/result/error/message' }])
    expect(get({ status: 'input_required' })).toMatchObject([{ rule: 'TEXT-07', pointer: '/result/inputRequests' }])
    expect(get({ status: 'gone' })).toMatchObject([{ rule: 'TEXT-10', pointer: '/result/status' }])
    const { resultType: _, ...params } = now
    const push = { jsonrpc: '2.0', method: 'notifications/tasks', params: { ...params, status: 'completed' } }
    const context: Context = { revision: '2026-07-28', direction: 'received', ...declared }
    expect(verdict(push, context)).toMatchObject([{ pointer: '/params/result', rule: 'TEXT-10' }])
  })

  test('of the extension are only known where it was declared', () => {
    const update = { jsonrpc: '2.0', id: 1, method: 'tasks/update', params: { taskId: 1 } }
    expect(rules(sent('2026-07-28', update, declared)).length).toBeGreaterThan(1)
    expect(sent('2026-07-28', update)).toMatchObject([
      { severity: 'unknown-here', pointer: '/method', expected: `that ${TASKS} was declared` },
    ])
  })
})

describe('errors with data', () => {
  const fail = (revision: Revision, code: number, data?: Json) =>
    received(revision, { jsonrpc: '2.0', id: 1, error: { code, message: 'x', ...(data !== undefined && { data }) } })

  test('hold what their code promises, in the revisions that define it', () => {
    const elicitations = [{ mode: 'url', message: 'x', url: 'https://x.example', elicitationId: '1' }]
    expect(fail('2025-11-25', -32042, { elicitations })).toEqual([])
    expect(fail('2025-11-25', -32042)).toMatchObject([{ rule: 'BP-34', pointer: '/error/data' }])
    expect(fail('2025-11-25', -32042, { elicitations: [{ mode: 'form' }] }).length).toBeGreaterThan(1)
    expect(fail('2026-07-28', -32042)).toMatchObject([{ severity: 'unknown-here', until: '2025-11-25' }])
    expect(fail('2026-07-28', -32022, { supported: ['2026-07-28'], requested: 'x' })).toEqual([])
    expect(fail('2026-07-28', -32022, { supported: 1 })).toMatchObject([
      { rule: 'BP-33', pointer: '/error/data/supported' },
      { rule: 'BP-33', pointer: '/error/data/requested' },
    ])
    expect(fail('2025-06-18', -32022, 1)).toMatchObject([{ severity: 'unknown-here', since: '2026-07-28' }])
  })
})

test('more than 100 completion values are too many in every revision', () => {
  for (const revision of REVISIONS) {
    const values = (length: number) => ({
      completion: { values: Array.from({ length }, () => 'x') },
      ...(revision === '2026-07-28' && { resultType: 'complete' }),
    })
    expect(answer(revision, 'completion/complete', values(100))).toEqual([])
    expect(answer(revision, 'completion/complete', values(101))).toMatchObject([
      { rule: 'SF-COMP-04', pointer: '/result/completion/values', found: 'an array of 101' },
    ])
  }
})

test('answers of forms may be fractions', () => {
  const accepted = { jsonrpc: '2.0', id: 1, result: { action: 'accept', content: { one: 0.5 } } }
  expect(sent('2025-06-18', accepted, { method: 'elicitation/create' })).toEqual([])
})

describe('a hostile message', () => {
  const contexts = fc.record({
    revision: fc.constantFrom(...REVISIONS),
    direction: fc.constantFrom('sent' as const, 'received' as const),
    method: fc.option(fc.constantFrom(...Object.keys(schema.METHODS), 'constructor', '__proto__'), { nil: undefined }),
    params: fc.jsonValue() as fc.Arbitrary<Json>,
    extensions: fc.constantFrom([], [TASKS]),
  })
  const methods = fc.oneof(fc.constantFrom(...Object.keys(schema.METHODS), 'toString', '__proto__'), fc.string())
  const json = fc.jsonValue() as fc.Arbitrary<Json>
  const messages = fc.oneof(
    json,
    fc.record(
      { jsonrpc: fc.constant('2.0'), id: fc.oneof(fc.integer(), json), method: methods, params: json },
      { requiredKeys: ['method'] },
    ),
    fc.record({ jsonrpc: fc.constant('2.0'), id: fc.integer(), result: json }),
    fc.record({ jsonrpc: fc.constant('2.0'), id: json, error: json }),
    fc.array(json),
  )

  test('never makes a verdict throw, and every pointer leads to the place, or to the object that lacks it', () => {
    fc.assert(
      fc.property(messages, contexts, (message, context) => {
        for (const { pointer, expected, found } of verdict(message, context)) {
          expect(expected && found).toBeTruthy()
          const keys = parsePointer(pointer)
          const last = keys.pop()
          let at: unknown = message
          for (const key of keys) at = (at as Record<string, unknown>)[key]
          if (last !== undefined) expect(typeof at).toBe('object')
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('of any depth is judged without a stack of that depth', () => {
    let deep: Json = 1
    for (let depth = 0; depth < 200_000; depth++) deep = depth % 2 ? [deep] : { inputSchema: deep }
    for (const revision of REVISIONS) {
      expect(rules(answer(revision, 'tools/list', { tools: [deep] })).length).toBeGreaterThan(0)
      expect(answer(revision, 'tools/call', { content: deep }).length).toBeGreaterThan(0)
      expect(rules(received(revision, [deep])).length).toBeGreaterThan(0)
      received(revision, deep)
    }
  })

  test('of any width gets a bounded answer that says where looking stopped', () => {
    const flood = Array.from({ length: 5000 }, () => ({ icons: 1 }))
    const found = answer('2025-03-26', 'tools/list', { tools: flood })
    expect(rules(found)).toHaveLength(100)
    expect(found.at(-1)).toMatchObject({ severity: 'unknown-here', found: '100 violations: the rest was not checked' })
    const strange = Array.from({ length: 5000 }, () => ({ name: 'x', inputSchema: { type: 'object' }, icons: 1 }))
    const noted = answer('2025-03-26', 'tools/list', { tools: strange })
    expect(noted).toHaveLength(101)
    expect(noted.at(-1)).toMatchObject({ found: '100 keys of other protocol versions: the rest is not listed' })
    // A violation that follows more notes than are reported must not get lost.
    expect(rules(answer('2025-03-26', 'tools/list', { tools: [...strange, 1] }))).toEqual(['SF-TOOL-02'])
    const endless = Array.from({ length: 600_000 }, () => 'x')
    expect(answer('2025-11-25', 'roots/list', { roots: endless }).length).toBe(101)
    const huge = { completion: { values: ['x'] }, _meta: {} }
    expect(answer('2025-11-25', 'completion/complete', huge)).toEqual([])
    const tool = { type: 'text', text: '' }
    const content = Array.from({ length: 600_000 }, () => tool)
    expect(answer('2025-11-25', 'tools/call', { content })).toMatchObject([
      { severity: 'unknown-here', found: 'more than 500000 values: the rest was not checked' },
    ])
  })

  test('with keys and texts of any length is told in short', () => {
    const long = 'x'.repeat(1_000_000)
    const message = { jsonrpc: long, id: 1, method: 'prompts/get', params: { name: 'x', arguments: { [long]: 1 } } }
    const found = sent('2025-11-25', message)
    expect(found).toMatchObject([{ pointer: '/jsonrpc' }, { pointer: '/params/arguments' }])
    expect(JSON.stringify(found).length).toBeLessThan(1000)
  })
})

test('a part of a message is held against its definition, and has its type then', () => {
  const value: unknown = { name: 'x', inputSchema: { type: 'object' } }
  expect(schema.fits(schema.definitions.tool, { name: 'x' }, '2025-11-25')).toBe(false)
  expect(schema.fits(schema.definitions.tool, value, '2025-11-25')).toBe(true)
  if (schema.fits(schema.definitions.tool, value, '2025-11-25')) {
    expectTypeOf(value.name).toEqualTypeOf<string>()
    expectTypeOf(value.title).toEqualTypeOf<string | undefined>()
    expectTypeOf(value.inputSchema.type).toEqualTypeOf<'object'>()
  }
  const read = (block: schema.ContentBlock) => (block.type === 'audio' ? block.mimeType : undefined)
  expect(read({ type: 'audio', data: '', mimeType: 'audio/wav' })).toBe('audio/wav')
  // @ts-expect-error: a text has its text.
  read({ type: 'text' })
})
