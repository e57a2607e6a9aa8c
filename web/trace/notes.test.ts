/** Notes on frames in the lists: found by the filter, shown at their rows, while they are written, changed and removed. */
import { expect, test } from 'vitest'
import type { FrameDraft } from '../mcp/index.ts'
import { describeGroup } from './describe-group.ts'
import { describe as rowOf } from './describe.ts'
import { aroundOf, source } from './frames.case.ts'
import { RowIndex } from './rows.ts'

const line = (text: string): FrameDraft => ({ kind: 'process', event: 'stderr', link: 's1', text })

const noted = (query: string) => {
  const all = source()
  for (const text of ['one', 'two', 'three']) all.trace.append(line(text))
  return { all, index: new RowIndex(all, query) }
}

test.each([
  ['note:slow', [1]],
  ['note:SLOW', [1]],
  ['note:"too slow"', [1]],
  ['note:two', []],
  ['slow', [1]],
  ['two slow', [1]],
  ['-note:slow', [0, 2]],
  ['is:noted', [1, 2]],
  ['note:', [0, 1, 2]],
])('%s finds the frames by their notes', async (query, found) => {
  const { index } = noted(query)
  index.notedBy(new Map([[1, 'This is too slow'], [2, 'fine']])) // prettier-ignore
  await index.settled()
  expect(index.current.seqs).toEqual(found)
  index.close()
})

test('a note that is written, changed or removed while the list is filtered changes the list', async () => {
  const { all, index } = noted('slow')
  const shown = async (notes: Iterable<readonly [number, string]>) => {
    index.notedBy(new Map(notes))
    await index.settled()
    return index.current.seqs
  }
  expect(await shown([])).toEqual([])
  expect(await shown([[2, 'slow']])).toEqual([2])
  expect(await shown([[0, 'slow'], [2, 'slow']])).toEqual([0, 2]) // prettier-ignore
  all.trace.append(line('slow itself'))
  expect(await shown([[0, 'fast'], [2, 'slow']])).toEqual([2, 3]) // prettier-ignore
  expect(index.current.groups.map(({ first }) => first)).toEqual([2, 3])
  index.close()
})

test('a row shows the note of its frame, and the row of an exchange the first note in it', async () => {
  const all = source()
  const message = (direction: 'sent' | 'received', value: object): FrameDraft =>
    ({ kind: 'message', link: 's1', direction, type: 'id' in value && 'method' in value ? 'request' : 'result', message: value, size: 3 }) as FrameDraft // prettier-ignore
  all.trace.append(message('sent', { jsonrpc: '2.0', id: 1, method: 'ping' }))
  all.trace.append(message('received', { jsonrpc: '2.0', id: 1, result: {} }))
  const index = new RowIndex(all)
  const around = { ...aroundOf(all), notes: new Map([[1, 'a\nlong\u202e answer']]) }
  expect(rowOf(all.trace.at(0)!, around).note).toBeUndefined()
  // In a row, without line breaks and without characters that hide.
  expect(rowOf(all.trace.at(1)!, around).note).toMatch(/^a long.* answer$/)
  expect(rowOf(all.trace.at(1)!, around).note).not.toContain('\u202e')
  await index.settled()
  expect(describeGroup(index.groups.of(0)!, all.trace, around)!.note).toMatch(/^a long/)
  index.close()
})
