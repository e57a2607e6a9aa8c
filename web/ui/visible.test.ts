/** A server's text is shown faithfully, and what people write in their languages is left alone (SEC-03). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markHidden, visible } from './visible.ts'

describe('in prose', () => {
  test.each([
    ['an override of the direction', 'evil\u202etxt.exe', 'evil⟨U+202E⟩txt.exe'],
    ['isolates', '\u2066a\u2069', '⟨U+2066⟩a⟨U+2069⟩'],
    ['a zero width space', 'pass\u200bword', 'pass⟨U+200B⟩word'],
    ['a joiner between Latin letters', 'a\u200db', 'a⟨U+200D⟩b'],
    ['tags that smuggle words', 'hi\u{e0061}\u{e0062}', 'hi⟨U+E0061⟩⟨U+E0062⟩'],
    ['a selector behind a letter', 'a\ufe0fb', 'a⟨U+FE0F⟩b'],
    ['selectors that smuggle bytes', '😀\u{e0101}\u{e0102}', '😀⟨U+E0101⟩⟨U+E0102⟩'],
    ['the escape of a terminal', '\u001b[31mred', '⟨U+001B⟩[31mred'],
    ['half a character', 'x\ud83d', 'x⟨U+D83D⟩'],
    ['a soft hyphen', 'pay\u00adpal', 'pay⟨U+00AD⟩pal'],
  ])('%s is marked', (_, text, shown) => {
    const marked = markHidden(text)
    expect(marked.text).toBe(shown)
    expect(marked.count).toBeGreaterThan(0)
    expect(shown).toContain(marked.first)
  })

  test.each([
    'lines\r\nand\ttabs\n',
    'Grüße, 汉字, 日本語、한국어',
    'می‌خواهم',
    'क्‍ष',
    '👩‍👩‍👧 ❤️ 1️⃣ 👍🏽 👨🏽‍💻 🏳️‍🌈',
    'a\u00a0b\u3000c',
  ])('%s is left alone', (text) => {
    expect(markHidden(text)).toEqual({ text, count: 0 })
  })

  test('what was marked has nothing left to mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const once = markHidden(text).text
        expect(markHidden(once).text).toBe(once)
      }),
    )
  })
})

test('in names and addresses nothing is let through', () => {
  expect(visible('file:///a\u202egpj.exe\u200d')).toBe('file:///a⟨U+202E⟩gpj.exe⟨U+200D⟩')
})
