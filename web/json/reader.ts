/**
 * Reads JSON without losing how numbers are written. On request, it accepts what people write by hand: comments,
 * trailing commas, single quotes, unquoted names. Nothing is ever evaluated.
 */
import { escapedUnit, escapeLength, isSpace } from './tokens.ts'
import { numberOf, type Value } from './lossless.ts'

/** Why a text isn't valid JSON. */
export type Fault =
  | 'unexpected'
  | 'ends-early'
  | 'more-after'
  | 'open-string'
  | 'open-comment'
  | 'bad-escape'
  | 'bare-control'
  | 'bad-number'
  | 'bad-word'
  | 'too-deep'
  | 'too-large'

/** What the reader accepted although it isn't JSON. */
export type Forgiven = 'comment' | 'comma' | 'quote' | 'name' | 'space'

const ENGLISH: Readonly<Record<Fault, string>> = {
  unexpected: 'Unexpected character',
  'ends-early': 'Unexpected end of text',
  'more-after': 'Unexpected text after the value',
  'open-string': 'Unclosed string',
  'open-comment': 'Unclosed comment',
  'bad-escape': 'Invalid escape',
  'bare-control': 'Unescaped control character in a string',
  'bad-number': 'Invalid number',
  'bad-word': 'Strings need quotes',
  'too-deep': 'Nested too deeply',
  'too-large': 'The text is too long',
}

/** Invalid JSON: why, and where (line and column count from 1, `offset` in UTF-16 units from 0). */
export class JsonSyntaxError extends SyntaxError {
  readonly fault: Fault
  readonly offset: number
  readonly line: number
  readonly column: number
  /** The character or word that was found, at most 20 characters; empty at the end of the text. */
  readonly found: string

  constructor(fault: Fault, text: string, offset: number, found: string) {
    const before = text.slice(0, offset).split(/\r\n?|\n/)
    const line = before.length
    const column = before[line - 1]!.length + 1
    super(`${ENGLISH[fault]}${found === '' ? '' : ` (${found})`}, line ${line}, column ${column}`)
    this.name = 'JsonSyntaxError'
    this.fault = fault
    this.offset = offset
    this.line = line
    this.column = column
    this.found = found
  }
}

export interface ParsedJson {
  readonly value: Value
  readonly forgiven: ReadonlySet<Forgiven>
  /** Names that occur twice in one object. As with `JSON.parse`, the last one wins. */
  readonly repeated: readonly string[]
}

/** Deeper nesting is refused, because functions that process values are recursive. */
const DEEPEST = 1000
/** Characters. */
const LARGEST = 16_000_000

const WORD = /[\p{ID_Continue}$.+-]+/uy
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$-]*/uy

