import { expect, test } from 'vitest'
import type { JsonObject } from '../mcp/index.ts'
import { answerOf } from '../replay/index.ts'
import { answerPairs } from './compare.ts'
import type { Step } from '../replay/steps.ts'

const call = (id: string, params: JsonObject, result?: JsonObject): Step => ({
  id,
  link: 's1',
  kind: 'request',
  method: 'tools/call',
  params,
  ...(result ? { recorded: { took: 1, result } } : {}),
})

test('the same requests are paired in their order, whatever their tokens and the order of their keys', () => {
  const pairs = answerPairs(
    [
      call('1', { name: 'a', arguments: { x: 1, y: 2 } }, { n: 1 }),
      call('2', { name: 'a', arguments: { x: 1, y: 2 }, _meta: { progressToken: 5 } }, { n: 2 }),
      call('3', { name: 'only before' }, {}),
    ],
    [
      call('4', { name: 'only after' }, {}),
      call('5', { arguments: { y: 2, x: 1 }, name: 'a', _meta: { progressToken: 9 } }, { n: 1 }),
      call('6', { name: 'a', arguments: { x: 1, y: 2 } }, { n: 3 }),
    ],
  )
  expect(pairs.map(({ was, is }) => [was.id, is.id])).toEqual([
    ['1', '5'],
    ['2', '6'],
  ])
  expect(answerOf(pairs[1]!.is.recorded)).toEqual({ n: 3 })
})

test('what has no answer, and what is offered, is no pair', () => {
  const lists: Step = { ...call('2', {}, { tools: [] }), method: 'tools/list' }
  const all = [call('1', { name: 'a' }), lists]
  expect(answerPairs(all, all)).toEqual([])
})
