/**
 * Parses JSON of any size in steps: `JSON.parse` of 5 MB blocks the main thread for a tenth of a second.
 *
 * The text is cut at the end of values, members, or pieces of long strings, and `JSON.parse` (or `readExactly`) parses
 * each piece. It decides what is valid JSON, and determines the speed. Only the joints are read here: brackets, commas,
 * and whitespace between the pieces.
 */
import {
  BACKSLASH,
  BRACE,
  BRACE_END,
  BRACKET,
  BRACKET_END,
  COLON,
  COMMA,
  escapeLength,
  isBlank,
  isEscaped,
  isSpace,
  nextMark,
  QUOTE,
} from './tokens.ts'
import type { Json } from './lossless.ts'

export interface Parsed {
  readonly value: Json
  /** Nesting depth of arrays and objects. Content below `DEEPEST` is replaced by `"…"`. */
  readonly depth: number
  /** Members of an object beyond `WIDEST` were parsed and dropped. */
  readonly cut: boolean
}

/** Texts with more characters are parsed in steps, so that the page stays responsive. */
export const LONG = 256 * 1024

/** Characters parsed per step: about a millisecond. */
const PIECE = 64 * 1024

/**
 * Members retained per object. Listing the keys of a wider one, as every traversal must, blocks the thread for up to a
 * tenth of a second and can't be split into steps.
 */
export const WIDEST = 50_000

/** Nesting levels retained. No legitimate message comes close. */
export const DEEPEST = 500

/** Nesting levels followed; a deeper text is treated as invalid JSON. */
const ABYSS = 100_000

type Members = { [key: string]: Json }

/** An array or object whose end hasn't been reached. */
interface Level {
  readonly list: boolean
  readonly start: number
  /** Set once the container was cut. Before that, it is part of the text of its parent's member. */
  value?: Json[] | Members
  /** Text before this offset is already in `value`. */
  from: number
  /** Offsets of the current member and of its colon (-1: none yet). */
  member: number
  colon: number
  /** The end of the current member's text if it is already in `value`, otherwise -1. */
  after: number
  count: number
  /** The deepest level in the text of its members. */
  deepest: number
}

export interface Slicing {
  /** Characters parsed per step. */
  readonly piece?: number
  /** Members retained per object. */
  readonly widest?: number
  /** Parses a piece, which is valid JSON on its own. Default: `JSON.parse`. Throws a `SyntaxError` for invalid JSON. */
  readonly read?: (text: string) => unknown
}

/**
 * Yields after each piece of work.
 * @throws {SyntaxError} the text isn't valid JSON
 */
