import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConnectionSlot, type ConnectionSlots } from './connection-limit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const begin = (open: ConnectionSlots, url: string) => {
  const told: number[] = []
  return { told, request: new ConnectionSlot(open, url, (count) => told.push(count)) }
}

test('tells only requests that six older ones to their origin keep waiting, after 3 s', () => {
  const open: ConnectionSlots = new Map()
  const here = Array.from({ length: 8 }, (_, index) => begin(open, `http://server/mcp/${index}`))
  const elsewhere = begin(open, 'http://server:81/mcp')
  vi.advanceTimersByTime(2_900)
  expect(here.flatMap(({ told }) => told)).toEqual([])
  vi.advanceTimersByTime(200)
  expect(here.map(({ told }) => told)).toEqual([[], [], [], [], [], [], [6], [7]])
  expect(elsewhere.told).toEqual([])
})

test('tells nothing of a request that got its headers, or its turn, in time', () => {
  const open: ConnectionSlots = new Map()
  const here = Array.from({ length: 8 }, () => begin(open, 'http://server/mcp'))
  vi.advanceTimersByTime(1_000)
  here[7]!.request.answered()
  here[0]!.request.ended()
  vi.advanceTimersByTime(5_000)
  expect(here.map(({ told }) => told)).toEqual(here.map(() => []))
  for (const { request } of here) request.ended()
  expect(begin(open, 'http://server/mcp').told).toEqual([])
  expect([...open.values()].map(({ size }) => size)).toEqual([1])
})
