import { expect, test } from 'vitest'
import { proposalsFrom } from './proposals.ts'

const text = (...texts: readonly string[]) => texts.map((each) => ({ type: 'text', text: each }))

test('a text result is expected to succeed with its first line, which can be made faster than a limit', () => {
  expect(proposalsFrom({ took: 700, result: { content: text('\n  \n Echo: hello \nmore') } })).toEqual([
    { expectation: { kind: 'status', status: 'ok' }, likely: true },
    { expectation: { kind: 'contains', text: 'Echo: hello' }, likely: true },
    { expectation: { kind: 'under', limit: 2500 }, likely: false },
  ])
})

test('a structured result is expected to keep its structure rather than its text', () => {
  const structuredContent = { city: 'Oslo', days: [{ low: 1 }, { low: 2.5 }], mixed: [1, 'a'], note: null }
  const [, contains, matches] = proposalsFrom({ took: 1, result: { content: text('{"city"'), structuredContent } })
  expect(contains).toMatchObject({ likely: false })
  expect(matches).toEqual({
    likely: true,
    expectation: {
      kind: 'matches',
      pointer: '/structuredContent',
      schema: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          days: {
            type: 'array',
            items: { type: 'object', properties: { low: { type: 'number' } }, required: ['low'] },
          },
          mixed: { type: 'array' },
          note: {},
        },
        required: ['city', 'days', 'mixed', 'note'],
      },
    },
  })
})

test('a failed call is expected to fail the same way, and a call without a response proposes nothing', () => {
  expect(proposalsFrom({ took: 1, result: { content: text('No such city'), isError: true } })[0]).toEqual({
    expectation: { kind: 'status', status: 'tool-error' },
    likely: true,
  })
  expect(proposalsFrom({ took: 1, error: { code: -32602, message: 'Bad city' } }).slice(0, 2)).toEqual([
    { expectation: { kind: 'status', status: 'error', code: -32602 }, likely: true },
    { expectation: { kind: 'contains', text: 'Bad city' }, likely: true },
  ])
  expect(proposalsFrom({ took: 1, ended: 'lost' })).toEqual([])
})

test('a text is cut, and a deep structure ends', () => {
  let deep: object = { end: 1 }
  for (let level = 0; level < 1000; level++) deep = { deep }
  const [, contains, matches] = proposalsFrom({
    took: 1,
    result: { content: text('x'.repeat(10_000)), structuredContent: deep as never },
  })
  expect(contains!.expectation).toMatchObject({ text: 'x'.repeat(200) })
  expect(JSON.stringify(matches).length).toBeLessThan(1000)
})
