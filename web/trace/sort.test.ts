/** Sorted lists: they show what the list in order of time shows, in another order, whatever happens meanwhile. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exchanges, type FrameDraft, httpExchanges, nextTask, Projection, signIns, Trace } from '../mcp/index.ts'
import { append, aroundOf, drafts, source } from './frames.case.ts'
import { RowIndex, type RowSource } from './rows.ts'
import { frameKey, groupKey, SortedRows, type SortBy } from './sort.ts'

const BY: readonly SortBy[] = [
  'number', 'time', 'server', 'direction', 'method', 'status', 'duration', 'size', 'problems',
] // prettier-ignore

type Key = ReturnType<typeof frameKey>

/** Without a key last; equal ones in order of time. */
const sortedBy = <Item>(items: readonly Item[], keyOf: (item: Item) => Key, down: boolean): Item[] => {
  const order = (one: Key, other: Key): number => {
    if (one === other) return 0
    if (one === undefined) return 1
    if (other === undefined) return -1
    return (one < other ? -1 : 1) * (down ? -1 : 1)
  }
  return items.toSorted((one, other) => order(keyOf(one), keyOf(other)))
}

type Act =
  | { readonly do: 'append'; readonly drafts: readonly FrameDraft[] }
  | { readonly do: 'filter'; readonly query: string }
  | { readonly do: 'sort'; readonly by: SortBy; readonly down: boolean }
  | { readonly do: 'clear' | 'showEarlier' | 'pause' | 'resume' | 'wait' }

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('append' as const), drafts: fc.array(drafts, { maxLength: 12 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('filter' as const),
      query: fc.constantFrom('', 'status:pending', '-status:pending', 'kind:http', '-method:tools/call', 'dur:>3'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('sort' as const), by: fc.constantFrom(...BY), down: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('clear', 'showEarlier', 'pause', 'resume', 'wait', 'wait', 'wait') }) },
) // prettier-ignore

test.each(['frames', 'exchanges'] as const)(
  '%s are the same ones as in order of time, in the order of their column, whatever the user does meanwhile',
  async (view) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...BY),
        fc.boolean(),
        fc.array(acts, { maxLength: 20 }),
        async (by, down, list) => {
          const all = source()
          const index = new RowIndex(all)
          let sorting = { by, down }
          index.sort(view, sorting)
          for (const act of list) {
            if (act.do === 'append') for (const draft of act.drafts) append(all.trace, draft)
            else if (act.do === 'filter') index.filter(act.query)
            else if (act.do === 'sort') index.sort(view, (sorting = { by: act.by, down: act.down }))
            else if (act.do === 'wait') await nextTask()
            else index[act.do]()
          }
          index.resume()
          await index.settled()
          const { seqs, groups, seqOrder, groupOrder } = index.current
          const around = aroundOf(all)
          if (view === 'frames') {
            expect(seqOrder!.items).toEqual(
              sortedBy(seqs, (seq) => frameKey(all.trace.at(seq)!, sorting.by, all.trace, around), sorting.down),
            )
            expect(seqOrder!.items.map((seq) => seqOrder!.indexOf(seq))).toEqual(seqs.map((_, at) => at))
          } else {
            expect(groupOrder!.items.map(({ first }) => first)).toEqual(
              sortedBy(groups, (group) => groupKey(group, sorting.by, all.trace, around), sorting.down).map(
                ({ first }) => first,
              ),
            )
          }
          index.close()
        },
      ),
      { numRuns: 200 },
    )
  },
)

const ping = (id: number): FrameDraft => ({
  kind: 'message',
  link: 's1',
  direction: 'sent',
  type: 'request',
  message: { jsonrpc: '2.0', id, method: 'ping' },
  size: 40,
})
const pong = (id: number): FrameDraft => ({
  kind: 'message',
  link: 's1',
  direction: 'received',
  type: 'result',
  message: { jsonrpc: '2.0', id, result: {} },
  size: 40,
})

