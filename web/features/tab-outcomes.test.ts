import { expect, test } from 'vitest'
import { tabOutcomesOf } from './tab-outcomes.ts'

test('an outcome belongs to one server and one feature, and the last one counts', () => {
  const outcomes = tabOutcomesOf({ slot: 'a' })
  let told = 0
  const leave = outcomes.subscribe(() => told++)
  expect(outcomes.current.get('checks')).toBeUndefined()
  outcomes.set('checks', 2)
  outcomes.set('other', 1)
  expect([...outcomes.current]).toEqual([
    ['checks', 2],
    ['other', 1],
  ])
  outcomes.set('checks', 0)
  expect(tabOutcomesOf({ slot: 'a' }).current.get('checks')).toBe(0)
  expect(tabOutcomesOf({ slot: 'b' }).current.get('checks')).toBeUndefined()
  outcomes.set('checks', undefined)
  expect([...outcomes.current]).toEqual([['other', 1]])
  expect(told).toBe(4)
  leave()
})
