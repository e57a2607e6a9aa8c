import { expect, test } from 'vitest'
import { optionAfter } from './option-keys.ts'

test.each([
  ['ArrowDown', -1, 3, 0],
  ['ArrowDown', 1, 3, 2],
  ['ArrowDown', 2, 3, 0],
  ['ArrowUp', -1, 3, 2],
  ['ArrowUp', 0, 3, 2],
  ['ArrowUp', 2, 3, 1],
  // The list became shorter while the user typed.
  ['ArrowDown', 7, 3, 0],
  ['ArrowDown', -1, 0, undefined],
  ['Enter', 1, 3, undefined],
])('%s from option %i of %i leads to %s, round and round', (key, active, count, next) => {
  expect(optionAfter(key, active, count)).toBe(next)
})
