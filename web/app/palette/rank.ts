/**
 * Finds and ranks the entries that match the typed text: letters must occur in order, and score higher at the start of
 * words and when adjacent. Several words may match in any order.
 */

export interface Ranked<Entry> {
  readonly entry: Entry
  readonly score: number
}

/** Maximum characters of an entry that are searched. */
const LOOKED_AT = 200

/** How well `wanted` (lower case, no spaces) matches; `undefined`: not at all. */
const scoreOf = (wanted: string, text: string): number | undefined => {
  const whole = text.indexOf(wanted)
  if (whole >= 0) return 1000 - whole + (isStart(text, whole) ? 500 : 0) - text.length / 10
  let score = 0
  let at = 0
  let before = -2
  for (const letter of wanted) {
    const next = text.indexOf(letter, at)
    if (next < 0) return undefined
    score += next === before + 1 ? 8 : isStart(text, next) ? 6 : 0
    score -= Math.min(next - at, 10) / 10
    before = next
    at = next + 1
  }
  return score - text.length / 100
}

const isStart = (text: string, at: number): boolean => at === 0 || /[\s\-_/.:]/.test(text.charAt(at - 1))

/**
 * @param textOf the text by which an entry is found
 * @param most maximum number of results
 */
export const ranked = <Entry>(
  entries: readonly Entry[],
  typed: string,
  textOf: (entry: Entry) => string,
  most: number,
): Entry[] => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries.slice(0, most)
  const found: Ranked<Entry>[] = []
  for (const entry of entries) {
    const text = textOf(entry).slice(0, LOOKED_AT).toLowerCase()
    let score = 0
    const fits = words.every((word) => {
      const one = scoreOf(word, text)
      score += one ?? 0
      return one !== undefined
    })
    if (fits) found.push({ entry, score })
  }
  return found
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ entry }) => entry)
}
