/**
 * What content views derive from content that may be large: at once from little, in steps from much, so that the page stays
 * responsive. Call these during component setup.
 */
import { LONG, type Value, readExactly } from '../json/index.ts'
import { pacer, parseLong, utf8Length, utf8LengthInSteps } from '../mcp/index.ts'
import { deferred } from '../ui/index.svelte.ts'
import { markHidden, type Marked } from '../ui/index.ts'
import { decoded, jsonIn, mayBeJson, type Content } from './content.ts'

/** UTF-8 bytes of a text; `undefined` until they are counted. */
export const sizeOf = (text: () => string | undefined): { readonly current: number | undefined } => {
  const now = $derived(text())
  const early = $derived(now !== undefined && now.length <= LONG ? utf8Length(now) : undefined)
  const late = deferred(
    () => now,
    (of) => (of !== undefined && of.length > LONG ? utf8LengthInSteps(of) : undefined),
  )
  return {
    get current() {
      return early ?? late.current
    },
  }
}

/** Characters of a text that is read as JSON without being asked for. */
const MAX_JSON = 16_000_000

/** The value of a text that is a JSON object or array, with numbers as they are written; `undefined` for any other text. */
export const jsonOf = (text: () => string): { readonly current: Value | undefined } => {
  const now = $derived(text())
  const early = $derived(jsonIn(now))
  const late = deferred(
    () => now,
    (of) => {
      if (of.length <= LONG || of.length > MAX_JSON || !mayBeJson(of)) return undefined
      // A tree that lacks a part must not pass for the text.
      return parseLong(of, { read: readExactly }).then(({ value, cut, depth }): Value | undefined =>
        cut || depth > 500 ? undefined : value,
      )
    },
  )
  return {
    get current() {
      return early ?? late.current
    },
  }
}

/** A content with its bytes decoded. */
export const withBytes = (content: () => Content): { readonly current: Content; readonly busy: boolean } => {
  const now = $derived(content())
  const late = deferred(
    () => now,
    (of, isStale) => {
      if (!of.encoded) return undefined
      const pace = pacer()
      return decoded(of, () => {
        if (isStale()) throw new Error('Not shown any more')
        return pace()
      })
    },
  )
  return {
    get current() {
      return late.current ?? now
    },
    get busy() {
      return (late.current ?? now).encoded !== undefined
    },
  }
}

/** UTF-16 units that are looked at without a pause. */
const PIECE = 16 * 1024

/** A text with its hidden characters marked. Of a long one the first piece is marked at once. */
export const marked = (text: () => string | undefined): { readonly current: Marked } => {
  const now = $derived(text() ?? '')
  const first = $derived.by((): Marked => {
    const end = pieceEnd(now, 0)
    const start = markHidden(now.slice(0, end))
    // As it came where nothing is marked: no copy of a long text.
    if (start.count === 0) return { text: now, count: 0 }
    return { ...start, text: start.text + now.slice(end) }
  })
  const whole = deferred(
    () => now,
    (of, isStale) => (of.length > PIECE ? markPieces(of, isStale) : undefined),
  )
  return {
    get current() {
      return whole.current ?? first
    },
  }
}

/** @returns `undefined` if there is nothing to mark, or if the text is no longer shown */
const markPieces = async (text: string, isStale: () => boolean): Promise<Marked | undefined> => {
  const pace = pacer()
  const pieces: string[] = []
  let count = 0
  let first: string | undefined
  for (let at = 0; at < text.length;) {
    if (isStale()) return undefined
    const end = pieceEnd(text, at)
    const piece = markHidden(text.slice(at, end))
    pieces.push(piece.text)
    count += piece.count
    first ??= piece.first
    at = end
    await pace()
  }
  return count === 0 ? undefined : { text: pieces.join(''), count, ...(first === undefined ? {} : { first }) }
}

/** Never between the two halves of a surrogate pair. */
const pieceEnd = (text: string, from: number): number => {
  const end = from + PIECE
  return end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : Math.min(end, text.length)
}
