/** The replacement for a secret: it shows that something was removed, and how long it was. */

/** Above this, the number is cut off, so that a secret made of digits can't hide in a mask. */
const LONGEST_TOLD = 99_999

/** @param length UTF-16 units of the decoded secret */
export const maskOf = (length: number): string =>
  `•••• (${length > LONGEST_TOLD ? `${LONGEST_TOLD}+` : length} characters)`

const MASK = /•••• \(\d{1,5}\+? characters\)/

const BEGINS = new RegExp(`^${MASK.source}`)

/** Whether it is already masked. What follows the mask is left alone: another secret may have ended there. */
export const wasMasked = (text: string, at = 0): boolean =>
  text.startsWith('••••', at) && BEGINS.test(text.slice(at, at + 32))

/** The spans of masks, in order: their content is already masked and is left alone. */
export const masksIn = (text: string): readonly (readonly [from: number, to: number])[] =>
  text.includes('••••')
    ? Array.from(text.matchAll(new RegExp(MASK, 'g')), ({ 0: mask, index }) => [index, index + mask.length] as const)
    : []
