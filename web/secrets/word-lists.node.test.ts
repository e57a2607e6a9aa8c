/** Reads the sources of this folder, which a page can't. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Scripts that no word of the lists mixes. Han, kana, Hangul and Latin letters stand together in words and in sets of letters. */
const SCRIPTS = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Cyrillic',
  'Devanagari',
  'Georgian',
  'Greek',
  'Hebrew',
  'Tamil',
  'Thai',
].map((script) => new RegExp(`\\p{Script=${script}}`, 'u'))

test('no word is written with letters of two scripts that only look alike', () => {
  const sources = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const mixed = sources.flatMap((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8')
    const words = new Set(text.match(/(?<!\\)[\p{L}\p{M}]{2,}/gu))
    return [...words].filter((word) => {
      const scripts = SCRIPTS.filter((script) => script.test(word)).length
      return scripts > 1 || (scripts === 1 && /(?<!\p{M})\p{Script=Latin}/u.test(word))
    })
  })
  expect(mixed).toEqual([])
})
