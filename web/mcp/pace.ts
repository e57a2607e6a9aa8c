/**
 * Keeps a flood from blocking the thread: work in slices, with a real task boundary between them.
 *
 * Microtasks are not enough (the browser paints only between tasks), and `setTimeout` is too slow: it is clamped
 * to 4 ms when nested and to a second or more in hidden tabs. A message to oneself is neither.
 */

/** Longest slice of uninterrupted work, in ms. Leaves room for a frame of painting within 16 ms. */
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

/** Call `await pace()` between pieces of work: it returns at once until the slice is used up. */
export const pacer = (slice = SLICE): (() => Promise<void> | undefined) => {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < slice) return undefined
    return nextTask().then(() => void (begun = performance.now()))
  }
}
