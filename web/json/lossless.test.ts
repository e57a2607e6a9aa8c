import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasSpelling, numberOf, NumberText, plain, same, stringify } from './lossless.ts'
import { JsonSyntaxError, readExactly, readJson } from './reader.ts'

const json = fc.jsonValue({ maxDepth: 5 })
const spelling = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,30}$/)),
    fc.option(fc.stringMatching(/^\.[0-9]{1,20}$/), { nil: '' }),
    fc.option(fc.stringMatching(/^[eE][+-]?[0-9]{1,4}$/), { nil: '' }),
  )
  .map((parts) => parts.join(''))

const fault = (text: string, forgive = false) => {
  try {
    readJson(text, { forgive })
  } catch (error) {
    if (error instanceof JsonSyntaxError) return `${error.fault} ${error.line}:${error.column} ${error.found}`.trim()
    throw error
  }
  return 'none'
}

describe('reading JSON', () => {
  test('reads valid JSON as JSON.parse does, strictly and forgivingly, however it is laid out', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 1, 4), fc.boolean(), (value, indent, forgive) => {
        const text = JSON.stringify(value, null, indent)
        const reading = readJson(text, { forgive })
        expect(plain(reading.value)).toEqual(JSON.parse(text))
        expect(reading.forgiven.size).toBe(0)
      }),
    )
  })

  test('accepts a text exactly when JSON.parse does', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '.',
      'e5',
      'null',
      'tru',
      ' ',
      '\n',
      '\\',
      '/',
      "'",
      '\u00a0',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const text = pieces.join('')
        let expected: unknown
        let accepted = true
        try {
          expected = JSON.parse(text)
        } catch {
          accepted = false
        }
        expect([text, fault(text) === 'none']).toEqual([text, accepted])
        if (accepted) expect(plain(readJson(text).value)).toEqual(expected)
      }),
      { numRuns: 3000 },
    )
  })

  test('gives every number back as it was written', () => {
    fc.assert(
      fc.property(fc.array(spelling), fc.constantFrom(0, 2), (numbers, indent) => {
        const text = stringify(readJson(`[${numbers.join(', ')}]`).value, indent)
        expect(text.replace(/[[\]\s]/g, '')).toBe(numbers.join(','))
      }),
    )
    expect(stringify(readJson('{"id":9007199254740993,"one":1.0,"e":1E+2,"z":-0}').value)).toBe(
      '{"id":9007199254740993,"one":1.0,"e":1E+2,"z":-0}',
    )
  })

  test('keeps plain numbers plain, so that only odd spellings cost anything', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = JSON.stringify(number)
        expect(typeof numberOf(text)).toBe('number')
      }),
    )
    expect(numberOf('1.0')).toEqual(new NumberText('1.0'))
    for (const text of ['', '01', '+1', '.5', '1.', '0x1', 'NaN', '1_0', ' 1', '1e'])
      expect(numberOf(text)).toBeUndefined()
  })

  test('writes what JSON.stringify writes', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(stringify(readJson(text).value, indent)).toBe(text)
      }),
    )
  })

  test('keeps a key named __proto__ a key', () => {
    const { value } = readJson('{"__proto__": {"polluted": 1.0}, "a": 1}')
    expect(stringify(value)).toBe('{"__proto__":{"polluted":1.0},"a":1}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(JSON.stringify(plain(value))).toBe('{"__proto__":{"polluted":1},"a":1}')
  })

  test('tells apart values whose text differs, and nothing else', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const left = readJson(JSON.stringify(a)).value
        expect(same(left, readJson(JSON.stringify(a)).value)).toBe(true)
        if (JSON.stringify(a) !== JSON.stringify(b)) return
        expect(same(left, readJson(JSON.stringify(b)).value)).toBe(true)
      }),
    )
    expect(same(readJson('[1]').value, readJson('[1.0]').value)).toBe(false)
    expect(same(readJson('{"a":1,"b":2}').value, readJson('{"b":2,"a":1}').value)).toBe(true)
    expect(same([], {})).toBe(false)
    expect(same(null, {})).toBe(false)
    expect(hasSpelling(readJson('{"a":[1, 1.50]}').value)).toBe(true)
    expect(hasSpelling(readJson('{"a":[1, 1.5]}').value)).toBe(false)
  })
})

describe('forgiving', () => {
  test('accepts comments, trailing commas, single quotes and bare names, and says so', () => {
    const text = `// call
    {
      'name': 'it\\'s "me"', /* inline */
      count: 1.50,
      $nested-name: [1, 2,],
    }`
    const { value, forgiven } = readJson(text, { forgive: true })
    expect(stringify(value)).toBe('{"name":"it\'s \\"me\\"","count":1.50,"$nested-name":[1,2]}')
    expect([...forgiven].sort()).toEqual(['comma', 'comment', 'name', 'quote'])
    expect(fault(text)).not.toBe('none')
  })

  test('accepts the byte order mark and the no-break spaces of pasted text', () => {
    expect(readJson('\uFEFF{\u00a0"a":\u00a01}', { forgive: true })).toMatchObject({ value: { a: 1 } })
  })

  test('does not take // in a string for a comment', () => {
    expect(readJson('{"url": "http://x/*y*/"}', { forgive: true })).toMatchObject({ value: { url: 'http://x/*y*/' } })
  })

  test('reports a name that stands twice, because one of the two is lost', () => {
    expect(readJson('{"a":1,"b":{"a":1},"a":2}')).toMatchObject({ value: { a: 2 }, repeated: ['a'] })
  })
})

describe('errors', () => {
  test.each([
    ['', 'ends-early 1:1'],
    ['{"a": 1', 'ends-early 1:8'],
    ['{\n  "a": tru\n}', 'bad-word 2:8 tru'],
    ['{"a": hello}', 'bad-word 1:7 hello'],
    ['[1, 0x10]', 'bad-number 1:5 0x10'],
    ['[\r\n+1]', 'bad-number 2:1 +1'],
    ['["a]', 'open-string 1:2'],
    ['["\\q"]', 'bad-escape 1:3 \\q'],
    ['["a\tb"]', 'bare-control 1:4'],
    ['{"a" 1}', 'unexpected 1:6 1'],
    ['{} {}', 'more-after 1:4 {'],
    ['[,]', 'unexpected 1:2 ,'],
  ])('%j: %s', (text, expected) => {
    expect(fault(text)).toBe(expected)
  })

  test('does not forgive what could mean several things', () => {
    for (const text of ['[1,,2]', '{a 1}', '{,}', '["a" "b"]', 'undefined', '[1 2]', '/* open', '{a:}']) {
      expect([text, fault(text, true)]).not.toEqual([text, 'none'])
    }
  })

  test('refuses nesting that would overflow the stack, with a message instead of a crash', () => {
    expect(fault('['.repeat(100_000))).toMatch(/^too-deep 1:1001/)
    expect(fault('[[['.repeat(300) + ']]]'.repeat(300))).toBe('none')
  })
})

test('the fast reading keeps every number as it was written, too', () => {
  fc.assert(
    fc.property(fc.array(spelling, { maxLength: 4 }), json, (numbers, value) => {
      const text = `[${[...numbers, JSON.stringify(value)].join()}]`
      expect(stringify(readExactly(text))).toBe(stringify(readJson(text).value))
    }),
    { numRuns: 500 },
  )
})
