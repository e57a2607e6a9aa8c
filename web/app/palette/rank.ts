/**
 * Finds and ranks the entries that match the typed text. Each typed word must occur as it is, or be made of the beginnings
 * of words: `tsr` and `trisam` find `trigger-sampling-request`. Letters scattered over a text match nothing.
 */

export interface Ranked<Entry> {
  readonly entry: Entry
  readonly score: number
}

/** Maximum characters of an entry that are searched. */
const LOOKED_AT = 200

/** How well `wanted` (lower case, no spaces) matches; `undefined`: not at all. */
const scoreOf = (wanted: string, text: string, lower: string): number | undefined => {
  let whole = lower.indexOf(wanted)
  // An occurrence at the start of a word is better than an earlier one.
  for (let at = whole; at >= 0; at = lower.indexOf(wanted, at + 1)) {
    if (!isStart(text, at)) continue
    whole = at
    break
  }
  if (whole >= 0) return 1000 - whole + (isStart(text, whole) ? 500 : 0) - text.length / 10
  const parts = beginnings(wanted, text, lower)
  return parts === undefined ? undefined : 500 - 20 * parts - text.length / 10
}

/** @returns the number of words whose beginnings, one after the other, make `wanted`; `undefined` if none do */
const beginnings = (wanted: string, text: string, lower: string): number | undefined => {
  /** By the number of letters found: the fewest words, and where the last one ends. */
  let reached = new Map<number, number>([[0, 0]])
  for (let at = 0; at < lower.length; at++) {
    if (!isStart(text, at)) continue
    const next = new Map(reached)
    for (const [letters, words] of reached) {
      for (
        let length = 1;
        lower[at + length - 1] === wanted[letters + length - 1] && letters + length <= wanted.length;
        length++
      ) {
        const sum = letters + length
        if ((next.get(sum) ?? Infinity) > words + 1) next.set(sum, words + 1)
      }
    }
    reached = next
  }
  return reached.get(wanted.length)
}

const isStart = (text: string, at: number): boolean =>
  at === 0 ||
  /[\s\-_/.:]/.test(text.charAt(at - 1)) ||
  // `getUserName`
  (/[a-z\d]/.test(text.charAt(at - 1)) && /[A-Z]/.test(text.charAt(at)))

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
    const text = textOf(entry).slice(0, LOOKED_AT)
    const lower = text.toLowerCase()
    let score = 0
    const fits = words.every((word) => {
      const one = scoreOf(word, text, lower)
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
