/** The notes on frames: a note is the text of a bookmark. */
import type { Seq } from '../mcp/index.ts'
import type { Bookmark } from '../session-file/index.ts'

/** The notes by frame, in the order of their frames. Bookmarks without a text aren't notes. */
export const notesOf = (bookmarks: readonly Bookmark[]): ReadonlyMap<Seq, string> =>
  new Map(bookmarks.filter(({ text }) => text !== '').map(({ seq, text }) => [seq, text]))

/** The first frame with a note after this one; after the last one, the first. */
export const nextNote = (bookmarks: readonly Bookmark[], from: Seq | undefined): Seq | undefined => {
  const seqs = [...notesOf(bookmarks).keys()]
  return seqs.find((seq) => seq > (from ?? -1)) ?? seqs[0]
}
