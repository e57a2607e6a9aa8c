/** Random values that are the same in every run, so that failures are reproducible. */

export interface Chance {
  /** From 0 up to but not including 1. */
  next(): number
  int(below: number): number
  pick<Item>(items: readonly Item[]): Item
  text(alphabet: string, length: number): string
}

export const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
export const DIGITS = '0123456789'
export const HEX = '0123456789abcdef'
export const ALPHANUMERIC = `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}`

/** Mulberry32. */
export const chance = (seed: number): Chance => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (below: number): number => Math.floor(next() * below)
  return {
    next,
    int,
    pick: (items) => items[int(items.length)]!,
    text: (alphabet, length) => Array.from({ length }, () => alphabet[int(alphabet.length)]).join(''),
  }
}
