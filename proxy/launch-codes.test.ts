import { expect, test } from 'vitest'
import { CODE_LIFETIME, LaunchCodes } from './launch.ts'

const clock = () => {
  let now = 0
  return { now: () => now, pass: (ms: number) => void (now += ms) }
}

test('a code works once, for a minute', () => {
  const { now, pass } = clock()
  const codes = new LaunchCodes(now)
  const [first, second] = [codes.issue(), codes.issue()]
  expect(first).toMatch(/^[\w-]{32}$/)
  expect([codes.redeem(first), codes.redeem(first)]).toEqual(['ok', 'used'])
  pass(CODE_LIFETIME + 1)
  expect(codes.redeem(second)).toBe('expired')
  expect(codes.redeem('')).toBe('unknown')
})

test('one that waits for its first use waits for an hour, but not beside an open page', () => {
  const { now, pass } = clock()
  const codes = new LaunchCodes(now)
  const [waiting, forgotten] = [codes.issue(Infinity), codes.issue(Infinity)]
  pass(3_600_000)
  expect(codes.redeem(waiting)).toBe('ok')
  pass(CODE_LIFETIME + 1)
  expect(codes.redeem(forgotten)).toBe('expired')
})

test('after twenty guesses within a minute none counts, not even the right one', () => {
  const { now, pass } = clock()
  const codes = new LaunchCodes(now)
  const code = codes.issue(Infinity)
  const guesses = Array.from({ length: 21 }, (_, index) => codes.redeem(`guess-${index}`))
  expect(guesses.slice(-2)).toEqual(['unknown', 'too-many'])
  expect(codes.redeem(code)).toBe('too-many')
  pass(CODE_LIFETIME)
  expect(codes.redeem(code)).toBe('ok')
})

test('who waits for a code to be used hears of it', () => {
  const codes = new LaunchCodes()
  const heard: string[] = []
  codes.onRedeemed((code) => heard.push(code))
  const code = codes.issue()
  codes.redeem(code)
  codes.redeem(code)
  expect(heard).toEqual([code])
})
