import { expect, test } from 'vitest'
import { itemSteps } from './item-steps.ts'

const labels = { previous: 'Previous', next: 'Next' }
const items = ['a', 'b', 'c'].map((key) => ({ key }))

test('steps lead to the neighbours of an item, and end with the list', () => {
  const went: string[] = []
  const at = (key: string) => itemSteps(items, key, labels, (to) => went.push(to))
  at('b')?.previous?.()
  at('b')?.next?.()
  expect(went).toEqual(['a', 'c'])
  expect([at('a')?.previous, at('c')?.next]).toEqual([undefined, undefined])
  // A filter hides it, or there is nowhere to go.
  expect(at('d')).toBeUndefined()
  expect(itemSteps([{ key: 'a' }], 'a', labels, () => {})).toBeUndefined()
})
