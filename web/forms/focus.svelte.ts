import { tick } from 'svelte'
import { patternMatches } from './pattern-matches.svelte.ts'

/**
 * Defers until the mouse button or key is released. Focus leaves while the button is still down; a message that appeared at
 * that moment would move the clicked button away from the pointer, and the click would be lost.
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

/** Focuses an element after the next render, and after the patterns that decide its control have been matched. */
export const focusSoon = async (id: string): Promise<void> => {
  await tick()
  await patternMatches.settled()
  await tick()
  document.getElementById(id)?.focus()
}
