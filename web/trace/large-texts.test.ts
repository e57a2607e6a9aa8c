/** Bodies of any size are searched to their end, and never in one go. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Frame, type FrameDraft, type Json } from '../mcp/index.ts'
import { aroundOf, source } from './frames.case.ts'
import { parseFilter } from './filter.ts'
import { isLarge, jsonPieces, LargeTexts, piecesOf, wordsIn } from './large-texts.ts'
import { RowIndex } from './rows.ts'

const message = (value: Json): FrameDraft => ({
  kind: 'message',
  link: 's1',
  direction: 'received',
  type: 'notification',
  message: value,
  size: JSON.stringify(value).length,
})

const MANY = Array.from({ length: 20_000 }, (_, at) => ({ at, text: `line ${at}` }))

test('the pieces of a value are what JSON.stringify makes of it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect([...jsonPieces(value as Json)].join('')).toBe(JSON.stringify(value))
    }),
    { numRuns: 300 },
  )
  for (const value of ['x\u{1f600}"\n'.repeat(40_000), MANY, { a: MANY, b: { c: 'y'.repeat(100_000) } }]) {
    const pieces = [...jsonPieces(value)]
    expect(pieces.join('')).toBe(JSON.stringify(value))
    expect(pieces.length).toBeGreaterThan(4)
    // A piece of escaped text is at most six times as long as the text.
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(7 * 32 * 1024)
  }
})

test('a value nested deeper than any stack is read as well', () => {
  let deep: Json = 'bottom'
  for (let level = 0; level < 200_000; level++) deep = [deep]
  const search = wordsIn(jsonPieces(deep), ['bottom'])
  let step = search.next()
  while (!step.done) step = search.next()
  expect([...step.value]).toEqual(['bottom'])
})

test('words are found wherever the text was cut', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.array(fc.nat(40), { maxLength: 8 }), (at, cuts) => {
      const text = `${'a'.repeat(at)}Needle${'b'.repeat(30 - at)}`
      const places = [0, ...cuts.toSorted((one, other) => one - other), text.length]
      const pieces = places.slice(1).map((end, index) => text.slice(places[index], end))
      const search = wordsIn(pieces, ['needle', 'haystack'])
      let step = search.next()
      while (!step.done) step = search.next()
      expect([...step.value]).toEqual(['needle'])
    }),
  )
})

test.each<[what: string, draft: FrameDraft]>([
  ['a message', message([...MANY, 'at the very End'])],
  [
    'a message that is kept as it came',
    { ...message(null), raw: `${'{ } '.repeat(50_000)}the very end` } as FrameDraft,
  ],
  [
    'the body of an HTTP response',
    {
      kind: 'http',
      phase: 'end',
      link: 's1',
      request: 0,
      size: 200_000,
      body: `${'x '.repeat(100_000)}the very end`,
    },
  ],
  [
    'a line of a process',
    { kind: 'process', event: 'stderr', link: 's1', text: `${'x '.repeat(100_000)}the very end` },
  ],
])('%s is searched to its end', async (_, draft) => {
  const all = source()
  all.trace.append(message('small'))
  all.trace.append(draft)
  all.trace.append(message('small'))
  expect(isLarge(all.trace.at(1)!)).toBe(true)
  for (const [query, found] of [
    ['"very end"', [1]],
    ['end', [1]],
    ['-"very end"', [0, 2]],
    ['"very end" nothing', []],
    ['"no such thing"', []],
  ] as const) {
    const index = new RowIndex(all, query)
    await index.settled()
    expect([query, index.current.seqs]).toEqual([query, found])
    index.close()
    // Outside a list, too.
    const { matches } = parseFilter(query)
    expect([...all.trace].filter((frame) => matches(frame, aroundOf(all))).map(({ seq }) => seq)).toEqual(found)
  }
})

test('reading a large text takes many steps, and each word is looked for once', () => {
  const frame = { ...message(MANY), seq: 0, at: 0 } as Frame
  const texts = new LargeTexts(['line 19999', 'nowhere'])
  let steps = 0
  for (; texts.awaits(frame); steps++) texts.read(frame)
  expect(steps).toBeGreaterThan(10)
  expect(steps).toBeLessThanOrEqual([...piecesOf(frame)].length + 1)
  expect([texts.has(frame, 'line 19999'), texts.has(frame, 'nowhere')]).toEqual([true, false])
  expect(new LargeTexts([]).awaits(frame)).toBe(false)
})