/** @throws {JsonSyntaxError} */
export const readJson = (text: string, { forgive = false }: { readonly forgive?: boolean } = {}): ParsedJson => {
  const forgiven = new Set<Forgiven>()
  const repeated: string[] = []
  let at = 0
  let depth = 0

  const fail = (fault: Fault, offset = at): never => {
    WORD.lastIndex = offset
    // A quote on its own would explain nothing.
    const quiet = fault === 'open-string' || fault === 'open-comment'
    const found = quiet
      ? ''
      : fault === 'bad-escape'
        ? text.slice(offset, offset + 2)
        : (WORD.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(offset) ?? 32).trim())
    throw new JsonSyntaxError(
      offset >= text.length && fault === 'unexpected' ? 'ends-early' : fault,
      text,
      offset,
      found.slice(0, 20),
    )
  }

  const space = (): void => {
    for (;;) {
      const code = text.charCodeAt(at)
      if (isSpace(code)) at++
      else if (!forgive) return
      else if (code === 47) comment()
      else if (code > 127 && /[\s\uFEFF]/.test(text.charAt(at))) {
        forgiven.add('space')
        at++
      } else return
    }
  }

  const comment = (): void => {
    const start = at
    const second = text.charAt(at + 1)
    if (second === '/') {
      while (at < text.length && text.charAt(at) !== '\n' && text.charAt(at) !== '\r') at++
    } else if (second === '*') {
      const end = text.indexOf('*/', at + 2)
      if (end < 0) fail('open-comment', start)
      at = end + 2
    } else fail('unexpected')
    forgiven.add('comment')
  }

  const string = (quote: number): string => {
    const open = at++
    let from = at
    let out = ''
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === quote) {
        out += text.slice(from, at++)
        return out
      }
      // NaN: past the end of the text.
      if (Number.isNaN(code) || (code === 10 && forgive)) fail('open-string', open)
      if (code < 32) fail('bare-control')
      if (code !== 92) {
        at++
        continue
      }
      out += text.slice(from, at) + escape()
      from = at
    }
  }

  const escape = (): string => {
    const unit = forgive && text.charAt(at + 1) === "'" ? 39 : escapedUnit(text, at)
    if (unit < 0) fail('bad-escape')
    at += escapeLength(text, at)
    return String.fromCharCode(unit)
  }

  const word = (): Value => {
    WORD.lastIndex = at
    const found = WORD.exec(text)?.[0]
    if (found === undefined) return fail('unexpected')
    const value =
      found === 'null' ? null : found === 'true' ? true : found === 'false' ? false : (numberOf(found) ?? undefined)
    if (value === undefined) return fail(/^[-+.]?\d/.test(found) ? 'bad-number' : 'bad-word')
    at += found.length
    return value
  }

  const name = (): string => {
    const code = text.charCodeAt(at)
    if (code === 34) return string(34)
    if (forgive && code === 39) {
      forgiven.add('quote')
      return string(39)
    }
    NAME.lastIndex = at
    const bare = forgive ? NAME.exec(text)?.[0] : undefined
    if (bare === undefined) return fail('unexpected')
    forgiven.add('name')
    at += bare.length
    return bare
  }

  const object = (): Value => {
    const value: Record<string, Value> = {}
    at++
    space()
    while (text.charAt(at) !== '}') {
      const key = name()
      space()
      if (text.charAt(at) !== ':') fail('unexpected')
      at++
      const inner = anything()
      if (Object.hasOwn(value, key)) repeated.push(key)
      // Assigning to `__proto__` would set the prototype.
      if (key === '__proto__') {
        Object.defineProperty(value, key, { value: inner, enumerable: true, configurable: true, writable: true })
      } else value[key] = inner
      if (!comma('}')) break
    }
    at++
    return value
  }

  const array = (): Value => {
    const value: Value[] = []
    at++
    space()
    while (text.charAt(at) !== ']') {
      value.push(anything())
      if (!comma(']')) break
    }
    at++
    return value
  }

  /**
   * Reads past a member. Returns true if another member follows, with `at` in front of it; otherwise `at` is at
   * `close`.
   */
  const comma = (close: string): boolean => {
    if (text.charAt(at) === close) return false
    if (text.charAt(at) !== ',') fail('unexpected')
    at++
    space()
    if (text.charAt(at) !== close) return true
    if (!forgive) fail('unexpected')
    forgiven.add('comma')
    return false
  }

  const anything = (): Value => {
    space()
    const code = text.charCodeAt(at)
    let value: Value
    if (code === 34) value = string(34)
    else if (code === 123 || code === 91) {
      if (++depth > DEEPEST) fail('too-deep')
      value = code === 123 ? object() : array()
      depth--
    } else if (forgive && code === 39) {
      forgiven.add('quote')
      value = string(39)
    } else value = word()
    space()
    return value
  }

  if (text.length > LARGEST) throw new JsonSyntaxError('too-large', '', 0, '')
  const value = anything()
  if (at < text.length) fail('more-after')
  return { value, forgiven, repeated }
}

/** Matches numbers whose notation `JSON.parse` would lose. A match inside a string is harmless. */
const MAY_BE_SPELLED = /[\d.]{16}|\.\d*0(?!\d)|\d[eE]|-0(?![\d.])|0\.0{6}/

/**
 * Parses a text and preserves the notation of every number. Uses `JSON.parse` if that loses nothing.
 * @throws {SyntaxError}
 */
export const readExactly = (text: string): Value =>
  MAY_BE_SPELLED.test(text) ? readJson(text).value : (JSON.parse(text) as Value)
