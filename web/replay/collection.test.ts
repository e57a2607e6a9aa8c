import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../mcp/index.ts'
import { collectionFrom, collectionText, rulesOf, stepsFrom, type Collection } from './collection.ts'
import { readSession } from '../session-file/read.ts'
import { SessionFileError } from '../session-file/file.ts'
import type { Expectation, Outcome, Step } from './steps.ts'
import { DEFAULT_RULES, type VolatileRule } from './volatile.ts'

const frame = { begunAt: '2026-01-01T00:00:00.000Z', tool: { name: 'mcp-periscope', version: '1' } }

const text = fc.string({ minLength: 1, maxLength: 20 })
const amount = fc.integer({ min: 0, max: 1e6 })
const json = fc
  .jsonValue({ maxDepth: 2, noUnicodeString: false })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json)
const object = fc.dictionary(text, json, { maxKeys: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonObject)
const some = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: 1, maxLength: 3 })

const expectation: fc.Arbitrary<Expectation> = fc.oneof(
  fc.constantFrom<Expectation>({ kind: 'status', status: 'ok' }, { kind: 'status', status: 'error', code: -32602 }),
  fc.record({ kind: fc.constant('equals' as const), pointer: text, value: json }),
  fc.record({ kind: fc.constant('matches' as const), schema: object }),
  fc.record({ kind: fc.constant('contains' as const), text }),
  fc.record({ kind: fc.constant('under' as const), limit: amount }),
  fc.constant<Expectation>({ kind: 'no-must' }),
)
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({ took: amount, result: object }),
  fc.record({ took: amount, error: fc.record({ code: fc.integer(), message: text }) }),
  fc.record({ took: amount, ended: fc.constantFrom('cancelled' as const, 'timeout' as const, 'lost' as const) }),
)
const step: fc.Arbitrary<Step> = fc.record(
  {
    id: text,
    link: text,
    method: text,
    kind: fc.constantFrom('request' as const, 'notification' as const),
    name: text,
    group: text,
    params: object,
    recorded: outcome,
    answers: some(fc.record({ method: text, params: object, result: object })),
    expect: some(expectation),
    take: some(fc.record({ name: text, pointer: text })),
    templated: fc.constant(true as const),
    skip: fc.constant(true),
    repeat: fc.integer({ min: 1, max: 9 }),
  },
  { requiredKeys: ['id', 'link', 'method', 'kind'] },
)
const rule: fc.Arbitrary<VolatileRule> = fc.record(
  {
    id: text,
    accept: fc.constantFrom('any' as const, 'time' as const),
    where: text,
    method: text,
    off: fc.constant(true),
  },
  { requiredKeys: ['id', 'accept'] },
)
const collection: fc.Arbitrary<Collection> = fc.record(
  { name: text, steps: fc.uniqueArray(step, { maxLength: 4, selector: ({ id }) => id }), rules: some(rule) },
  { requiredKeys: ['name', 'steps'] },
)

test('what is shared is what is opened: every step, expectation and rule', async () => {
  await fc.assert(
    fc.asyncProperty(collection, async (written) => {
      const opened = await readSession(collectionText(written, frame))
      expect(opened.damage).toEqual([])
      expect(opened.head.part).toBe('steps')
      expect(collectionFrom(opened)).toEqual(written)
    }),
    { numRuns: 200 },
  )
})

test('whatever somebody writes there, it opens or is refused as no session, and each step has an id of its own', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(json, fc.record({ steps: fc.oneof(json, fc.array(fc.oneof(json, step))), rules: json })),
      async (held) => {
        const head = { format: 'periscope-session', version: 1, part: 'steps', servers: [], more: { collection: held } }
        try {
          const { steps, rules } = collectionFrom(await readSession(`${JSON.stringify(head)}\n`))
          expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length)
          expect(rules === undefined || Array.isArray(rules)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(SessionFileError)
        }
      },
    ),
  )
})

test('without rules of its own the default ones hold; an empty list is one', () => {
  expect(rulesOf({})).toBe(DEFAULT_RULES)
  expect(rulesOf({ rules: [] })).toEqual([])
})

test('two steps that say they are the same become two', () => {
  const one = { id: 'a', link: 's1', method: 'ping', kind: 'request' }
  expect(stepsFrom([one, one, one]).map(({ id }) => id)).toEqual(['a', 'a-2', 'a-3'])
})
