import { expect, test } from 'vitest'
import { RequestsById } from './requests-by-id.ts'

test('BP-06: gives out the request of a response once, by the id of its type first, then by that of the other', () => {
  const requests = new RequestsById<{ seq: number }>()
  requests.add(1, { seq: 0 })
  requests.add('1', { seq: 1 })
  expect(requests.take('1')).toEqual({ seq: 1 })
  expect(requests.get(1)).toEqual({ seq: 0 })
  expect(requests.take('1')).toEqual({ seq: 0 })
  expect(requests.take('1')).toBeUndefined()
  requests.add('01', { seq: 2 })
  expect(requests.get(1)).toBeUndefined()
  for (const id of [null, undefined, {}, true]) expect(requests.take(id)).toBeUndefined()
})

test('of two under one id the newest counts', () => {
  const requests = new RequestsById<{ seq: number }>()
  requests.add(1, { seq: 0 })
  requests.add(1, { seq: 1 })
  expect(requests.size).toBe(1)
  expect(requests.take(1)).toEqual({ seq: 1 })
})

test('gives up all requests of one frame, and all of a connection that ends', () => {
  const requests = new RequestsById<{ seq: number; of: string }>()
  requests.add('a', { seq: 4, of: 'batch' })
  requests.add('b', { seq: 5, of: 'other' })
  requests.add('c', { seq: 4, of: 'batch' })
  expect(requests.takeSent(4)).toHaveLength(2)
  expect(requests.takeSent(4)).toEqual([])
  expect(requests.takeAll()).toEqual([{ seq: 5, of: 'other' }])
  expect(requests.size).toBe(0)
})

test('forgets the oldest of a peer that never responds', () => {
  const requests = new RequestsById<{ seq: number }>()
  for (let seq = 0; seq < 5000; seq++) requests.add(seq, { seq })
  expect(requests.size).toBe(2000)
  expect(requests.get(2999)).toBeUndefined()
  expect([...requests.values()][0]).toEqual({ seq: 3000 })
})
