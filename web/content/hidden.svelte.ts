import { pacer } from '../mcp/index.ts'
import { markHidden, type Marked } from '../ui/index.ts'

/** UTF-16 units that are looked at without a pause. */
const PIECE = 16 * 1024

/**
 * A text with what is not seen in it marked. Of a long one the first piece is marked at once, and the rest when all of
 * it was looked at. Call while a component is set up.
 */
export const marked = (text: () => string | undefined): { readonly current: Marked } => {
  let done = $state.raw<{ readonly of: string; readonly is: Marked }>()
  const now = $derived(text() ?? '')
  const first = $derived.by((): Marked => {
    const end = pieceEnd(now, 0)
    const start = markHidden(now.slice(0, end))
    // As it came where nothing is marked: no copy of a long text.
    if (start.count === 0) return { text: now, count: 0 }
    return { ...start, text: start.text + now.slice(end) }
  })
  $effect(() => {
    const of = now
    if (of.length <= PIECE) return
    let gone = false
    const look = async () => {
      const pace = pacer()
      const pieces: string[] = []
      let count = 0
      let found: string | undefined
      for (let at = 0; at < of.length;) {
        if (gone) return
        const end = pieceEnd(of, at)
        const piece = markHidden(of.slice(at, end))
        pieces.push(piece.text)
        count += piece.count
        found ??= piece.first
        at = end
        await pace()
      }
      if (gone || count === 0) return
      done = { of, is: { text: pieces.join(''), count, ...(found === undefined ? {} : { first: found }) } }
    }
    void look()
    return () => {
      gone = true
    }
  })
  return {
    get current() {
      return done?.of === now ? done.is : first
    },
  }
}

/** Never between the two halves of a surrogate pair. */
const pieceEnd = (text: string, from: number): number => {
  const end = from + PIECE
  return end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : Math.min(end, text.length)
}
