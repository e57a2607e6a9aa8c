/**
 * What components derive from a content, as reactive values; call these functions during component setup. Content may
 * be large: it is processed at once if small, and in steps if large, so that the page stays responsive.
 */
import { LONG, type Value, readExactly } from '../json/index.ts'
import { pacer, parseLong, utf8Length, utf8LengthInSteps } from '../mcp/index.ts'
import { deferred } from '../ui/index.svelte.ts'
import { download, markHidden, type Marked } from '../ui/index.ts'
import { decoded, jsonIn, mayBeJson, type Binary, type Content } from './content.ts'

interface Derived<Output> {
  readonly current: Output
}

/** `soon` at once, otherwise `late` when it is ready; one of them gives `undefined`. */
const soonOrLate = <Input, Output>(
  input: () => Input,
  soon: (input: Input) => Output | undefined,
  late: Parameters<typeof deferred<Input, Output>>[1],
): Derived<Output | undefined> => {
  const now = $derived(input())
  const early = $derived(soon(now))
  const later = deferred(() => now, late)
  return {
    get current() {
      return early ?? later.current
    },
  }
}

/** UTF-8 size of a string; `undefined` until it is counted. */
export const sizeOf = (text: () => string | undefined): Derived<number | undefined> =>
  soonOrLate(
    text,
    (now) => (now !== undefined && now.length <= LONG ? utf8Length(now) : undefined),
    (of) => (of !== undefined && of.length > LONG ? utf8LengthInSteps(of) : undefined),
  )

/** Longest string that is parsed as JSON automatically, in characters. */
const MAX_JSON = 16_000_000

/**
 * The value of a string that is a JSON object or array, with number literals preserved; `undefined` for any other
 * string.
 */
export const jsonOf = (text: () => string): Derived<Value | undefined> =>
  soonOrLate(text, jsonIn, (of) => {
    if (of.length <= LONG || of.length > MAX_JSON || !mayBeJson(of)) return undefined
    // An incomplete tree must not pass for the whole text.
    return parseLong(of, { read: readExactly }).then(({ value, cut, depth }): Value | undefined =>
      cut || depth > 500 ? undefined : value,
    )
  })

/** The content with its bytes decoded. */
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

/** UTF-16 units processed without a pause. */
const PIECE = 16 * 1024

/** The string with its hidden characters marked. If it is long, only the first piece is marked at once. */
export const marked = (text: () => string | undefined): { readonly current: Marked } => {
  const now = $derived(text() ?? '')
  const first = $derived.by((): Marked => {
    const end = pieceEnd(now, 0)
    const start = markHidden(now.slice(0, end))
    // Return the original if nothing is marked, which avoids copying a long string.
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

/** Never splits a surrogate pair. */
const pieceEnd = (text: string, from: number): number => {
  const end = from + PIECE
  return end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : Math.min(end, text.length)
}

/**
 * A `blob:` URL that is valid while the component lives and the bytes stay the same. It has this page's origin, so only
 * types that `<img>`, `<audio>` and `<video>` can show, and PDF, get one.
 */
export const mediaUrl = (binary: () => Binary | undefined): { readonly current: string | undefined } => {
  let url = $state.raw<string>()
  $effect(() => {
    const now = binary()
    if (!now || !/^((image|audio|video)\/[\w.+-]+|application\/pdf)$/.test(now.mime)) return
    const made = URL.createObjectURL(new Blob([now.bytes], { type: now.mime }))
    url = made
    return () => {
      url = undefined
      URL.revokeObjectURL(made)
    }
  })
  return {
    get current() {
      return url
    },
  }
}

/** Saves bytes or a string as a download, of no type that a browser would open with this page's origin. */
export const save = (content: Uint8Array<ArrayBuffer> | string, name: string): void => {
  download(name, [content], 'application/octet-stream')
}
