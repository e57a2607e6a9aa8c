/** ms of uninterrupted work: a frame still fits beside it. */
const SLICE = 8

/**
 * Runs work to its end, with pauses in which the page can breathe.
 * @param wanted asked after each pause
 * @returns `undefined` where it was not wanted any more
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
