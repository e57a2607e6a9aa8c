/**
 * Searches frames whose text is too large for one task. The text is read in pieces: a body may have 20 MB, and neither
 * writing it as JSON nor searching it in one go would leave the page time to react.
 */
import type { Frame, Json, JsonObject } from '../mcp/index.ts'

/** UTF-16 units of a text that is searched in one go. */
export const SEARCHED = 64 * 1024

/** UTF-16 units of a piece, at least. */
const PIECE = 32 * 1024

/** Whether the text of a frame is read in pieces. Reading it in one go only to find out would be the same work. */
export const isLarge = (frame: Frame): boolean => {
  if (frame.kind === 'message') {
    if (frame.raw !== undefined) return frame.raw.length > SEARCHED
    return frame.message !== undefined && frame.size > SEARCHED
  }
  // Bodies, and lines of processes.
  for (const key in frame) {
    const value = (frame as unknown as JsonObject)[key]
    if (typeof value === 'string' && value.length > SEARCHED / 2) return true
  }
  return false
}

/** The text of a frame in pieces: what was sent or received, otherwise the frame as JSON. */
export const piecesOf = (frame: Frame): Iterable<string> => {
  if (frame.kind !== 'message') return jsonPieces(frame as unknown as Json)
  if (frame.raw !== undefined) return cut(frame.raw)
  return frame.message === undefined ? [] : jsonPieces(frame.message)
}

/** Pieces of at least `PIECE` units, the last one excepted. No surrogate pair is divided. */
const cut = function* (text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = at + PIECE
    const unit = text.charCodeAt(end - 1)
    if (unit >= 0xd800 && unit < 0xdc00) end++
    yield text.slice(at, end)
    at = end
  }
}

/** `JSON.stringify(value)` in pieces, however deep or long the value is. */
export const jsonPieces = function* (value: Json): Generator<string> {
  let piece = ''
  /** The lists and objects around the current value: what they still contain, and how they end. */
  const around: { readonly rest: Iterator<readonly [before: string, value: Json], undefined>; readonly end: string }[] =
    []
  let next: Json | undefined = value
  for (;;) {
    if (typeof next === 'string') {
      piece += '"'
      for (const part of cut(next)) {
        piece += JSON.stringify(part).slice(1, -1)
        if (piece.length < PIECE) continue
        yield piece
        piece = ''
      }
      piece += '"'
    } else if (next === null || typeof next !== 'object') piece += String(next)
    else if (Array.isArray(next)) {
      piece += '['
      around.push({ rest: itemsOf(next as readonly Json[]), end: ']' })
    } else {
      piece += '{'
      around.push({ rest: membersOf(next as JsonObject), end: '}' })
    }
    if (piece.length >= PIECE) {
      yield piece
      piece = ''
    }
    next = undefined
    while (next === undefined) {
      const innermost = around.at(-1)
      if (!innermost) {
        yield piece
        return
      }
      const step = innermost.rest.next()
      if (step.done) {
        piece += innermost.end
        around.pop()
      } else {
        piece += step.value[0]
        next = step.value[1]
      }
    }
  }
}

const itemsOf = function* (list: readonly Json[]): Generator<readonly [string, Json], undefined> {
  for (let at = 0; at < list.length; at++) yield [at === 0 ? '' : ',', list[at]!]
}

const membersOf = function* (object: JsonObject): Generator<readonly [string, Json], undefined> {
  let first = true
  for (const key in object) {
    const value = object[key]
    if (value === undefined) continue
    yield [`${first ? '' : ','}${JSON.stringify(key)}:`, value]
    first = false
  }
}

/** Which of these words, in lower case, occur in a text; pauses after each piece. */
export const wordsIn = function* (
  pieces: Iterable<string>,
  words: readonly string[],
): Generator<undefined, ReadonlySet<string>> {
  const found = new Set<string>()
  const overlap = Math.max(0, ...words.map(({ length }) => length - 1))
  let before = ''
  for (const piece of pieces) {
    const text = before + piece.toLowerCase()
    for (const word of words) if (!found.has(word) && text.includes(word)) found.add(word)
    if (found.size === words.length) break
    // A word may begin in one piece and end in the next.
    before = overlap === 0 ? '' : text.slice(-overlap)
    yield undefined
  }
  return found
}

/** What the words of one filter were found in. */
export class LargeTexts {
  readonly #words: readonly string[]
  readonly #found = new WeakMap<Frame, ReadonlySet<string>>()
  #reading: { readonly frame: Frame; readonly search: Generator<undefined, ReadonlySet<string>> } | undefined

  /** @param words in lower case */
  constructor(words: readonly string[]) {
    this.#words = [...new Set(words)]
  }

  /** Whether the frame must be read before it is known whether it matches. */
  awaits(frame: Frame): boolean {
    return this.#words.length > 0 && isLarge(frame) && !this.#found.has(frame)
  }

  /** Reads the next piece of a frame. */
  read(frame: Frame): void {
    if (this.#reading?.frame !== frame) this.#reading = { frame, search: wordsIn(piecesOf(frame), this.#words) }
    const { done, value } = this.#reading.search.next()
    if (!done) return
    this.#found.set(frame, value)
    this.#reading = undefined
  }

  has(frame: Frame, word: string): boolean {
    return this.#found.get(frame)?.has(word) ?? false
  }
}
