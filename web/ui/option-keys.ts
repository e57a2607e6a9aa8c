/**
 * The option that an arrow key leads to in a list whose field keeps the focus, round and round
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/#keyboardinteraction).
 *
 * @param active index of the highlighted option; -1 for none
 * @returns `undefined` for other keys, and if there are no options
 */
export const optionAfter = (key: string, active: number, count: number): number | undefined => {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return active >= count - 1 ? 0 : active + 1
  if (key === 'ArrowUp') return active <= 0 ? count - 1 : active - 1
  return undefined
}
