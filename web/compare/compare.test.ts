import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import type { Json, JsonObject } from '../mcp/index.ts'
import { changesBetween, thingIn, type ChangeCode } from './compare.ts'
import type { ServerFeatures } from './server-features.ts'
import type { Judgement } from './schema-change.ts'

const none: ServerFeatures = { info: {}, capabilities: {} }
const tool = (more: JsonObject = {}): JsonObject => ({ name: 'a', inputSchema: { type: 'object' }, ...more })
const tools = (...all: Json[]): ServerFeatures => ({ ...none, tools: all })
const prompts = (...all: Json[]): ServerFeatures => ({ ...none, prompts: all })
const able = (capabilities: JsonObject): ServerFeatures => ({ ...none, capabilities })
const needs = (...required: string[]) => ({
  inputSchema: { type: 'object', properties: { x: { type: 'string' } }, required },
})
const claims = (annotations: JsonObject) => tool({ annotations })
const asked = (...all: Json[]) => ({ name: 'p', arguments: all })

describe('each change is named, judged for a client that knew the first, and pointed to', () => {
  test.each<
    [what: string, was: ServerFeatures, is: ServerFeatures, code: ChangeCode, judgement: Judgement, pointer: string]
  >([
    ['a tool that is new', tools(), tools(tool()), 'added', 'compatible', ''],
    ['a tool that is gone', tools(tool()), tools(), 'removed', 'breaking', ''],
    [
      'an argument that became required',
      tools(tool(needs())),
      tools(tool(needs('x'))),
      'required-added',
      'breaking',
      '/inputSchema/required',
    ],
    [
      'an output that is promised',
      tools(tool()),
      tools(tool({ outputSchema: {} })),
      'schema-added',
      'compatible',
      '/outputSchema',
    ],
    [
      'an output that is promised no more',
      tools(tool({ outputSchema: {} })),
      tools(tool()),
      'schema-removed',
      'breaking',
      '/outputSchema',
    ],
    [
      'an output that may be more',
      tools(tool({ outputSchema: { type: 'object' } })),
      tools(tool({ outputSchema: {} })),
      'type',
      'breaking',
      '/outputSchema/type',
    ],
    [
      'a claim to be harmless that is taken back',
      tools(claims({ destructiveHint: false })),
      tools(claims({})),
      'destructive',
      'notable',
      '/annotations/destructiveHint',
    ],
    [
      'what was read-only and is not any more',
      tools(claims({ readOnlyHint: true })),
      tools(claims({ readOnlyHint: false })),
      'destructive',
      'notable',
      '/annotations/readOnlyHint',
    ],
    [
      'a claim that says what held anyway',
      tools(claims({})),
      tools(claims({ openWorldHint: true })),
      'claim',
      'compatible',
      '/annotations/openWorldHint',
    ],
    [
      'a description, which models read',
      tools(tool({ description: 'a' })),
      tools(tool({ description: 'b' })),
      'words',
      'notable',
      '/description',
    ],
    ['a title', tools(tool({ title: 'a' })), tools(tool({ title: 'b' })), 'words', 'compatible', '/title'],
    [
      'a task that must be made',
      tools(tool()),
      tools(tool({ execution: { taskSupport: 'required' } })),
      'task-required',
      'breaking',
      '/execution/taskSupport',
    ],
    [
      'a prompt that wants more',
      prompts(asked()),
      prompts(asked({ name: 'x', required: true })),
      'argument-required',
      'breaking',
      '/arguments',
    ],
    [
      'a prompt that takes more',
      prompts(asked()),
      prompts(asked({ name: 'x' })),
      'argument-added',
      'compatible',
      '/arguments',
    ],
    [
      'a prompt that takes less',
      prompts(asked({ name: 'x' })),
      prompts(asked()),
      'argument-removed',
      'breaking',
      '/arguments',
    ],
    [
      'a resource of another media type',
      { ...none, resources: [{ uri: 'a:b', mimeType: 'text/plain' }] },
      { ...none, resources: [{ uri: 'a:b', mimeType: 'text/html' }] },
      'media-type',
      'notable',
      '/mimeType',
    ],
    [
      'a template that is gone',
      { ...none, templates: [{ uriTemplate: 'a:{b}' }] },
      { ...none, templates: [] },
      'removed',
      'breaking',
      '',
    ],
    [
      'a capability that is gone',
      able({ tools: { listChanged: true } }),
      able({ tools: {} }),
      'removed',
      'breaking',
      '/tools/listChanged',
    ],
    ['a capability that is new', able({}), able({ logging: {} }), 'added', 'compatible', '/logging'],
    ['instructions', { ...none, instructions: 'a' }, none, 'words', 'notable', ''],
    ['the revision', { ...none, revision: '2025-03-26' }, { ...none, revision: '2025-06-18' }, 'value', 'notable', ''],
    [
      'the version',
      { ...none, info: { version: '1' } },
      { ...none, info: { version: '2' } },
      'value',
      'compatible',
      '/version',
    ],
    ['a list that was not asked for', tools(tool()), none, 'not-listed', 'notable', ''],
  ])('%s', (_, was, is, code, judgement, pointer) => {
    expect(changesBetween(was, is)).toMatchObject([{ code, judgement, pointer }])
  })

  test('what says the same is no change: order, a capability that is declared as false, nothing listed beside an empty list', () => {
    const [one, other] = [tool(), tool({ name: 'b', description: 'b' })]
    expect(changesBetween(tools(one, other), tools(other, one))).toEqual([])
    expect(changesBetween(able({ logging: false }), able({}))).toEqual([])
    expect(changesBetween(tools(), none)).toEqual([])
  })

  test('the most severe come first, and a tool under a new name is told with it', () => {
    const before = tools(tool({ description: 'a' }), tool({ name: 'old', ...needs('x') }))
    const after = tools(tool({ description: 'b' }), tool({ name: 'new', ...needs('x'), description: 'anew' }))
    const changes = changesBetween(before, after)
    expect(changes.map(({ name, judgement }) => [name, judgement])).toEqual([
      ['old', 'breaking'],
      ['a', 'notable'],
      ['new', 'compatible'],
    ])
    expect(changes[0]).toMatchObject({ code: 'removed', renamedTo: 'new' })
    expect(thingIn(before, 'tool', 'old')).toMatchObject({ name: 'old' })
    expect(thingIn(after, 'tool', 'old')).toBeUndefined()
  })
})

