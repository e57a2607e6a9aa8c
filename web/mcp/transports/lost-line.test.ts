import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../../tests/patience.ts'
import { answeredBy } from './stdio-bridge.ts'

const KEPT = 1024
const ends = (line: string) => [line.slice(0, KEPT), line.slice(-KEPT)] as const
const long = '"},\\ '.repeat(1000)

describe('which request a dropped line answered', () => {
  test('its id is read at the beginning or at the end, whatever the result holds', () => {
    const id = fc.oneof(fc.integer(), fc.string({ maxLength: 50 }))
    const result = fc.oneof(
      fc.string().map((text) => ({ content: [{ type: 'text', text: long + text }], id: 9, method: 'x' })),
      fc.jsonValue().map((inner) => ({ inner, long, last: { id: 9 } })),
    )
    const spacing = fc.constantFrom(undefined, 2)
    fc.assert(
      fc.property(id, result, fc.boolean(), spacing, (mine, value, first, space) => {
        fc.pre(mine !== 7)
        const message = first
          ? { jsonrpc: '2.0', id: mine, result: value }
          : { jsonrpc: '2.0', result: value, id: mine }
        const line = JSON.stringify(message, null, space).replaceAll('\n', ' ')
        expect(answeredBy(...ends(line), [7, mine])).toEqual([mine])
        expect(answeredBy(...ends(line), [7])).toEqual([])
      }),
    )
  })

  test('where no id is left, it is the only one that waits, or one of those that do', () => {
    const line = JSON.stringify({ result: { long, tail: [long] }, id: 1, x: {} })
    expect(answeredBy(...ends(line), [7])).toEqual([7])
    expect(answeredBy(...ends(line), [7, 'a'])).toEqual([7, 'a'])
    expect(answeredBy(...ends(`[${line}]`), [7, 'a'])).toEqual([7, 'a'])
    expect(answeredBy(...ends(line), [])).toEqual([])
  })

  test('a request, a notification, or no JSON at all answered none', () => {
    for (const line of [
      JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'sampling/createMessage', params: { long } }),
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { data: long } }),
      JSON.stringify({ jsonrpc: '2.0', params: { data: long }, method: 'notifications/message' }),
      JSON.stringify({ method: long, id: 7 }),
      'x'.repeat(5000),
    ]) {
      expect(answeredBy(...ends(line), [7]), line.slice(0, 50)).toEqual([])
    }
  })

  test('takes no time over a line that was made to take some', async () => {
    const lines = [`{${'"a":1,'.repeat(200)}`, `{${'"\\\\'.repeat(400)}`, ','.repeat(2000), '{' + ',"a":"'.repeat(300)]
    await expectWithin(500, () => {
      for (const line of lines) {
        answeredBy(...ends(line), [1, 2])
        answeredBy('{', line.slice(-KEPT), [1, 2])
      }
    })
  })
})
