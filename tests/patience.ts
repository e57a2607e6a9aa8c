/** Time limits of tests on a slow or busy machine. `speed.ts` measures it; Vitest passes it on, also to browsers. */
import { inject, vi } from 'vitest'
import { expectInTime } from './yardstick.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** How much slower this machine is than an idle one with two cores. */
    slowness: number
    /** How many times as often as usual properties are tried. */
    depth: number
  }
}

/** @param ms for an idle machine with two cores @returns ms for this one */
export const patient = (ms: number): number => ms * inject('slowness')

/** ms after which a state no longer comes. Only ends tests that hang. */
const HANGS = 20_000

/** Resolves once the condition holds. */
export const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + patient(HANGS)
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Still not true: ${String(condition)}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Resolves once the assertions hold, with what they return. */
export const eventually = <Result>(assertions: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(assertions, { timeout: patient(HANGS), interval: 10 })

/** Resolves once a count that has started to grow is unchanged between two polls. */
export const stopped = async (count: () => number): Promise<void> => {
  let before = 0
  const hasStopped = (): boolean => {
    const [last, now] = [before, count()]
    before = now
    return now > 0 && now === last
  }
  await vi.waitUntil(hasStopped, { interval: 200, timeout: patient(30_000) })
}

/** Fails if what `measure` returns exceeds `limit` ms on an idle machine with two cores in each of three attempts. */
export const expectAtMost = (limit: number, measure: () => number | Promise<number>): Promise<void> =>
  expectInTime(limit, inject('slowness'), measure)

/** Fails if the work takes longer than `limit` ms, as `expectAtMost` does. @returns the work's result */
export const expectWithin = async <Result>(limit: number, work: () => Result | Promise<Result>): Promise<Result> => {
  let result: Result | undefined
  await expectAtMost(limit, async () => {
    const begun = performance.now()
    result = await work()
    return performance.now() - begun
  })
  return result as Result
}