/** A trace whose clock the test sets, in ms. */
const timed = (): { all: RowSource; put: (at: number, draft: FrameDraft) => void } => {
  let now = 0
  const trace = new Trace({ now: () => now })
  const all = {
    ...source(),
    trace,
    exchanges: new Projection(trace, exchanges),
    runs: new Projection(trace, httpExchanges),
    signIns: new Projection(trace, signIns),
  }
  return {
    all,
    put: (at, draft) => {
      now = at
      append(trace, draft)
    },
  }
}

test('a running call is last in both directions, and takes its place once it has a duration', async () => {
  const { all, put } = timed()
  put(0, ping(1))
  put(1, ping(2))
  put(2, ping(3))
  put(22, pong(2))
  put(300, pong(3))
  const index = new RowIndex(all, 'type:request')
  for (const down of [false, true]) {
    index.sort('frames', { by: 'duration', down })
    await index.settled()
    expect(index.current.seqOrder!.items).toEqual(down ? [2, 1, 0] : [1, 2, 0])
  }
  put(400, pong(1))
  await index.settled()
  expect(index.current.seqOrder!.items).toEqual([0, 2, 1])
  index.close()
})

test('a paused list keeps its order, and has the right one once it goes on', async () => {
  const { all, put } = timed()
  put(0, ping(1))
  put(1, ping(2))
  put(20, pong(2))
  const index = new RowIndex(all, 'type:request')
  index.sort('frames', { by: 'duration', down: true })
  await index.settled()
  index.pause()
  put(500, pong(1))
  await index.settled()
  expect(index.current.seqOrder!.items).toEqual([1, 0])
  index.resume()
  await index.settled()
  expect(index.current.seqOrder!.items).toEqual([0, 1])
  index.close()
})

test('a change costs a few comparisons, however many rows there are, and keeps them all in place', async () => {
  const rows = Array.from({ length: 50_000 }, (_, at) => at)
  const keys = rows.map((at) => (at * 7919) % 50_021)
  let read = 0
  const sorted = new SortedRows<number>({
    all: () => rows,
    has: () => true,
    keyOf: (row) => {
      read++
      return keys[row]
    },
    placeOf: (row) => row,
    down: false,
  })
  let pauses = 0
  const pace = () => {
    pauses++
    return undefined
  }
  await sorted.settle(pace)
  expect(pauses).toBeGreaterThan(100)
  expect(sorted.items.every((row, at) => at === 0 || keys[sorted.items[at - 1]!]! <= keys[row]!)).toBe(true)
  read = 0
  for (const row of [3, 40_000]) {
    keys[row] = 99_999
    sorted.touch(row)
  }
  await sorted.settle(pace)
  expect(read).toBe(2)
  expect(sorted.items.slice(-2)).toEqual([3, 40_000])
  expect(sorted.items).toHaveLength(50_000)
  expect(sorted.indexOf(40_000)).toBe(49_999)
})

test('rows that change while everything is sorted are in their place at the end', async () => {
  const rows = Array.from({ length: 10_000 }, (_, at) => at)
  const keys = rows.map((at) => -at)
  const gone = new Set<number>()
  const sorted = new SortedRows<number>({
    all: () => rows.filter((row) => !gone.has(row)),
    has: (row) => !gone.has(row),
    keyOf: (row) => keys[row],
    placeOf: (row) => row,
    down: false,
  })
  let slice = 0
  await sorted.settle(async () => {
    if (++slice > 3) return
    // More than makes a settled list sort everything again: in a burst, that would never end.
    for (let row = slice; row < 10_000; row += 9) {
      keys[row] = row
      if (row % 2 === 0) gone.add(row)
      sorted.touch(row)
    }
    await nextTask()
  })
  const left = rows.filter((row) => !gone.has(row))
  expect(sorted.items).toEqual(sortedBy(left, (row) => keys[row], false))
})
