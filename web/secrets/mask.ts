/** What stands in the place of a secret: it shows that something was taken, and how long it was. */

/** Above it the number is cut, so that a mask has no room for a secret of digits. */
const LONGEST_TOLD = 99_999

/** @param length UTF-16 units of the secret itself, without the encoding it stood in */
export const maskOf = (length: number): string =>
  `•••• (${length > LONGEST_TOLD ? `${LONGEST_TOLD}+` : length} characters)`

const MASK = /•••• \(\d{1,5}\+? characters\)/

const BEGINS = new RegExp(`^${MASK.source}`)

/** Whether it was masked before. What follows the mask is let be: another secret may have ended in what ended this one. */
export const wasMasked = (text: string, at = 0): boolean =>
  text.startsWith('••••', at) && BEGINS.test(text.slice(at, at + 32))

/** The spans of masks, in order: what stands in them was masked before and is left alone. */
export const masksIn = (text: string): readonly (readonly [from: number, to: number])[] =>
  text.includes('••••')
    ? Array.from(text.matchAll(new RegExp(MASK, 'g')), ({ 0: mask, index }) => [index, index + mask.length] as const)
    : []
