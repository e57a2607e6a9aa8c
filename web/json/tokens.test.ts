import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BRACKET, closingQuote, endOfContainer, escapedUnit, escapeLength, nextMark } from './tokens.ts'

const anyText = fc.string({ unit: 'binary' })

describe('tokens of JSON', () => {
  test('a string ends where JSON.stringify ended it, whatever comes next', () => {
    fc.assert(
      fc.property(anyText, anyText, (value, next) => {
        const text = JSON.stringify(value)
        expect(closingQuote(text + next, 0)).toBe(text.length - 1)
        expect(closingQuote(text.slice(0, -1), 0)).toBe(text.length - 1)
      }),
    )
    expect(closingQuote(`'it\\'s'"`, 0)).toBe(6)
  })

  test('an array or object ends where JSON.stringify ended it, and nowhere if it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ stringUnit: 'binary' })), anyText, (value, next) => {
        const text = JSON.stringify(value)
        expect(endOfContainer(text + next, 0)).toBe(text.length)
        expect(endOfContainer(text.slice(0, -1), 0)).toBe(text.length - 1)
      }),
    )
  })

  test('an escape means what JSON.parse says it means, or nothing', () => {
    const tail = fc.string({ unit: fc.constantFrom('u', '0', '4', 'a', 'F', 'g', 'n', '"', '\\', '/', 'b', 'x') })
    fc.assert(
      fc.property(tail, (after) => {
        const unit = escapedUnit(`\\${after}`, 0)
        let meant: string | undefined
        try {
          meant = JSON.parse(`"\\${after.slice(0, escapeLength(`\\${after}`, 0) - 1)}"`) as string
        } catch {
          // Not an escape.
        }
        expect(unit).toBe(meant?.charCodeAt(0) ?? -1)
      }),
      { numRuns: 1000 },
    )
  })

  test('marks are looked for no further than asked', () => {
    expect(nextMark('   [', 0)).toBe(3)
    expect(nextMark('   [', 0, 2)).toBe(2)
    expect(nextMark('   [', 4)).toBe(4)
    expect('   ['.charCodeAt(3)).toBe(BRACKET)
  })
})
