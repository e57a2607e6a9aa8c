import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatsFor } from './format.ts'

const en = formatsFor('en')

test('durations read in the unit a person would choose', () => {
  expect([0, 0.42, 4.2, 9.96, 512.4, 999.6, 6100, 59_940, 59_960, 125_000, 3_600_000, 12_000_000].map(en.ms)).toEqual([
    '0 ms', '0.4 ms', '4.2 ms', '10 ms', '512 ms', '1 s', '6.1 s', '59.9 s', '1 min', '2 min 5 s', '1 h', '3 h 20 min',
  ]) // prettier-ignore
})

test('sizes never show four digits before the unit', () => {
  expect([0, 312, 999, 1000, 4216, 999_499, 999_500, 20_000_000].map(en.bytes)).toEqual([
    '0 B', '312 B', '999 B', '1 kB', '4.2 kB', '999 kB', '1 MB', '20 MB',
  ]) // prettier-ignore
  fc.assert(fc.property(fc.integer({ min: 0, max: 10 ** 14 }), (size) => /^\d{1,3}(\.\d)? \w/.test(en.bytes(size))))
})

test('time since the beginning keeps milliseconds and stays in order', () => {
  expect([0, 12_104, 59_999.6, 187_250, 3_600_000].map(en.since)).toEqual([
    '+0.000', '+12.104', '+1:00.000', '+3:07.250', '+1:00:00.000',
  ]) // prettier-ignore
})

test('counts follow the language', () => {
  expect(en.count(1204)).toBe('1,204')
  expect(formatsFor('de').count(1204)).toBe('1.204')
})
