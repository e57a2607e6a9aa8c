/** Whose frames the list shows, and what a filter finds by server. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextTask, type FrameDraft } from '../mcp/index.ts'
import { append, drafts, source } from './frames.case.ts'
import { RowIndex } from './rows.ts'

const line = (link: string, text: string): FrameDraft => ({ kind: 'process', event: 'stderr', link, text })

test('the frames of one server are shown, and what is found in the others is counted', async () => {
  const all = source()
  const lines = ['s1 apple', 's2 apple', 's1 berry', 's2 apple', 's3 berry']
  for (const text of lines) all.trace.append(line(text.slice(0, 2), text))
  const index = new RowIndex(all, 'apple')
  index.show('s1')
  await index.settled()
  expect(index.current.seqs).toEqual([0])
  expect(index.current.groups.map(({ first }) => first)).toEqual([0])
  expect([...index.current.byServer]).toEqual([['s1', [0]], ['s2', [1, 3]]]) // prettier-ignore
  index.show('s2')
  await index.settled()
  expect(index.current.seqs).toEqual([1, 3])
  // The filter stays when the server changes, and the other way round.
  index.filter('berry')
  await index.settled()
  expect(index.current.seqs).toEqual([])
  expect([...index.current.byServer]).toEqual([['s1', [2]], ['s3', [4]]]) // prettier-ignore
  index.show(undefined)
  await index.settled()
  expect(index.current.seqs).toEqual([2, 4])
  index.close()
})

test('kept up frame by frame, the matches of the servers are those of all, divided', async () => {
  const queries = fc.constantFrom('', 'status:pending', '-status:pending', 'dur:>3', 'kind:http', '-method:tools/call')
  await fc.assert(
    fc.asyncProperty(
      queries,
      fc.array(drafts, { maxLength: 40 }),
      fc.constantFrom(undefined, 's1', 's2'),
      async (query, list, only) => {
        const all = source()
        const [index, whole] = [new RowIndex(all, query), new RowIndex(all, query)]
        index.show(only)
        for (const [at, draft] of list.entries()) {
          append(all.trace, draft)
          if (at % 7 === 0) await nextTask()
        }
        await Promise.all([index.settled(), whole.settled()])
        const of = (link: string) => whole.current.seqs.filter((seq) => all.trace.at(seq)!.link === link)
        expect(index.current.seqs).toEqual(only === undefined ? whole.current.seqs : of(only))
        for (const link of ['s1', 's2']) expect(index.current.byServer.get(link) ?? []).toEqual(of(link))
        index.close()
        whole.close()
      },
    ),
    { numRuns: 100 },
  )
})
