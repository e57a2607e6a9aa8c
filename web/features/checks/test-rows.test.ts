import { expect, test } from 'vitest'
import { testRows } from './test-rows.ts'

const sources = ['session', 'kept:1', 'kept:2'].map((value) => ({ value, title: value, count: 1 }))
const step = { id: 'a', link: 's1', kind: 'request', method: 'tools/call' } as const

test('every source is a row, and the tests of the open one follow it', () => {
  const rows = testRows(sources, 'kept:1', [step, { ...step, id: 'b' }])
  expect(rows.map((row) => (row.kind === 'source' ? `${row.value}${row.open ? ' open' : ''}` : row.step.id))).toEqual([
    'session',
    'kept:1 open',
    'a',
    'b',
    'kept:2',
  ])
})

test('the tests of a source that is gone are not listed', () => {
  expect(testRows(sources, 'kept:gone', [step])).toHaveLength(3)
})
