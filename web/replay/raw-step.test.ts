import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestId } from '../mcp/index.ts'
import { withNewIds, type NewIds } from './raw-step.ts'

const counter = () => {
  let next = 100
  return (old: RequestId): RequestId => (typeof old === 'number' ? next++ : `raw-${next++}`)
}
const renewed = (text: string, known: NewIds = new Map()) => withNewIds(text, known, counter())

test('BP-04: a request gets an id of its own type, and all else stays as it was written', () => {
  const text = '{ "jsonrpc":"2.0",\n  "id" : 7, "method":"tools/call","params":{"id":7,"n":1.50,"x":["id",{"id":7}]}}'
  expect(renewed(text)).toBe(text.replace('"id" : 7,', '"id" : 100,'))
  expect(renewed('{"method":"ping","id":"a"}')).toBe('{"method":"ping","id":"raw-100"}')
  expect(renewed('[{"method":"ping","id":1},{"method":"ping","id":2}]')).toBe(
    '[{"method":"ping","id":100},{"method":"ping","id":101}]',
  )
})

test('two requests under one id in one text still share one: that is what the text is about', () => {
  expect(renewed('[{"method":"a","id":1},{"method":"b","id":1}]')).toBe(
    '[{"method":"a","id":100},{"method":"b","id":100}]',
  )
})

test('what is wrong on purpose stays wrong, and responses keep the id of the request they are for', () => {
  for (const text of [
    '{"id":1,',
    '{"id":null,"method":"ping"}',
    '{"id":1.5,"method":"ping"}',
    '{"id":true,"method":"ping"}',
    '{"id":1,"result":{}}',
    '{"id":1,"method":7}',
    '"id"',
    '[]',
    '',
  ]) {
    expect(renewed(text), text).toBe(text)
  }
})

test('a cancellation names the new id of what it cancels; one of something else stays', () => {
  const known: NewIds = new Map()
  renewed('{"method":"tools/call","id":1}', known)
  const cancel = (id: string) => `{"method":"notifications/cancelled","params":{"requestId":${id}}}`
  expect(renewed(cancel('1'), known)).toBe(cancel('100'))
  expect(renewed(cancel('9007199254740993'), known)).toBe(cancel('9007199254740993'))
  expect(renewed(cancel('"1"'), known)).toBe(cancel('"1"'))
})

test('whatever JSON stands around it, only the id changes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, ' ', '\t'), (params, space) => {
      const message = (id: number) => JSON.stringify({ params, id, method: 'm', more: params }, null, space)
      expect(JSON.parse(renewed(message(1)))).toEqual(JSON.parse(message(100)))
    }),
  )
})
