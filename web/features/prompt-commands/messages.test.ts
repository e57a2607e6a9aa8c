import { expect, test } from 'vitest'
import type { Json } from '../../mcp/index.ts'
import { textOf } from './messages.ts'

test('the text of a result is that of all messages and embedded resources, and the rest is counted', () => {
  const embedded = { type: 'resource', resource: { uri: 'a:1', text: 'here' } }
  const messages: Json = [
    { role: 'user', content: { type: 'text', text: ' one\n' } },
    { role: 'assistant', content: embedded },
    { role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
    { role: 'user', content: { type: 'resource', resource: { uri: 'a:2', blob: 'AAAA' } } },
    7,
  ]
  expect(textOf({ messages })).toEqual({
    parts: [
      { role: 'user', text: ' one\n' },
      { role: 'assistant', text: 'here', uri: 'a:1' },
    ],
    text: ' one\n\n\nhere',
    left: 3,
  })
  expect(textOf({})).toEqual({ parts: [], text: '', left: 0 })
})
