import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../../mcp/index.ts'
import { addMessage, linesOf, removeBlock, removeMessage, setLines, setNumber, setRole, setText } from './edit.ts'

const text = (text: string) => ({ type: 'text', text })

test('editing one text changes that text and nothing else (CF-SAMP-02, CF-SAMP-16)', () => {
  const block = fc.record({ type: fc.constant('text'), text: fc.string(), _meta: fc.jsonValue() })
  const message = fc.record({
    role: fc.constantFrom('user', 'assistant'),
    content: fc.oneof(block, fc.array(block, { minLength: 1, maxLength: 3 })),
    odd: fc.jsonValue(),
  })
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 3 }), fc.nat(), fc.string(), (messages, pick, typed) => {
      const at = pick % messages.length
      const params = { messages, other: 1 } as unknown as JsonObject
      const next = setText(params, at, 0, typed)
      const before = structuredClone(messages)
      const [first] = [before[at]!.content].flat()
      first!.text = typed
      expect(next).toEqual({ messages: before, other: 1 })
    }),
  )
})

test('stop sequences survive the field: line breaks, backslashes and quotes too', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1 }), (stops) => {
      const wellFormed = stops.map((stop) => stop.toWellFormed())
      expect(setLines({}, 'stopSequences', linesOf(wellFormed))).toEqual({ stopSequences: wellFormed })
    }),
  )
  expect(setLines({}, 'stopSequences', 'say "stop"\n\\')).toEqual({ stopSequences: ['say "stop"', '\\'] })
  expect(setLines({ stopSequences: ['x'] }, 'stopSequences', '\n')).toEqual({})
})

test('an empty number takes its key away, and what is no number changes nothing', () => {
  expect(setNumber({ maxTokens: 1, a: 2 }, 'maxTokens', ' ')).toEqual({ a: 2 })
  expect(setNumber({ maxTokens: 1 }, 'maxTokens', '20')).toEqual({ maxTokens: 20 })
  expect(setNumber({ maxTokens: 1 }, 'maxTokens', 'many')).toBeUndefined()
})

test('messages and blocks can be added and removed, in a broken request too', () => {
  const messages: Json[] = [{ role: 'user', content: [text('a'), text('b')] }]
  expect(removeBlock({ messages }, 0, 0)).toEqual({ messages: [{ role: 'user', content: [text('b')] }] })
  expect(removeMessage({ messages }, 0)).toEqual({ messages: [] })
  expect(setRole({ messages }, 0, 'assistant')).toMatchObject({ messages: [{ role: 'assistant' }] })
  expect(addMessage({ messages })).toHaveProperty('messages.1.role', 'assistant')
  expect(addMessage({ messages: 'none' })).toHaveProperty('messages.0.role', 'user')
  expect(setText({ messages: [7] }, 0, 0, 'x')).toHaveProperty('messages.length', 1)
})
