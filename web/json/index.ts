/**
 * What JSON itself defines, whatever is written in it. The lowest room: the kernel, the secrets and the interface all
 * need it, and none of them may import the others.
 */
export { escapeToken, formatPointer, parsePointer, resolvePointer, unescapeToken } from './pointer.ts'
export {
  BACKSLASH,
  BRACE,
  BRACE_END,
  BRACKET,
  BRACKET_END,
  closingQuote,
  COLON,
  COMMA,
  endOfContainer,
  escapedUnit,
  escapeLength,
  hexDigit,
  isBlank,
  isEscaped,
  isSpace,
  nextMark,
  QUOTE,
} from './tokens.ts'
