import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRecord, type Value } from '../../json/index.ts'
import { readJson } from '../../json/index.ts'
import { tablesIn } from './find.ts'
import { cellOf, ordering, type Table, tabling, writing, writingJson } from './table.ts'

const all = <Result>(steps: Generator<void, Result>): Result => {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
const tableOf = (rows: readonly Value[], widest?: number): Table => all(tabling(rows, widest))

const name = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor', '1', ''), fc.string({ maxLength: 3 }))
const row = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(name, fc.jsonValue({ maxDepth: 2 })) },
  fc.jsonValue({ maxDepth: 1 }),
)
const rows = fc.array(row, { maxLength: 30 }).map((values) => JSON.parse(JSON.stringify(values)) as Value[])

/** A literal parser for RFC 4180. */
const parseCsv = (text: string, separator: string): string[][] => {
  const lines: string[][] = [[]]
  for (let at = 0; at <= text.length;) {
    let field = ''
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (text[at] === '"') at++
        field += text[at]
      }
      at++
    } else for (; at < text.length && text[at] !== separator && text[at] !== '\r'; at++) field += text[at]
    lines.at(-1)!.push(field)
    if (text[at] === '\r') {
      lines.push([])
      at += 2
    } else at++
  }
  return lines
}

describe('a list as a table', () => {
  test('loses no cell of any list, and makes none up', () => {
    fc.assert(
      fc.property(rows, (values) => {
        const { columns, more } = tableOf(values, 1000)
        expect(more).toBe(0)
        for (const value of values) {
          const cells = columns.flatMap(({ key }) => {
            const cell = cellOf(value, key)
            return cell === undefined ? [] : [[key, cell] as const]
          })
          if (isRecord(value)) expect(new Map(cells)).toEqual(new Map(Object.entries(value)))
          else expect(cells).toEqual([[undefined, value]])
        }
      }),
    )
  })

  test('has a bound on its columns, and says how many names there are beyond', () => {
    const { columns, more } = tableOf(
      [Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, at])), 5],
      10,
    )
    expect(columns).toHaveLength(11)
    expect(more).toBe(20)
  })

  test('is found in the value itself and in what it holds', () => {
    const paths = (value: Value) => tablesIn(value).map(({ path }) => path)
    expect(paths([{ a: 1 }])).toEqual([[]])
    expect(paths({ meta: { page: 1, of: [{ n: 1 }] }, rows: [1, { a: 1 }], names: ['a'] })).toEqual([
      ['meta', 'of'],
      ['rows'],
    ])
    expect(paths(['a', 'b'])).toEqual([])
    expect(paths({ a: { b: { c: { d: [{}] } } } })).toEqual([])
  })

  test('sorts stably, numbers by value, and keeps what has no such cell at the end either way', () => {
    const { value } = readJson('[{"a":10},{"a":9.0},{},{"a":"b10"},{"a":"b9"},{"a":null},{"a":10,"z":1}]')
    const table = tableOf(value as Value[])
    expect([...all(ordering(table, 'a', false))]).toEqual([1, 0, 6, 4, 3, 5, 2])
    expect([...all(ordering(table, 'a', true))]).toEqual([5, 3, 4, 0, 6, 1, 2])
  })

  test('sorts long lists in steps, as one sort would', () => {
    const values = Array.from({ length: 9_001 }, (_, at) => ({ n: (at * 7919) % 500 }))
    const table = tableOf(values)
    const expected = values.map((_, at) => at).sort((a, b) => values[a]!.n - values[b]!.n || a - b)
    expect([...all(ordering(table, 'n', false))]).toEqual(expected)
    expect([...ordering(table, 'n', false)].length).toBeGreaterThan(9)
  })

  test.each([',', '\t'] as const)(
    'is written so that every reader of RFC 4180 has each cell again (%j)',
    (separator) => {
      fc.assert(
        fc.property(rows, (values) => {
          const table = tableOf(values, 1000)
          expect(JSON.parse(all(writingJson(table)))).toEqual(values)
          if (table.columns.length === 0) return
          const [head, ...lines] = parseCsv(all(writing(table, separator, 'value')), separator)
          expect(head).toEqual(table.columns.map(({ key }) => key ?? 'value'))
          expect(lines).toEqual(
            values.map((value) =>
              table.columns.map(({ key }) => {
                const cell = cellOf(value, key)
                return cell === undefined ? '' : typeof cell === 'string' ? cell : JSON.stringify(cell)
              }),
            ),
          )
        }),
      )
    },
  )
})
