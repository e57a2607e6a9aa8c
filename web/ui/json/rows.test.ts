import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectAtMost, expectWithin } from '../../../tests/patience.ts'
import { NumberText, type Value } from '../../json/index.ts'
import { jsonPath, lineOf, previewOf, quoted, Tree } from './rows.ts'

const text = (tree: Tree): string[] =>
  Array.from({ length: tree.length }, (_, at) => {
    const { kind, key, value, depth } = tree.at(at)
    const name = key === undefined || kind === 'close' ? '' : `${key}: `
    const shown = {
      leaf: lineOf(value, 50),
      folded: '…',
      open: Array.isArray(value) ? '[' : '{',
      close: Array.isArray(value) ? ']' : '}',
    }[kind]
    return `${'  '.repeat(depth)}${name}${shown}`
  })

const openEverything = (tree: Tree) => {
  for (const _ of tree.openAll());
  return tree
}

/** The slow, obvious computation of the rows of a fully expanded value. */
const expected = (value: unknown, key?: string | number, depth = 0): string[] => {
  const margin = '  '.repeat(depth)
  const name = key === undefined ? '' : `${key}: `
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : []
  if (entries.length === 0) return [margin + name + lineOf(value as Value, 50)]
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return [
    `${margin}${name}${open}`,
    ...entries.flatMap(([key, inner]) => expected(inner, key, depth + 1)),
    margin + close,
  ]
}

const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<Value>

describe('the rows of a value', () => {
  test('wholly opened are the value as it would be printed', () => {
    fc.assert(fc.property(json, (value) => void expect(text(openEverything(new Tree(value)))).toEqual(expected(value))))
  })

  test('after any sequence of opening and closing are those of the open nodes', () => {
    fc.assert(
      fc.property(json, fc.array(fc.nat(), { maxLength: 12 }), (value, picks) => {
        const tree = new Tree(value)
        for (const pick of picks) {
          const before = text(tree)
          const row = pick % tree.length
          const { kind, value: inner } = tree.at(row)
          tree.toggle(row)
          const after = text(tree)
          if (kind === 'leaf') expect(after).toEqual(before)
          if (kind === 'folded') {
            const count = Object.keys(inner as object).length
            expect(after.length).toBe(before.length + count + 1)
            tree.toggle(row)
            expect(text(tree)).toEqual(before)
            tree.toggle(row)
          }
          if (kind === 'open' && row > 0) expect(tree.at(row).kind).toBe('folded')
        }
      }),
    )
  })

  test('know their parent, their place among siblings and their path', () => {
    fc.assert(
      fc.property(json, (value) => {
        const tree = openEverything(new Tree(value))
        for (let at = 0; at < tree.length; at++) {
          const row = tree.at(at)
          let found: unknown = value
          for (const step of row.path) found = (found as Record<string | number, unknown>)[step]
          expect(found).toEqual(row.value)
          if (row.parent < 0) continue
          const parent = tree.at(row.parent)
          expect([parent.kind, parent.path]).toEqual(['open', row.path.slice(0, -1)])
          expect(row.siblings).toBe(Object.keys(parent.value as object).length)
          expect(Object.keys(parent.value as object)[row.position - 1]).toBe(String(row.key))
        }
      }),
    )
  })
})

describe('what is open at first', () => {
  test('is everything, of a small value', () => {
    expect(text(new Tree({ a: { b: [1, { c: null }] } }))).toEqual(expected({ a: { b: [1, { c: null }] } }))
  })
  test('is a level or two, of a large one', () => {
    const large = Array.from({ length: 100 }, (_, at) => ({ at, list: [1, 2, 3] }))
    expect(new Tree(large).length).toBe(102)
    expect(new Tree({ first: { second: large } }).length).toBe(106)
  })
})

describe('200,000 nodes', () => {
  const wide = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `n${id}`, tags: null }))

  test('open without a pause of 50 ms, and any row is found at once', async () => {
    let tree = await expectWithin(50, () => new Tree(wide))
    expect(tree.length).toBe(50_002)
    await expectAtMost(200, () => {
      tree = new Tree(wide)
      let longest = 0
      const slices = tree.openAll()
      for (let done: boolean | undefined = false; !done;) {
        const begun = performance.now()
        done = slices.next().done
        longest = Math.max(longest, performance.now() - begun)
      }
      return longest
    })
    expect(tree.length).toBe(50_000 * 5 + 2)
    tree.at(5)
    await expectWithin(50, () => {
      for (let row = 0; row < 40; row++) tree.at(200_001 + row)
    })
    expect(tree.at(200_001)).toMatchObject({ key: 40_000, kind: 'open', parent: 0, position: 40_001 })
  })
})

describe('on screen', () => {
  test('what cannot be seen, or would turn the reading order, is escaped', () => {
    expect(quoted('a\u202Eb\u200Bc\u0007\n"')).toBe('"a\\u202eb\\u200bc\\u0007\\n\\""')
  })
  test('numbers stand as they were written, long strings are cut', () => {
    expect(lineOf(new NumberText('1.0'), 10)).toBe('1.0')
    expect(lineOf('x'.repeat(20), 3)).toBe('"xxx"')
  })
  test('a folded node shows how it begins, however large it is', () => {
    expect(previewOf({ id: 1, name: 'x', list: [1], none: [] })).toBe('{ id: 1, name: "x", list: […], none: [] }')
    expect(previewOf(Array.from({ length: 100_000 }, (_, at) => at))).toMatch(/^\[0, 1, 2, .*, …\]$/)
    expect(previewOf({ text: 'y'.repeat(1e6), ['k'.repeat(1e6)]: 1 }).length).toBeLessThan(120)
  })
  test('a path is one that JSONPath tools take', () => {
    expect(jsonPath([])).toBe('$')
    expect(jsonPath(['content', 0, 'x y', "it's", 'é'])).toBe("$.content[0]['x y']['it\\'s'].é")
  })
})
