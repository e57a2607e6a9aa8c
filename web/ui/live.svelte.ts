/**
 * The only bridge between the kernel's objects and Svelte.
 *
 * Wire data is never deep `$state`: 100,000 frames behind proxies cost seconds and half a gigabyte. Here they stay
 * plain objects, and readers are notified at most once per animation frame, or every 500 ms while the tab is hidden (a
 * hidden tab gets no animation frames, but must not be stale when it is shown again).
 */
import { tick } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'

interface Source<Value> {
  readonly current: Value
  subscribe(listener: () => void): () => void
}

const HIDDEN_FLOOR = 500

/** Makes `source.current` reactive. Read `current` in a component or `$derived`. */
export const live = <Value>(source: Source<Value>): { readonly current: Value } => {
  const subscribe = createSubscriber((update) => {
    let due = false
    let frame = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      due = false
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      update()
    }
    const stop = source.subscribe(() => {
      if (due) return
      due = true
      frame = requestAnimationFrame(flush)
      timer = setTimeout(flush, HIDDEN_FLOOR)
    })
    return () => {
      stop()
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  })
  return {
    get current() {
      subscribe()
      return source.current
    },
  }
}

/** Resolves once the page shows what has just changed behind `live`. */
export const liveShown = async (): Promise<void> => {
  await new Promise(requestAnimationFrame)
  await tick()
}

/** Copies a value that a fold mutates in place: Svelte only sees a change if the object is a new one. */
export const copied = <Value extends object>(value: Value | undefined): Value | undefined => value && { ...value }
