/**
 * Texts that somebody else wrote, so that all of them can be seen: what has no picture of its own, or changes how the
 * rest reads, stands as its number (SEC-03).
 */

/**
 * Controls, direction marks, zero widths, private use (which `marked` of web/oauth needs), halves of characters, and
 * spaces of other widths.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f]/gu

const number = (char: string): string => `⟨U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`

/** For names and addresses. @param most UTF-16 units that are shown */
export const visible = (text: string, most = 300): string => {
  const shown = text.slice(0, most).replace(UNSEEN, number)
  return text.length > most ? `${shown}…` : shown
}

/** As `visible`, but lines stay lines: for bodies. */
export const visibleLines = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(UNSEEN, (char) => (char === '\n' || char === '\t' ? char : number(char)))

/** What is not seen in prose of any language. Wide spaces and icons of private use harm nobody there. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

export interface Marked {
  /** The text, with a number for each character that is not seen. */
  readonly text: string
  readonly count: number
  /** The first of them, as it is written in `text`. */
  readonly first?: string
}

/**
 * For prose: line ends, joiners inside emoji and inside scripts that join, and selectors behind an emoji have a right to
 * be there; direction overrides, zero widths elsewhere, tags and controls have none.
 */
export const markHidden = (text: string): Marked => {
  let count = 0
  let first: string | undefined
  const marked = text.replace(HIDDEN, (char, at: number) => {
    if (isAtHome(char, text, at)) return char
    count++
    const shown = number(char)
    first ??= shown
    return shown
  })
  return { text: marked, count, ...(first === undefined ? {} : { first }) }
}

const isAtHome = (char: string, text: string, at: number): boolean => {
  if (char === '\n' || char === '\t' || char === '\r') return true
  // Signs of Arabic and other scripts that have a picture, though they count as format characters.
  if (/[\u0600-\u0605\u06dd\u070f\u08e2]/.test(char)) return true
  const before = pointBefore(text, at)
  if (char === '\u200c' || char === '\u200d') {
    const after = text.codePointAt(at + 1)
    const next = after === undefined ? '' : String.fromCodePoint(after)
    if (/^[\u0600-\u1fff]$/.test(before)) return true
    return char === '\u200d' && /^[\p{Extended_Pictographic}\p{EMod}\ufe0f]$/u.test(before) && /^\p{Emoji}$/u.test(next)
  }
  return /[\ufe00-\ufe0f]/.test(char) && /^[\p{Emoji}\p{Script=Han}]$/u.test(before)
}

const pointBefore = (text: string, at: number): string => {
  const unit = text.charAt(at - 1)
  return /[\udc00-\udfff]/.test(unit) ? text.slice(at - 2, at) : unit
}

/** As `visible`, for prose. @param most UTF-16 units that are shown */
export const visibleProse = (text: string, most: number): string =>
  `${markHidden(text.slice(0, most)).text}${text.length > most ? '…' : ''}`
