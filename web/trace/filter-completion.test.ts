import fc from 'fast-check'
import { expect, test } from 'vitest'
import { completeFilter, type FilterFacts } from './filter-completion.ts'
import { parseFilter } from './filter.ts'

const facts = (): FilterFacts => ({
  method: ['initialize', 'tools/list', 'tools/call', 'notifications/message'],
  server: ['files', 'my server'],
  rule: ['BP-07', 'TR-HTTP-21'],
})
/** `|` is the cursor. */
const at = (text: string) => {
  const caret = text.indexOf('|')
  return completeFilter(text.replace('|', ''), caret, facts)
}
/** The query after the option with this index was chosen. */
const chosen = (text: string, index = 0) => {
  const { from, to, options } = at(text)
  const query = text.replace('|', '')
  return query.slice(0, from) + options[index]! + query.slice(to)
}

test('the name of a key is completed, with its colon', () => {
  expect(at('me|').options).toEqual(['method:'])
  expect(at('s|').options).toEqual(['status:', 'server:', 'size:', 'step:'])
  expect(chosen('error -ki|')).toBe('error -kind:')
})

test('values are those of the language or of the trace; one that begins with what was typed comes first', () => {
  expect(at('status:ti|').options).toEqual(['timed-out', 'waiting', 'violation'])
  expect(at('method:tools/|').options).toEqual(['tools/list', 'tools/call'])
  expect(at('method:call|').options).toEqual(['tools/call'])
  expect(chosen('dur:>5 method:tools/c| x')).toBe('dur:>5 method:tools/call x')
})

test('after a comma, the next value is completed; a name with a space is quoted', () => {
  expect(chosen('kind:message,ht|')).toBe('kind:message,http')
  expect(chosen('server:my|')).toBe('server:"my server"')
})

test('what is complete, free text, numbers and quoted text get no options', () => {
  for (const text of ['', '|', 'kind:http|', 'echo |', 'dur:>5|', '"two wo|', 'https://x|'])
    expect(at(text.includes('|') ? text : `${text}|`).options).toEqual([])
})

test('whatever is typed, a chosen option leaves a query without a complaint about it, and the rest as it was', () => {
  const word = fc.constantFrom(
    'kind:',
    'status:er',
    'method:to',
    '-dir:',
    'echo',
    '"a b"',
    'server:f',
    'ru',
    ':',
    '-',
    ',',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), fc.nat(60), (words, place) => {
      const query = words.join(' ')
      const caret = Math.min(place, query.length)
      const { from, to, options } = completeFilter(query, caret, facts)
      expect(from).toBeLessThanOrEqual(caret)
      expect(to).toBeGreaterThanOrEqual(caret)
      for (const option of options) {
        const next = query.slice(0, from) + option + query.slice(to)
        expect(next.startsWith(query.slice(0, from))).toBe(true)
        expect(parseFilter(next).hints.length).toBeLessThanOrEqual(parseFilter(query).hints.length)
      }
    }),
  )
})
