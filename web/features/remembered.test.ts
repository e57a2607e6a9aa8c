import { expect, test } from 'vitest'
import { Remembered } from './remembered.ts'

test('what is remembered is the same at each asking, and another for each server and each of its things', () => {
  const made: string[] = []
  const drafts = new Remembered((server) => {
    made.push(server)
    return {}
  })
  const [whole, greet] = [drafts.of('s1'), drafts.of('s1', 'greet')]
  expect(drafts.of('s1')).toBe(whole)
  expect(drafts.of('s1', 'greet')).toBe(greet)
  expect(new Set([whole, greet, drafts.of('s1', 'erase'), drafts.of('s2', 'greet')]).size).toBe(4)
  expect(made).toEqual(['s1', 's1', 's1', 's2'])
})

test('nothing is made that nobody asked for', () => {
  let made = 0
  const counted = new Remembered(() => ++made)
  expect(made).toBe(0)
  expect([counted.of('s1'), counted.of('s1'), counted.of('s2')]).toEqual([1, 1, 2])
})
