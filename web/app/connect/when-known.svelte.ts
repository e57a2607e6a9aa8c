/** For what is asked for before something is known that it depends on: done once it is known, unless it is another by then. */
import { untrack } from 'svelte'

/**
 * Call while a component is set up.
 * @param wish what is asked for; `act` is not called where it has changed meanwhile
 * @returns a function that asks for it
 */
export const whenKnown = (isKnown: () => boolean, wish: () => object | undefined, act: () => void): (() => void) => {
  let meant = $state.raw<object>()
  $effect(() => {
    if (!meant || !isKnown()) return
    const same = meant === wish()
    meant = undefined
    if (same) untrack(act)
  })
  return () => {
    meant = wish()
  }
}
