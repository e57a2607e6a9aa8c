/** Defers an action until its input is loaded; drops it if the input changed meanwhile. */
import { untrack } from 'svelte'

/**
 * Call this during component setup.
 * @param input compared to detect changes between request and action
 * @returns a function that requests the action
 */
export const whenKnown = (isKnown: () => boolean, input: () => object | undefined, act: () => void): (() => void) => {
  let asked = $state.raw<object>()
  $effect(() => {
    if (!asked || !isKnown()) return
    const same = asked === input()
    asked = undefined
    if (same) untrack(act)
  })
  return () => {
    asked = input()
  }
}
