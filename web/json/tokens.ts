/**
 * The lexical grammar of JSON (RFC 8259): whitespace, strings and their escapes. All code that parses, cuts or searches
 * JSON text finds token boundaries here.
 */
export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const BRACKET_END = 0x5d
export const BRACE = 0x7b
export const BRACE_END = 0x7d

/** JSON's whitespace, a subset of JavaScript's. */
export const isSpace = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09

export const isBlank = (text: string): boolean => /^[ \t\n\r]*$/.test(text)

/** Whether an odd number of backslashes precedes this offset in a string. */
export const isEscaped = (text: string, at: number): boolean => {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}

/** The offset of the quote that closes this string; `text.length` if there is none. */
export const closingQuote = (text: string, open: number): number => {
  const quote = text.charAt(open)
  let at = text.indexOf(quote, open + 1)
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf(quote, at + 1)
  return at < 0 ? text.length : at
}

/** The next quote, comma, colon, bracket or brace at or after this offset; `until` if there is none before it. */
export const nextMark = (text: string, from: number, until = text.length): number => {
  for (let at = from; at < until; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
      case COMMA:
      case COLON:
      case BRACKET:
      case BRACKET_END:
      case BRACE:
      case BRACE_END:
        return at
    }
  }
  return until
}

/** The offset after the array or object that opens here; `text.length` if it isn't closed. */
export const endOfContainer = (text: string, open: number): number => {
  let depth = 0
  for (let at = nextMark(text, open); at < text.length; at = nextMark(text, at + 1)) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = closingQuote(text, at)
    else if (unit === BRACKET || unit === BRACE) depth++
    else if ((unit === BRACKET_END || unit === BRACE_END) && --depth === 0) return at + 1
  }
  return text.length
}

/** Length of the escape that begins here, if it is valid. */
export const escapeLength = (text: string, at: number): number => (text.charAt(at + 1) === 'u' ? 6 : 2)

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** The value of a hexadecimal digit; -1 if it isn't one. */
export const hexDigit = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30
  const letter = unit | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** The UTF-16 unit that the escape at this backslash stands for; -1 if it isn't a JSON escape. */
export const escapedUnit = (text: string, at: number): number => {
  const letter = text.charAt(at + 1)
  if (letter !== 'u') return Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter]!.charCodeAt(0) : -1
  let unit = 0
  for (let n = 2; n < 6; n++) {
    const digit = hexDigit(text, at + n)
    if (digit < 0) return -1
    unit = unit * 16 + digit
  }
  return unit
}
