/** In Node under a time limit, in Chromium in the worker of the page. */
import { beforeAll, describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { validator } from '../../tests/validator.ts'
import type { Value } from '../json/lossless.ts'
import { TimedValidator, type RunValidation } from './timed-validation.ts'

const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest })
const inPage = typeof Worker !== 'undefined'
/** ms: two attempts of one second in the page, of two seconds in Node, and the start of a worker. */
const AT_MOST = 6_000

const verdictOf = async (schema: unknown, value: Value | undefined) => {
  const { state, problems, unchecked, notes } = await validator.validate(schema, value)
  return [
    state,
    ...(unchecked ? [unchecked.code] : []),
    ...problems.map(({ pointer, keyword }) => `${pointer} ${keyword}`),
    ...notes.map(({ code, detail }) => `${code} ${detail}`),
  ]
}

describe('hostile schemas end in time', () => {
  const deep = (levels: number) => JSON.parse('{"not":'.repeat(levels) + '{}' + '}'.repeat(levels)) as unknown
  const doubling = {
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        at === 39 ? { type: 'null' } : { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    ),
  }
  const cases: [string, unknown, Value, RegExp][] = [
    ['a reference to itself', { $ref: '#' }, 1, /^recursion$/],
    ['nested 1000 deep', deep(1000), 1, /^size$/],
    [
      '30,000 schemas',
      object(Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`p${at}`, {}]))),
      {},
      /^size$/,
    ],
    ['no schema', undefined, 1, /^schema$/],
    ['null for a schema', null, 1, /^schema$/],
    ['a list for a schema', [], 1, /^schema$/],
    // Last, because it may end the worker.
    ['alternatives that double 40 times', doubling, 1, /^(time|size)$/],
  ]
  // Starts the worker.
  beforeAll(async () => void (await validator.validate(true, 1)))

  test.each(cases)('%s', async (_, schema, value, code) => {
    const limit = code.test('time') ? AT_MOST : 1_500
    const [state, why] = await expectWithin(limit, () => verdictOf(schema, value))
    expect(state).toBe('unchecked')
    expect(why).toMatch(code)
  })

  test('patterns that backtrack for years are noted, and all else is checked', async () => {
    const hostile = '^(a+)+$'
    const schema = object({ a: { pattern: hostile }, b: { pattern: '^b' }, c: { type: 'integer' } })
    const verdict = () => verdictOf(schema, { a: `${'a'.repeat(3000)}!`, b: 'a', c: 'x' })
    expect(await expectWithin(AT_MOST, verdict)).toEqual(['invalid', '/b pattern', '/c type', `pattern ${hostile}`])
    // The next check has its whole time.
    expect(await verdictOf(schema, { a: 'aaaa', b: 'b', c: 1 })).toEqual(['valid'])
  })

  test('long lists are not compared pair by pair', async () => {
    const list = Array.from({ length: 20_000 }, (_, at) => ({ at }))
    expect(await verdictOf({ uniqueItems: true }, list)).toEqual(['valid', 'keyword uniqueItems'])
  })
})

describe('a value in the text of a message', () => {
  const text = (structuredContent: unknown) => JSON.stringify({ result: { structuredContent } })

  test('is checked where the pointer says, and its errors are counted', async () => {
    const list = [...Array.from({ length: 300 }, () => 'x'), 1]
    const found = await validator.validateText({ items: { type: 'integer' } }, text(list), '/result/structuredContent')
    expect([found?.verdict.state, found?.total, found?.verdict.problems.length, found?.more]).toEqual([
      'invalid',
      200,
      100,
      false,
    ])
    expect(found?.verdict.problems[0]?.pointer).toBe('/0')
  })
})

describe('patterns', () => {
  test('are matched as JSON Schema has it, and what is no pattern is not known', async () => {
    const pairs = [
      ['^n_', 'n_a'],
      ['^n_', 'a'],
      ['(', 'a'],
      ['^\\p{L}\\-$', 'é-'],
      ['^.$', '😀'],
    ] as const
    expect(await validator.match(pairs)).toEqual([true, false, undefined, false, true])
  })

  test('that never end are not known, and keep no others from being matched', async () => {
    const pairs = [
      ['^a', 'a'],
      ['^(a|aa)+$', `${'a'.repeat(3000)}!`],
      ['^b', 'a'],
    ] as const
    expect(await validator.match(pairs)).toEqual([true, undefined, false])
  })
})

describe('a run', () => {
  test('that was ended while a pattern was matched is repeated without it, a few times', async () => {
    const skipped: (readonly string[])[] = []
    const run: RunValidation = async ({ skip }) => {
      skipped.push(skip)
      return Promise.resolve({ kind: 'ended', pattern: `p${skip.length}` })
    }
    const stuck = new TimedValidator(run, { scale: 1, limit: 1, largest: 1 })
    expect((await stuck.validate({}, 1)).unchecked?.code).toBe('time')
    expect(skipped).toEqual([[], ['p0'], ['p0', 'p1'], ['p0', 'p1', 'p2']])
  })

  test.runIf(inPage)('that was called off ends at once, and the next one has a worker again', async () => {
    const stop = new AbortController()
    const stopped = validator.match([['^(a+)+$', `${'a'.repeat(3000)}!`]])
    const queued = validator.validate({ type: 'string' }, 1, stop.signal)
    const next = validator.validate({ type: 'string' }, 1)
    stop.abort()
    expect((await queued).unchecked?.code).toBe('time')
    expect(await stopped).toEqual([undefined])
    expect((await next).state).toBe('invalid')
  })
})
