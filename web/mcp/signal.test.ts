import { expect, test } from 'vitest'
import { Signal } from './signal.ts'

test('a signal tells who subscribed, in order, until they unsubscribe', () => {
  const signal = new Signal<[number]>()
  const told: string[] = []
  const { subscribe } = signal
  const stop = subscribe((value) => told.push(`a${value}`))
  subscribe((value) => told.push(`b${value}`))
  signal.emit(1)
  stop()
  stop()
  signal.emit(2)
  expect(told).toEqual(['a1', 'b1', 'b2'])
  expect(signal.size).toBe(1)
  signal.clear()
  signal.emit(3)
  expect(told).toHaveLength(3)
})

test('the same function is told once, however often it subscribes', () => {
  const signal = new Signal()
  let count = 0
  const listener = () => void count++
  signal.subscribe(listener)
  signal.subscribe(listener)
  signal.emit()
  expect(count).toBe(1)
})

test('who subscribes or unsubscribes while others are told: the new are not told yet, the gone no more', () => {
  const signal = new Signal()
  const told: string[] = []
  let stop = () => {}
  const again = () => {
    told.push('again')
    stopAgain()
    stopAgain = signal.subscribe(again)
    stop()
    signal.subscribe(() => told.push('new'))
  }
  let stopAgain = signal.subscribe(again)
  stop = signal.subscribe(() => told.push('gone'))
  signal.emit()
  expect(told).toEqual(['again'])
})
