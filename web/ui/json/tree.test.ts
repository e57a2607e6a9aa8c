import { expect, test } from 'vitest'
import { moveFor } from './tree.svelte.ts'
import { Tree } from './rows.ts'

/** 0 { 1 a: [ 2 0: 1 · 3 ] · 4 b: 2 · 5 } */
const tree = new Tree({ a: [1], b: 2 })
const to = (key: string, active: number, page = 3) => {
  const move = moveFor(key, tree, active, page)
  return typeof move === 'object' ? move.go : move
}

test('arrows go from item to item and skip closing brackets', () => {
  expect([-1, 0, 1, 2, 4].map((active) => to('ArrowDown', active))).toEqual([0, 1, 2, 4, 4])
  expect([4, 2, 1, 0].map((active) => to('ArrowUp', active))).toEqual([2, 1, 0, 0])
})
test('pages, Home and End stay within the items', () => {
  expect([to('PageDown', 0), to('PageDown', 2), to('PageUp', 4, 1), to('Home', 4), to('End', 0)]).toEqual([
    4, 4, 2, 0, 4,
  ])
})
test('right opens or goes in, left closes or goes out', () => {
  const folded = new Tree({ a: [1], b: 2 })
  folded.toggle(1)
  expect(moveFor('ArrowRight', folded, 1, 3)).toBe('toggle')
  expect([
    to('ArrowRight', 1),
    to('ArrowRight', 4),
    to('ArrowLeft', 2),
    to('ArrowLeft', 1),
    to('ArrowLeft', 4),
  ]).toEqual([2, undefined, 1, 'toggle', 0])
})
test('a single value has one item, and nothing to open', () => {
  const single = new Tree('x')
  expect(['ArrowDown', 'ArrowUp', 'End'].map((key) => moveFor(key, single, 0, 3))).toEqual([
    { go: 0 },
    { go: 0 },
    { go: 0 },
  ])
  expect(moveFor('ArrowRight', single, 0, 3)).toBeUndefined()
  expect(moveFor('x', single, 0, 3)).toBeUndefined()
})
