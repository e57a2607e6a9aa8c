import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { read } from './index.ts'

const rulesOf = (text: string) => read(text).findings.map(({ rule }) => rule)

describe('reading a peer’s text', () => {
  test('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.string(), (text) => void read(text)))
    fc.assert(fc.property(fc.json(), (text) => void read(text)))
  })

  test('keeps the parsed value as it was, unknown keys and all', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(read(text).message).toEqual(JSON.parse(text))
      }),
    )
  })

  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', 'request'],
    ['{"jsonrpc":"2.0","id":"a","method":"ping"}', 'request'],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}', 'notification'],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 'result'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}', 'error'],
    ['{"jsonrpc":"2.0","error":{"code":-32700,"message":"unreadable"}}', 'error'],
    ['[{"jsonrpc":"2.0","method":"a"}]', 'batch'],
  ])('finds nothing wrong with %s and calls it a %s', (text, type) => {
    expect(read(text)).toMatchObject({ type, findings: [] })
  })

  test.each([
    ['not json', 'invalid', 'BP-01'],
    ['42', 'invalid', 'BP-01'],
    ['{}', 'invalid', 'BP-01'],
    ['{"id":1,"method":"ping"}', 'request', 'BP-01'],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 'invalid', 'BP-02'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', 'invalid', 'BP-03'],
    ['{"jsonrpc":"2.0","result":{}}', 'invalid', 'BP-06'],
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}', 'error', 'BP-07'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"x"}}', 'error', 'BP-09'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":1}}', 'error', 'BP-09'],
  ])('says of %s that it is %s and cites %s', (text, type, rule) => {
    expect(read(text).type).toBe(type)
    expect(rulesOf(text)).toContain(rule)
  })
})
