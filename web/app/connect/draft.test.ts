import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowFaults } from './draft.svelte.ts'
import type { Target } from './target.ts'

const url = (...headers: [string, string][]): Target => ({ kind: 'url', url: 'http://x/', headers })

test('what passes can really be set, so that connecting never throws for it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
      if (rowFaults(url([name, value]), []).length > 0) return
      new Headers().append(name, value)
    }),
  )
  const cases: [string, string][] = [
    ['Authorization', 'Bearer x'],
    ['X-Key', ''],
    ['X-Key', 'é'],
  ]
  for (const [name, value] of cases) {
    expect(rowFaults(url([name, value]), [])).toEqual([])
    new Headers().append(name, value)
  }
})

test('faults are named with the header they are in', () => {
  expect(rowFaults(url(['bad name', 'x'], ['X-A', 'line\nend'], ['X-B', '中'], ['Cookie', 'a=b']), [])).toEqual([
    { fault: 'header-name', name: 'bad name' },
    { fault: 'header-value', name: 'X-A' },
    { fault: 'header-value', name: 'X-B' },
    { fault: 'header-forbidden', name: 'Cookie' },
  ])
})

test('a variable needs a name without =, an empty row is no fault', () => {
  const command: Target = { kind: 'command', command: 'x', args: [], env: { 'A=B': '1' } }
  expect(rowFaults(command, [{ name: '', value: '' }])).toEqual([{ fault: 'variable-name', name: 'A=B' }])
  expect(rowFaults(command, [{ name: '', value: 'v' }])).toHaveLength(2)
  expect(rowFaults(undefined, [])).toEqual([])
})
