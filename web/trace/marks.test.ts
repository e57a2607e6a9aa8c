import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFilter } from './filter.ts'
import { markedPieces } from './marks.ts'

const shown = (text: string, ...words: string[]) =>
  markedPieces(text, words)
    .map(({ text: piece, hit }) => (hit ? `[${piece}]` : piece))
    .join('')

test('words are marked wherever they occur, whatever their case, and overlapping ones as one', () => {
  expect(shown('Echo, echo', 'echo')).toBe('[Echo], [echo]')
  expect(shown('tools/call get-sum', 'call', 'sum')).toBe('tools/[call] get-[sum]')
  expect(shown('abcdef', 'bcd', 'cde', 'd')).toBe('a[bcde]f')
  expect(shown('abab', 'ab')).toBe('[abab]')
  expect(shown('abc', '', 'x')).toBe('abc')
  expect(markedPieces('', ['x'])).toEqual([])
})

test('nothing of a text is lost, and each marked piece consists of words', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', 'B', 'b', 'İ', '😀') }))
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'İ', '😀'), maxLength: 3 }))
  fc.assert(
    fc.property(text, words, (all, found) => {
      const pieces = markedPieces(all, found)
      expect(pieces.map((piece) => piece.text).join('')).toBe(all)
      expect(pieces.every((piece) => piece.text !== '')).toBe(true)
      for (const { text: piece, hit } of pieces)
        if (hit) expect(found.some((word) => word !== '' && piece.toLowerCase().includes(word))).toBe(true)
    }),
  )
})

test('a filter marks what it searches as text, and nothing that it excludes or asks of a key', () => {
  expect(parseFilter('Echo "two words" -not method:tools/call https://x/ what:ever').words).toEqual([
    'echo',
    'two words',
    'https://x/',
    'what:ever',
  ])
})