export function* parsing(text: string, slicing: Slicing = {}): Generator<void, Parsed> {
  const { piece = PIECE, widest = WIDEST, read = JSON.parse } = slicing
  let at = 0
  while (isSpace(text.charCodeAt(at))) at++
  const first = text.charCodeAt(at)
  if (first !== BRACKET && first !== BRACE) return { value: read(text) as Json, depth: 0, cut: false }

  const stack: Level[] = []
  let depth = 0
  let cut = false
  /** Text before this offset has been parsed, up to the last complete member. */
  let done = at
  /** Levels below this one haven't changed since the last step. */
  let low = 0
  let top: Level | undefined
  let root: Json | undefined

  const add = (level: Level, key: string, value: Json): void => {
    const members = level.value as Members
    if (++level.count > widest && !Object.hasOwn(members, key)) cut = true
    else if (key !== '__proto__') members[key] = value
    // An assignment would set the prototype.
    else Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true })
  }

  /** Parses the complete members between two offsets. @param depth of the level, from 1 */
  const take = (level: Level, until: number, depth: number): void => {
    const inside = text.slice(level.from, until)
    if (isBlank(inside)) return fail(text, until)
    if (level.list) {
      const items = read(`[${inside}]`) as Json[]
      if (level.deepest > DEEPEST) prune(items, depth)
      for (const item of items) (level.value as Json[]).push(item)
    } else {
      const members = read(`{${inside}}`) as Members
      if (level.deepest > DEEPEST) prune(members, depth)
      for (const key of Object.keys(members)) add(level, key, members[key]!)
    }
  }

  /** Gives every level its own value, with its complete members. */
  const settle = (): void => {
    for (let index = Math.max(0, low - 1); index < stack.length; index++) {
      const level = stack[index]!
      level.value ??= level.list ? [] : {}
      if (level.from >= level.member) continue
      take(level, level.member - 1, index + 1)
      level.from = level.member
    }
    done = at
    low = stack.length
  }

  /** Adds a value that was cut to the level that contains it. */
  const attach = (level: Level, inner: Json, start: number, end: number): void => {
    if (level.after >= 0) return fail(text, start)
    const value = stack.length >= DEEPEST && typeof inner === 'object' ? '…' : inner
    if (level.list) {
      if (!isBlank(text.slice(level.member, start))) return fail(text, start)
      ;(level.value as Json[]).push(value)
    } else {
      if (level.colon < 0 || !isBlank(text.slice(level.colon + 1, start))) return fail(text, start)
      const key = JSON.parse(text.slice(level.member, level.colon)) as Json
      if (typeof key !== 'string') return fail(text, level.member)
      add(level, key, value)
    }
    level.after = end
  }

  const open = (list: boolean): void => {
    top = { list, start: at, from: at + 1, member: at + 1, colon: -1, after: -1, count: 0, deepest: stack.length + 1 }
    if (stack.push(top) > ABYSS) throw new SyntaxError(`More than ${ABYSS} levels of arrays and objects`)
    depth = Math.max(depth, stack.length)
  }

  const close = (list: boolean): void => {
    const level = stack.pop()
    if (level?.list !== list) return fail(text, at)
    top = stack.at(-1)
    low = Math.min(low, stack.length)
    if (!level.value && top) return void (top.deepest = Math.max(top.deepest, level.deepest))
    if (!level.value) level.value = list ? [] : {}
    if (level.after >= 0) {
      if (!isBlank(text.slice(level.after, at))) fail(text, at)
    } else if (level.from > level.start + 1 || !isBlank(text.slice(level.from, at))) take(level, at, stack.length + 1)
    if (top) attach(top, level.value, level.start, at + 1)
    else root = level.value
  }

  const comma = (level: Level): void => {
    if (level.after >= 0) {
      if (!isBlank(text.slice(level.after, at))) fail(text, at)
      level.after = -1
      level.from = at + 1
    }
    level.member = at + 1
    level.colon = -1
  }

  let yielded = at
  for (; root === undefined; at++) {
    at = nextMark(text, at, Math.min(text.length, yielded + piece))
    if (at >= text.length) break
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      const start = at
      at = yield* endOfString(text, start, piece)
      if (at - start > piece && top && (top.list || top.colon >= 0)) {
        settle()
        attach(top, yield* longString(text, start, at, piece), start, at + 1)
      }
    } else if (unit === COMMA) comma(top!)
    else if (unit === COLON) {
      if (!top!.list && top!.colon < 0) top!.colon = at
    } else if (unit === BRACKET || unit === BRACE) open(unit === BRACKET)
    else if (unit === BRACKET_END || unit === BRACE_END) close(unit === BRACKET_END)
    if (at - yielded < piece) continue
    yielded = at
    if (at - done >= piece) settle()
    yield
  }
  if (root === undefined || !isBlank(text.slice(at))) fail(text, at)
  return { value: root!, depth, cut }
}

/**
 * Removes content that is too deep immediately: millions of levels of garbage would block the thread on every
 * collection.
 * @param depth of the container
 */
const prune = (container: Json[] | Members, depth: number): void => {
  let level: object[] = [container]
  for (; level.length > 0; depth++) {
    const below: object[] = []
    for (const each of level) {
      const members = each as Members
      for (const key of Object.keys(members)) {
        const inner = members[key]!
        if (typeof inner !== 'object' || inner === null) continue
        if (depth < DEEPEST) below.push(inner)
        else Object.defineProperty(members, key, { value: '…', enumerable: true, configurable: true, writable: true })
      }
    }
    level = below
  }
}

/** The end of the string that begins at `start`. */
function* endOfString(text: string, start: number, piece: number): Generator<void, number> {
  let yielded = start
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (!isEscaped(text, at)) return at
    if (at - yielded < piece) continue
    yielded = at
    yield
  }
  return fail(text, text.length)
}

function* longString(text: string, start: number, end: number, piece: number): Generator<void, string> {
  const parts: string[] = []
  for (let from = start + 1; from < end;) {
    // Longer than an escape, so that each step makes progress. The end isn't moved: an escape cut off there is invalid
    // JSON anyway.
    const next = from + Math.max(piece, 8)
    const to = next < end ? outsideEscape(text, next) : end
    parts.push(JSON.parse(`"${text.slice(from, to)}"`) as string)
    from = to
    yield
  }
  return parts.join('')
}

/** The offset, or the start of the escape that contains it: `\n`, `\u0041`. */
const outsideEscape = (text: string, at: number): number => {
  let last = at - 1
  // Look back no further than the longest escape: otherwise each piece would search the whole text.
  while (last > at - 6 && text.charCodeAt(last) !== BACKSLASH) last--
  if (last <= at - 6 || isEscaped(text, last)) return at
  return at - last < escapeLength(text, last) ? last : at
}

const fail = (text: string, at: number): never => {
  throw new SyntaxError(
    at >= text.length
      ? 'Unexpected end of JSON input'
      : `Unexpected token '${String.fromCodePoint(text.codePointAt(at)!)}' at position ${at}`,
  )
}
