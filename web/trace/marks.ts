/** Where the words of a filter occur in a text, for marking them. */

export interface Piece {
  readonly text: string
  /** It is one of the words, or several that overlap. */
  readonly hit: boolean
}

/** Words that are looked for, and pieces of one text: a query may consist of a thousand letters. */
const MOST_WORDS = 20
const MOST_HITS = 50

/** @param words in lower case. @returns pieces that make up the text; none of them is empty */
export const markedPieces = (text: string, words: readonly string[]): readonly Piece[] => {
  const lower = text.toLowerCase()
  // Some letters change their length: the positions would be those of another text.
  if (words.length === 0 || lower.length !== text.length) return text === '' ? [] : [{ text, hit: false }]
  const hits: [from: number, to: number][] = []
  for (const word of words.slice(0, MOST_WORDS)) {
    if (word === '') continue
    for (let at = lower.indexOf(word); at >= 0 && hits.length < MOST_HITS; at = lower.indexOf(word, at + word.length)) {
      hits.push([at, at + word.length])
    }
  }
  hits.sort(([one], [other]) => one - other)
  const pieces: Piece[] = []
  let done = 0
  const put = (to: number, hit: boolean) => {
    if (to > done) pieces.push({ text: text.slice(done, to), hit })
    done = Math.max(done, to)
  }
  for (let at = 0; at < hits.length; at++) {
    const [from, to] = hits[at]!
    let end = to
    while (at + 1 < hits.length && hits[at + 1]![0] <= end) end = Math.max(end, hits[++at]![1])
    put(from, false)
    put(end, true)
  }
  put(text.length, false)
  return pieces
}
