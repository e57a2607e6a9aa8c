/**
 * A value that changes with time, such as an age. It is read again every `ms`.
 * @param runs while false, the value stays
 */
export const clock = (read: () => number, ms: number, runs: () => boolean = () => true): { readonly now: number } => {
  let now = $state(0)
  $effect(() => {
    if (!runs()) return
    const tick = () => (now = read())
    tick()
    const timer = setInterval(tick, ms)
    return () => clearInterval(timer)
  })
  return {
    get now() {
      return now
    },
  }
}
