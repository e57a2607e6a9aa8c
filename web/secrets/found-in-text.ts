/** What a search of a text reports: apart from the searches, because they call one another. */

/** The span of a secret. */
export interface Assigned {
  readonly from: number
  readonly to: number
  readonly rule: string
  /** It is in the position of a secret but may be an ordinary word: report it without removing it. */
  readonly doubtful?: true
}

export type FoundInText = (one: Assigned) => void

/** Characters of one part, and those that it shares with the next one. */
const PART = 16_000
const SHARED = 2000

/**
 * Searches a long text part by part: costly patterns then run only where the words are that they look for, not all over
 * a program that has them once. No match may be longer than what two parts share.
 */
export const inParts = (text: string, found: FoundInText, search: (part: string, found: FoundInText) => void): void => {
  if (text.length <= PART) return search(text, found)
  for (let begin = 0; begin < text.length; begin += PART - SHARED)
    search(text.slice(begin, begin + PART), (one) => found({ ...one, from: one.from + begin, to: one.to + begin }))
}

/** Whether a text is a minified program or similar: no place for sentences. */
export const isDense = (text: string): boolean => {
  if (text.length < PART) return false
  let [spaces, signs] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x20 || unit === 0x0a) spaces++
    // ( ) , ; = { }
    else if (
      unit === 0x28 ||
      unit === 0x29 ||
      unit === 0x2c ||
      unit === 0x3b ||
      unit === 0x3d ||
      unit === 0x7b ||
      unit === 0x7d
    )
      signs++
  }
  return spaces < text.length / 25 && signs > text.length / 20
}
