/** A server's text is shown faithfully: nothing in it is invisible, and nothing in it can pass for our own text. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visible, visibleLines } from '../../ui/index.ts'
import { compare } from '../model/identifiers.ts'
import { marked, spans, valuesOf } from './words.ts'

describe('a text of a server', () => {
  test('shows what would not be seen, or would turn the rest around', () => {
    expect(visible('a\u202eb\u200bc\u0007')).toBe('a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩')
    expect(visible('tag\u{e0041}')).toBe('tag⟨U+E0041⟩')
    expect(visible('half \ud83d')).toBe('half ⟨U+D83D⟩')
    expect(visible('é 汉 🙂')).toBe('é 汉 🙂')
  })

  test('is cut, and says so', () => {
    expect(visible('x'.repeat(400))).toBe(`${'x'.repeat(300)}…`)
  })

  test('keeps its lines where it is a body', () => {
    expect(visibleLines('{\r\n\t"a": 1\u202e\n}')).toBe('{\n\t"a": 1⟨U+202E⟩\n}')
  })

  test('in a list is joined, without brackets and quotes', () => {
    const of = valuesOf({ names: ['code', 'state'], mixed: ['code', 1], none: [] })
    expect(of('names')).toBe(marked('code, state'))
    expect([of('mixed'), of('none')]).toEqual([marked('["code",1]'), marked('[]')])
  })

  test('within a sentence is found again whole, and never ends early', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'binary', maxLength: 60 }),
        (a, b) => {
          const found = spans(`${marked(a)} is not ${marked(`\ue001 trusted ${b}`)}.`)
          expect(found.filter(({ value }) => !value).map(({ text }) => text)).toEqual([' is not ', '.'])
          expect(found.filter(({ value }) => value).map(({ text }) => text)).toEqual([
            visible(a),
            visible(`\ue001 trusted ${b}`),
          ])
        },
      ),
    )
  })
})

describe('two texts that should be one (AU-ASM-06, AU-FLOW-09)', () => {
  test.each([
    ['https://as.example', 'https://as.example/', 'https://as.example', ['', '/'], 'slash'],
    ['https://as.example/T1', 'https://as.example/t1', 'https://as.example/', ['T1', 't1'], 'case'],
    ['https://as.example', 'https://as.example:443', 'https://as.example', ['', ':443'], 'port'],
    ['https://as.example/%61', 'https://as.example/a', 'https://as.example/', ['%61', 'a'], 'percent'],
    ['https://as.example', 'https://as.example ', 'https://as.example', ['', ' '], 'space'],
    ['https://as.example', 'https://evil.example', 'https://', ['as.example', 'evil.example'], 'other'],
    ['🙂a', '🙃a', '', ['🙂a', '🙃a'], 'other'],
  ] as const)('%s and %s differ where they begin to', (one, other, same, rest, difference) => {
    expect(compare(one, other)).toEqual({ same, rest, difference })
  })

  test('are the same only letter by letter; what is shown of them is all of them', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        (a, b) => {
          const found = compare(a, b)
          expect(found === undefined).toBe(a === b)
          if (found) expect([found.same + found.rest[0], found.same + found.rest[1]]).toEqual([a, b])
        },
      ),
    )
  })
})
