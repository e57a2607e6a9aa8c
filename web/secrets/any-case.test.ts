import { describe, expect, test } from 'vitest'
import { AnyCase, lowerCase } from './any-case.ts'

describe('words in any case', () => {
  test('are found at their own place, also behind letters that become two', () => {
    const words = new AnyCase('(?<!\\p{L})(?:schlüssel|ключ)(?!\\p{L})')
    const text = 'İstanbul: SCHLÜSSEL und Ключ'
    expect([...words.in(text)].map(({ from, to }) => text.slice(from, to))).toEqual(['SCHLÜSSEL', 'Ключ'])
    expect(words.test(text)).toBe(true)
    expect(words.test('Schlüsselbund')).toBe(false)
  })

  test('stand where they stood, although some letters become two', () => {
    expect(lowerCase('İİ AB')).toBe('İİ ab')
    expect(lowerCase('ÄÖ')).toBe('äö')
  })

  test('have to be listed in lower case', () => {
    expect(() => new AnyCase('(?<name>\\p{Lu}|\\S|geheim)')).not.toThrow()
    expect(() => new AnyCase('Geheim')).toThrow('G would never be found')
  })
})
