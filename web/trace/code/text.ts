/** Texts within programs: secrets become environment variables, and nothing in a text can hide or end the program's own. */

/** The value of an environment variable. */
export interface Variable {
  readonly variable: string
}

/** A text with variables in it. */
export type Parts = readonly (string | Variable)[]

/** What stands for a secret, in captured frames and in redacted ones. */
const MASK = /•{3,}(?: \(\d+\+? characters\))?|‹removed: [^‹›]{1,200}›|[\w.~+/=-]{0,40}… \(\d+ characters\)/

/** `${env:NAME}`, whose value the local proxy reads. */
const REFERENCE = /\$\{env:([A-Za-z_]\w{0,127})\}/

/** The name of a header, an option or a member as that of a variable: `X-Api-Key` is `X_API_KEY`. */
const variableOf = (name: string): string => {
  const word = name.replaceAll(/[^A-Za-z\d]+/g, '_').replaceAll(/^_+|_+$/g, '').toUpperCase() // prettier-ignore
  return /^[A-Z]/.test(word) ? word : `SECRET${word && `_${word}`}`
}

/** The name in front of a secret within a text: `--api-key=…`, `?token=…`, `"password":"…`. */
const NAMED = /([A-Za-z][\w-]*)"?\s*[=:]\s*"?$/

/**
 * Splits a text at its secrets.
 *
 * @param name of the header, variable or member that holds it, for a secret without a name of its own
 * @param references whether `${env:NAME}` is a reference here; in a message it is text
 */
export const partsOf = (text: string, name: string, references = false): Parts => {
  const pattern = new RegExp(references ? `${MASK.source}|${REFERENCE.source}` : MASK.source, 'g')
  const parts: (string | Variable)[] = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    const before = text.slice(at, match.index)
    if (before !== '') parts.push(before)
    const reference = references ? match[1] : undefined
    parts.push({ variable: reference ?? variableOf(NAMED.exec(before)?.[1] ?? name) })
    at = match.index + match[0].length
  }
  if (at < text.length || parts.length === 0) parts.push(text.slice(at))
  return parts
}

/** The words of a command; `--token` names the secret in the word after it. */
export const wordParts = (words: readonly string[]): Parts[] =>
  words.map((word, at) => partsOf(word, words[at - 1]?.startsWith('-') ? words[at - 1]! : 'secret', true))

/** The text, if it has no variables. */
export const plainText = (parts: Parts): string | undefined =>
  parts.every((part) => typeof part === 'string') ? parts.join('') : undefined

/** Characters that nobody sees, that reorder what one sees, or that a language takes for the end of a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** @param code in which `escaped` means the character */
export const withoutUnseen = (code: string, escaped: (point: number) => string): string =>
  code.replaceAll(UNSEEN, (character) => escaped(character.codePointAt(0)!))

/** The text as a JSON string, which JavaScript, Python and Go read as well. @param escaped writes what can't be seen */
export const quotedText = (text: string, escaped: (point: number) => string): string =>
  withoutUnseen(JSON.stringify(text), escaped)

/** `\u202e` */
const unitEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

/** As in JSON: two escapes beyond U+FFFF. */
export const jsonEscape = (point: number): string =>
  point > 0xffff ? String.fromCodePoint(point).split('').map((half) => unitEscape(half.charCodeAt(0))).join('') : unitEscape(point) // prettier-ignore

/** As in Python and Go: eight digits beyond U+FFFF. */
export const wideEscape = (point: number): string =>
  point > 0xffff ? `\\U${point.toString(16).padStart(8, '0')}` : unitEscape(point)

/** Half of a pair, which no UTF-8 text can hold. */
export const hasLoneSurrogate = (text: string): boolean => /\p{Surrogate}/u.test(text)
