import { expect, test } from 'vitest'
import { sampled } from './process-usage.ts'

const usage = (...processes: readonly (readonly [pid: number, cpu: number, memory: number])[]) => ({
  processes: processes.map(([pid, cpu, memory]) => ({ pid, name: 'node', cpu, memory })),
})

test('the share of a core is what all processes spent since the sample before', () => {
  const first = sampled(usage([1, 10, 100], [2, 5, 50]), 0)
  expect(first).toMatchObject({ percent: 0, memory: 150, processes: 2 })
  expect(sampled(usage([1, 10.5, 100], [2, 6, 50]), 2000, first).percent).toBe(75)
})

test('a process that has started counts in full, and one that has ended makes nothing negative', () => {
  const first = sampled(usage([1, 10, 100], [2, 500, 50]), 0)
  expect(sampled(usage([1, 10, 100], [3, 1, 10]), 2000, first)).toMatchObject({
    percent: 50,
    memory: 110,
    processes: 2,
  })
})
