import { expect, test } from 'vitest'
import { Utf8Decoder } from './utf8-decoder.ts'

const decoded = (chunks: readonly Uint8Array[]) => {
  const decoder = new Utf8Decoder()
  const text = chunks.map((chunk) => decoder.decode(chunk)).join('') + decoder.end()
  return { text, invalid: decoder.invalid }
}

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

const utf8 = (text: string): number[] => [...new TextEncoder().encode(text)]

test.each([
  ['a U+FFFD that was sent', utf8('a\uFFFDb')],
  ['a U+FFFD that was sent, and a byte that is not UTF-8', [...utf8('\uFFFD'), 0xff]],
  ['the start of a U+FFFD before a whole one', [0xef, 0xbf, ...utf8('\uFFFD')]],
  ['the start of a character at the end', [...utf8('a'), 0xf0, 0x9f]],
  ['characters of all lengths', utf8('a\u00e9\u20ac\u{1f600}')],
  ['nothing', []],
])('%s: wherever it is cut, bytes that are not UTF-8 are noticed, and no others', (_, numbers) => {
  const bytes = Uint8Array.from(numbers)
  const whole = { text: new TextDecoder().decode(bytes), invalid: !isUtf8(bytes) }
  for (let first = 0; first <= bytes.length; first++) {
    for (let second = first; second <= bytes.length; second++) {
      expect(decoded([bytes.slice(0, first), bytes.slice(first, second), bytes.slice(second)])).toEqual(whole)
    }
  }
  expect(decoded([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
})
