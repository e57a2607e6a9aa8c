import { describe, expect, test } from 'vitest'
import type { Json } from '../mcp/index.ts'
import { isUnsteady } from './calibration.ts'
import { diffOf } from './diff.ts'

const counting = async (was: Json, is: Json, ...repeated: Json[]): Promise<string[]> => {
  const { differences } = await diffOf(was, is, { rules: [], method: 'tools/call', repeated })
  return differences.filter(({ accepted }) => accepted === undefined).map(({ pointer }) => pointer)
}

describe('what differs between two responses to the same request', () => {
  test.each<[what: string, was: Json, is: Json, again: Json[]]>([
    ['a word of a text', 'drew fox', 'drew owl', ['drew cat', 'drew owl']],
    ['a number', 3, 7, [8, 9]],
    ['the length of a text', 'a, b, c!', 'a, z!', ['a, y, x, w!']],
    ['whether a member is there', 'x', null, ['y']],
  ])('is no change of the server: %s', (_, was, is, again) => {
    expect(isUnsteady(was, is, again)).toBe(true)
  })

  test.each<[what: string, was: Json, is: Json, again: Json[]]>([
    ['a word that is the same each time', '30 seconds, drew fox', '300 seconds, drew owl', ['300 seconds, drew cat']],
    ['another beginning', 'old: a b c', 'new: d e', ['new: f']],
    ['another end', 'a b. Done', 'c. Failed', ['d e f. Failed']],
    ['another number of words', 'drew a fox', 'drew owl', ['drew cat']],
    ['another type', 3, 'three', ['four']],
    ['a value that stays', 3, 7, [7, 7]],
  ])('hides no change of what stays: %s', (_, was, is, again) => {
    expect(isUnsteady(was, is, again)).toBe(false)
  })

  test('is learned place by place, and items are found by their names', async () => {
    const list = (one: number, two: number, other: string): Json => ({
      items: [
        { name: 'a', load: one, limit: 5 },
        { name: 'b', load: two, limit: 5 },
      ],
      other,
    })
    const turned = { items: [...(list(7, 8, 'new') as { items: Json[] }).items].reverse(), other: 'new' }
    expect(await counting(list(1, 2, 'old'), list(3, 4, 'new'), list(5, 4, 'new'), turned)).toEqual(['/other'])
  })
})
