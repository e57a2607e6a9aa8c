/** A clock that ticks once a second while the element that shows it is visible. */
import { clock } from '../../ui/index.svelte.ts'

/** @param element shows the clock; while it is hidden, in a background tab or scrolled out of view, the clock stops */
export const ticking = (element: () => HTMLElement | undefined): { readonly now: number } => {
  let inView = $state(false)
  let inFront = $state(document.visibilityState === 'visible')

  $effect(() => {
    const watched = element()
    if (!watched) return
    const look = () => (inFront = document.visibilityState === 'visible')
    const observer = new IntersectionObserver(([entry]) => (inView = entry?.isIntersecting ?? false))
    observer.observe(watched)
    document.addEventListener('visibilitychange', look)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', look)
    }
  })

  // The system time: a timer that was throttled or suspended must not lose time.
  return clock(
    () => Date.now(),
    1000,
    () => inView && inFront,
  )
}
