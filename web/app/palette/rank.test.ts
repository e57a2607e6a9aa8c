import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ranked } from './rank.ts'

const names = ['echo', 'get-sum', 'get-env', 'trigger-sampling-request', 'Resources', 'Read me rich://readme']
const find = (typed: string) => ranked(names, typed, (name) => name, 10)

test('the first letters of words find it, and a whole word beats scattered letters', () => {
  expect(find('tsr')[0]).toBe('trigger-sampling-request')
  expect(find('sum')[0]).toBe('get-sum')
  expect(find('re')[0]).toBe('Resources')
})

test('letters scattered over a text match nothing', () => {
  expect(find('eo')).toEqual([])
  expect(find('rsc')).toEqual([])
  expect(ranked(['getUserName'], 'gun', (name) => name, 5)).toEqual(['getUserName'])
  expect(find('trisam')).toEqual(['trigger-sampling-request'])
})

test('the start of a word beats the middle of an earlier one', () => {
  expect(ranked(['prefetch-echo-all', 'echo'], 'echo', (name) => name, 5)[0]).toBe('echo')
  expect(ranked(['unset set', 'reset all'], 'set', (name) => name, 5)[0]).toBe('unset set')
})

test('words in any order, in any case, and nothing that lacks one of them', () => {
  expect(find('README rich')).toEqual(['Read me rich://readme'])
  expect(find('zzz')).toEqual([])
})

test('nothing typed shows all in their order, and never more than asked for', () => {
  expect(find('')).toEqual(names)
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string(), fc.nat({ max: 5 }), (entries, typed, most) => {
      const found = ranked(entries, typed, (entry) => entry, most)
      expect(found.length).toBeLessThanOrEqual(most)
      for (const entry of found) expect(entries).toContain(entry)
    }),
  )
})
