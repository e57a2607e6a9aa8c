/** ms of uninterrupted work that leave time for a frame. */
const SLICE = 8

/**
 * Runs a generator to its end, with pauses that keep the page responsive.
 * @param wanted checked after each pause
 * @returns `undefined` if it was no longer wanted
 */
export const inSteps = async <Result>(
  steps: Generator<void, Result>,
  wanted: () => boolean,
): Promise<Result | undefined> => {
  let begun = performance.now()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    if (performance.now() - begun < SLICE) continue
    await new Promise((resolve) => setTimeout(resolve))
    if (!wanted()) return undefined
    begun = performance.now()
  }
}