const names = fc.constantFrom('a', 'b', 'constructor', '__proto__', 'toString')
const lists = fc.array(
  fc.oneof(
    fc.record({
      name: names,
      uri: names,
      uriTemplate: names,
      inputSchema: fc.jsonValue(),
      annotations: fc.jsonValue(),
    }),
    fc.jsonValue(),
  ),
  { maxLength: 4 },
)
const offer: fc.Arbitrary<ServerFeatures> = fc
  .record(
    {
      info: fc.dictionary(names, fc.jsonValue()),
      capabilities: fc.dictionary(names, fc.jsonValue()),
      revision: fc.string(),
      instructions: fc.string(),
      tools: lists,
      resources: lists,
      templates: lists,
      prompts: lists,
    },
    { requiredKeys: ['info', 'capabilities'] },
  )
  .map((made) => JSON.parse(JSON.stringify(made)) as ServerFeatures)

test('an offer compared with itself has no change; whatever two servers send, they are compared', () => {
  fc.assert(
    fc.property(offer, offer, (one, other) => {
      expect(changesBetween(one, structuredClone(one))).toEqual([])
      for (const { kind, judgement } of changesBetween(one, other)) {
        expect(['added', 'removed', 'changed']).toContain(kind)
        expect(['breaking', 'notable', 'compatible']).toContain(judgement)
      }
    }),
  )
})

test('five thousand tools under new names are compared in a moment', async () => {
  const many = (prefix: string) =>
    tools(...Array.from({ length: 5000 }, (_, at) => tool({ name: `${prefix}${at}`, ...needs(`x${at}`) })))
  expect(await expectWithin(5_000, () => changesBetween(many('a'), many('b')))).toHaveLength(10_000)
})
