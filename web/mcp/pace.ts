/**
 * Prevents a flood of work from blocking the main thread: splits work into slices with a real task boundary in between.
 *
 * Microtasks aren't enough (the browser paints only between tasks), and `setTimeout` is too slow: it is clamped to 4 ms
 * when nested and to a second or more in hidden tabs. Posting a message to oneself avoids both.
 */

/** Longest slice of uninterrupted work, in ms. Leaves time to paint a frame within 16 ms. */
export const SLICE = 8

const immediate = (globalThis as { setImmediate?: (run: () => void) => void }).setImmediate

/** Resolves in a later task of the event loop. */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    if (immediate) return void immediate(resolve)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })

/** Call `await pace()` between pieces of work: it returns immediately until the slice is used up. */
export const pacer = (slice = SLICE): (() => Promise<void> | undefined) => {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < slice) return undefined
    return nextTask().then(() => void (begun = performance.now()))
  }
}

/** Visits each item, in slices. */
export const eachInSteps = async <Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> => {
  const pause = pacer()
  for (const item of items) {
    visit(item)
    const wait = pause()
    if (wait) await wait
  }
}
