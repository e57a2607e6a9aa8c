/** Defers an action until its input is loaded; drops it if the input changed meanwhile. */
import { untrack } from 'svelte'

/**
 * Call while a component is set up.
 * @param input what the action was asked for with
 * @returns a function that asks for it
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
