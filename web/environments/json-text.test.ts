import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapedText, inScope, resolveText } from './json-text.ts'
import { hidden, NO_VARIABLES, scopeOf } from './substitute.ts'

const DEV = {
  id: 'dev',
  name: 'dev',
  remember: false,
  variables: [
    { name: 'host', value: 'a "quoted" \\ host', secret: false },
    { name: 'token', value: 's3cret-dev', secret: true },
  ],
}
const dev = scopeOf([DEV], 'dev')
const sent = (text: string) => resolveText(text, inScope(dev))

test('references in strings of a text are replaced, keys and everything else stay as written', () => {
  const text = '{ "{{host}}" : 1.0,\n "a":"{{host}}!", "n": 12345678901234567890, "b": ["\\u0041", "x{{token}}"] }'
  const { value, faults, used } = sent(text)
  expect(value).toBe(
    '{ "{{host}}" : 1.0,\n "a":"a \\"quoted\\" \\\\ host!", "n": 12345678901234567890, "b": ["\\u0041", "xs3cret-dev"] }',
  )
  expect(faults).toEqual([])
  expect(used.map(({ name }) => name)).toEqual(['host', 'token'])
  expect(resolveText(text, inScope(hidden(dev))).value).not.toContain('s3cret-dev')
})

test('an escaped reference is text, an unknown one a fault, and without variables nothing changes', () => {
  expect(sent('["\\\\{{host}}"]').value).toBe('["{{host}}"]')
  expect(sent('["{{nothing}}"]')).toMatchObject({ value: '["{{nothing}}"]', faults: [{ name: 'nothing' }] })
  const text = '["{{host}}", "\\\\{{host}}"]'
  expect(resolveText(text, inScope(NO_VARIABLES)).value).toBe(text)
})

test('what was sent is sent again as it was, whatever it contains', () => {
  const parts = fc.array(fc.constantFrom('{{host}}', '{{token}}', '\\', '"', '{', '}', ' ', ':', 'x', 'é'))
  const values = fc.array(parts.map((texts) => texts.join('')))
  fc.assert(
    fc.property(values, fc.constantFrom(0, 2), (strings, indent) => {
      const text = JSON.stringify({ strings, deep: { strings } }, null, indent)
      expect(JSON.parse(sent(escapedText(text, dev)).value)).toEqual(JSON.parse(text))
    }),
  )
})
