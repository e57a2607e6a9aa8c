import { untrack } from 'svelte'

/**
 * A value that changes with time, such as an age. It is read again every `ms`.
 * @param runs while false, the value stays as last read
 */
export const clock = (read: () => number, ms: number, runs: () => boolean = () => true): { readonly now: number } => {
  let now = $state(untrack(read))
  $effect(() => {
    const tick = () => {
      now = read()
      if (!runs()) clearInterval(timer)
    }
    const timer = setInterval(tick, ms)
    tick()
    return () => clearInterval(timer)
  })
  return {
    get now() {
      return now
    },
  }
}
