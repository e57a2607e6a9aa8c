import { tick } from 'svelte'
import { patternMatches } from './pattern-matches.svelte.ts'

/**
 * Focus leaves while the mouse button is still down. A complaint that appears in that moment moves what is below it, and
 * the button that is being clicked is no longer under the pointer: its click would be lost.
 */
export const afterPress = (then: () => void): void => {
  const released = () => {
    removeEventListener('pointerup', released, true)
    removeEventListener('keyup', released, true)
    setTimeout(then)
  }
  addEventListener('pointerup', released, true)
  addEventListener('keyup', released, true)
}

/** Focuses the element that has this id once what was changed is drawn, with the fields that patterns give it. */
export const focusSoon = async (id: string): Promise<void> => {
  await tick()
  await patternMatches.settled()
  await tick()
  document.getElementById(id)?.focus()
}
