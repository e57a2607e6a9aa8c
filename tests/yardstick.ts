/** A fixed piece of work that shows how fast this machine is now, in Node as well as in a page. */

/** ms the work takes on the reference machine when idle. */
const REFERENCE = 75

/** Parses, sorts and writes, which is what tests spend their time on. */
const work = (): void => {
  const rows = Array.from({ length: 6_000 }, (_, at) => ({ id: (at * 7919) % 6_000, name: `row ${at}` }))
  let text = JSON.stringify(rows)
  for (let round = 0; round < 20; round++) {
    const read = JSON.parse(text) as typeof rows
    read.sort((a, b) => a.id - b.id)
    text = JSON.stringify(read)
  }
}

/** @returns the median of some attempts: 1 on the reference machine, 3 if this one takes three times as long */
export const slownessNow = (attempts: number): number => {
  const times = Array.from({ length: attempts }, () => {
    const begun = performance.now()
    work()
    return performance.now() - begun
  }).sort((a, b) => a - b)
  return times[Math.floor(attempts / 2)]! / REFERENCE
}

/** Whether what took `ms` is within `limit` ms of an idle machine. @param slowness as measured at the start */
export const isWithin = (limit: number, ms: number, slowness: number): boolean =>
  // The machine may have become busier since.
  ms <= limit * slowness || ms <= limit * slownessNow(3)

const ATTEMPTS = 3

/**
 * Fails if what `measure` returns exceeds `limit` ms of an idle machine. Other programs only add time, so one attempt of
 * three is enough.
 */
export const expectInTime = async (
  limit: number,
  slowness: number,
  measure: () => number | Promise<number>,
): Promise<void> => {
  const took: number[] = []
  while (took.length < ATTEMPTS) {
    const ms = await measure()
    if (isWithin(limit, ms, slowness)) return
    took.push(Math.round(ms))
  }
  throw new Error(`Took ${took.join(', ')} ms: over the limit of ${limit} ms of an idle machine`)
}
