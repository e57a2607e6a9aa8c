import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseLong } from '../mcp/json-text.ts'
import type { Json } from './lossless.ts'
import { parsing } from './slices.ts'

const inSlices = (text: string, piece: number, widest?: number) => {
  const steps = parsing(text, { piece, ...(widest === undefined ? {} : { widest }) })
  let step = steps.next()
  for (let count = 0; !step.done; count++) {
    if (count > 10 * text.length + 10) throw new Error(`It comes to no end: ${text}`)
    step = steps.next()
  }
  return step.value
}

/** The result as a string, so that key order and `__proto__` count as well. */
const outcome = (parse: () => unknown): string => {
  try {
    return `is ${JSON.stringify(parse())}`
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return 'is none'
  }
}

const bothWays = (text: string, piece: number): void => {
  expect(outcome(() => inSlices(text, piece).value)).toBe(outcome(() => JSON.parse(text)))
}

const anyJson = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' })
const anyPiece = fc.integer({ min: 1, max: 40 })

describe('JSON read in slices', () => {
  test('is what JSON.parse reads, wherever it is cut and however it is laid out', () => {
    fc.assert(
      fc.property(anyJson, anyPiece, fc.constantFrom(undefined, 1, '\t', '\r\n '), (value, piece, space) => {
        bothWays(JSON.stringify(value, null, space), piece)
      }),
      { numRuns: 500 },
    )
  })

  test('is refused where JSON.parse refuses it: one character lost, doubled or put in', () => {
    const edit = fc.constantFrom('', ',', ':', '"', '[', ']', '{', '}', ' ', '\\', '1', 'x', '\u00a0', '\n')
    fc.assert(
      fc.property(anyJson, anyPiece, fc.nat(), edit, fc.nat({ max: 1 }), (value, piece, place, put, taken) => {
        const text = JSON.stringify(value)
        const at = place % (text.length + 1)
        bothWays(text.slice(0, at) + put + text.slice(at + taken), piece)
      }),
      { numRuns: 3000 },
    )
  })

  test('is refused where JSON.parse refuses it: heaps of what JSON is made of', () => {
    const part = fc.constantFrom('[', ']', '{', '}', ',', ':', '"a"', '"__proto__"', '1', 'null', ' ', '"\\u0041\\\\"')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), anyPiece, (parts, piece) => bothWays(parts.join(''), piece)),
      { numRuns: 5000 },
    )
  })

  test('keeps a name that stands twice as JSON.parse does, and one that would set the prototype', () => {
    for (const piece of [1, 5, 1000]) {
      bothWays('{"a":[1,2,3],"b":0,"a":{"c":[4]},"__proto__":{"x":[1]},"2":1,"1":2}', piece)
      const read = inSlices('{"__proto__":{"x":[1]}}', piece).value as object
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
      expect('x' in read).toBe(false)
    }
  })

  test('keeps lone surrogates and escapes whole, wherever a long string is cut', () => {
    const text = JSON.stringify([`${'\ud800'}\u2028"\\\\"${'\udc00'}𐀀\n\u0000`.repeat(40), 'end']).replaceAll(
      'n',
      '\\u006e',
    )
    for (let piece = 1; piece < 60; piece++) bothWays(text, piece)
  })

  test('refuses an escape that the end of its string cuts off, wherever it is cut itself', () => {
    for (const escape of ['\\', '\\u', '\\u0', '\\u00', '\\u004', '\\u0041', '\\n', '\\\\', '\\x', '\\"'])
      for (let before = 0; before < 20; before++)
        for (let piece = 1; piece < 20; piece++)
          for (const text of [`["${'x'.repeat(before)}${escape}"]`, `["\\u0041${'x'.repeat(before)}${escape}"]`])
            bothWays(text, piece)
  })

  test('takes as many steps as the text is long, whatever it is made of', () => {
    const texts = [
      JSON.stringify({ text: 'x"\\'.repeat(30_000) }),
      JSON.stringify(Array.from({ length: 10_000 }, (_, id) => ({ id, name: `row ${id}` }))),
      JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, id) => [`key ${id}`, id]))),
      `[${' '.repeat(200_000)}]`,
    ]
    for (const text of texts) {
      const count = [...parsing(text, { piece: 1000 })].length
      expect(count).toBeGreaterThan(text.length / 4000)
      expect(inSlices(text, 1000).value).toEqual(JSON.parse(text))
    }
  })

  test('counts levels, cuts values too deep to walk, and gives up on the abyss', () => {
    const nested = (levels: number) => `[${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}]`
    expect(inSlices(nested(400), 10)).toMatchObject({ depth: 400, cut: false })
    for (const piece of [1, 10, 700, 100_000]) {
      const { value, depth } = inSlices(`{"a":1,"b":${nested(5000)},"c":[${nested(499)}]}`, piece)
      expect(depth).toBe(5001)
      const kept = `${'['.repeat(499)}"…"${']'.repeat(499)}`
      expect(JSON.stringify(value)).toBe(`{"a":1,"b":${kept},"c":[${nested(498).replace('[]', '["…"]')}]}`)
    }
    expect(() => inSlices(nested(200_000), 1000)).toThrow(/levels/)
  })

  test('keeps the first members of an object too wide to walk, and says that there are more', () => {
    const wide = JSON.stringify({ a: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, at])), b: 1 })
    const { value, cut } = inSlices(wide, 100, 300)
    expect(cut).toBe(true)
    expect(Object.keys((value as { a: Json }).a as object)).toHaveLength(300)
    expect(value).toMatchObject({ b: 1 })
    expect(inSlices(wide, 100, 500).cut).toBe(false)
  })

  test('lets others run meanwhile', async () => {
    const text = JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id, name: `row ${id}`, of: [id] })))
    let turns = 0
    let over = false
    const turn = () => {
      turns++
      if (!over) setTimeout(turn)
    }
    setTimeout(turn)
    const { value } = await parseLong(text)
    over = true
    expect(value).toHaveLength(100_000)
    expect(turns).toBeGreaterThan(1)
  })
})
