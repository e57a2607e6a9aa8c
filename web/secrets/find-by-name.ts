/**
 * Finds secrets by name in a text (RFC 6749, 7009, 7517, 7521, 7523, 7591, 7636, 8628, 8693, 9449): in a query, a form,
 * a fragment, JSON or similar, whether well-formed or cut off.
 *
 * `state` and `code_challenge` aren't secrets: they are worthless on their own, and users need to compare them.
 */
import { closingQuote, jsonIn } from '../json/index.ts'
import { wasMasked } from './mask.ts'
import { isSecretName } from './secret-names.ts'

/** Members of a private or symmetric JWK (RFC 7518 section 6). */
const KEY_PARTS: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'])
const KEY = /"kty"/
const KEY_PART = /^[A-Za-z0-9_-]{16,}$/

/** Whether a member makes a JWK private or symmetric. */
export const isKeyPart = (name: string, value: unknown): boolean =>
  KEY_PARTS.has(name) && typeof value === 'string' && KEY_PART.test(value)

/** The span of a secret as written; `length` is that of the decoded secret. */
export interface Named {
  readonly from: number
  readonly to: number
  readonly length: number
  /** Not in quotes, so its replacement must be quoted. */
  readonly bare?: true
}

export type Found = (named: Named) => void

/** `code` is a secret in sign-in messages; elsewhere it is an ambiguous word. */
const isNamed = (name: string): boolean =>
  name.length <= LONGEST_NAME && (isSecretName(name, 'key') || /^code$/i.test(name))

const LONGEST_NAME = 40

/** The pairs of a form, a query or a fragment in `[from, to)`. */
export const secretPairs = (text: string, from: number, to: number, found: Found): void => {
  for (let begin = from; begin <= to;) {
    const amp = text.indexOf('&', begin)
    const end = amp < 0 || amp > to ? to : amp
    const equals = text.indexOf('=', begin)
    if (equals < 0 || equals >= to) return
    // No name is this long, even with every character encoded.
    if (equals < end && equals - begin <= 3 * LONGEST_NAME && isNamed(formText(text.slice(begin, equals)))) {
      const value = formText(text.slice(equals + 1, end))
      if (value !== '' && !wasMasked(value)) found({ from: equals + 1, to: end, length: value.length })
    }
    // Continue with the next pair that has a name.
    begin = equals < end ? end + 1 : text.lastIndexOf('&', equals) + 1
  }
}

/** Decodes a name or value of a form or query; malformed text stays as it is. */
export const formText = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Names followed by `=` or `:` anywhere in a text, and private keys in PEM. */
export const namedSecrets = (text: string, found: Found): void => {
  assignments(text, found)
  members(text, found)
  keys(text, found)
}

/** `?code=…`, `access_token=…`: the value ends where the surrounding text may continue. */
const assignments = (text: string, found: Found): void => {
  let done = 0
  for (let equals = text.indexOf('='); equals >= 0; equals = text.indexOf('=', Math.max(done, equals + 1))) {
    const name = wordBefore(text, equals)
    if (name === '' || !BEFORE_NAME.test(text.charAt(equals - name.length - 1)) || !isNamed(name)) continue
    const from = equals + 1
    if (text[from] === '=' || wasMasked(text, from)) continue
    ASSIGNED.lastIndex = from
    const value = ASSIGNED.exec(text)?.[0] ?? ''
    const query = /[?&#]/.test(text.charAt(equals - name.length - 1))
    if (value === '' || (!query && isNoSecret(name, value))) continue
    done = from + value.length
    found({ from, to: done, length: value.length })
  }
}

const BEFORE_NAME = /^[\s?&#;,"'({>]?$/
const ASSIGNED = /[^\s&"'<>\\#;,`(){}[\]|•]*/y

/** `"access_token": "…"`, in JSON and similar formats. */
const members = (text: string, found: Found): void => {
  // Not `includes`: V8 treats it as free of side effects and may repeat it in each iteration.
  const hasKey = KEY.test(text)
  let done = 0
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', Math.max(done, colon + 1))) {
    let end = colon
    while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
    const quote = text.charAt(end - 1)
    if (quote !== '"' && quote !== "'") continue
    const name = wordBefore(text, end - 1)
    if (name === '' || text.charAt(end - 2 - name.length) !== quote) continue
    const keyPart = hasKey && KEY_PARTS.has(name)
    if (keyPart || isNamed(name)) done = memberValue(text, colon + 1, name, keyPart, found)
  }
}

/** @returns the offset to continue at */
const memberValue = (text: string, from: number, name: string, keyPart: boolean, found: Found): number => {
  let at = from
  let list = false
  for (;;) {
    while (at < text.length && (isSpace(text.charCodeAt(at)) || (list && text[at] === ','))) at++
    const unit = text[at]
    if (unit === '[' && !list) {
      list = true
      at++
    } else if (unit === '"' || unit === "'") {
      const end = closingQuote(text, at)
      const written = text.slice(at + 1, end)
      if (keyPart ? KEY_PART.test(written) : !wasMasked(written) && !isNoSecret(name, written))
        found({ from: at + 1, to: end, length: lengthOf(written) })
      at = end + 1
      if (!list) return at
    } else {
      NUMBER.lastIndex = at
      const number = NUMBER.exec(text)?.[0]
      if (number === undefined || keyPart || name.toLowerCase() === 'code') return at
      found({ from: at, to: at + number.length, length: number.length, bare: true })
      at += number.length
      if (!list) return at
    }
  }
}

const NUMBER = /-?\d[\d.eE+-]*/y

const lengthOf = (written: string): number => {
  const plain = written.includes('\\') ? jsonIn(`"${written}"`) : undefined
  return typeof plain === 'string' ? plain.length : written.length
}

/** The text between the first and last line of a private key (RFC 7468 section 10). */
const keys = (text: string, found: Found): void => {
  for (let label = text.indexOf(KEY_LABEL); label >= 0;) {
    const from = label + KEY_LABEL.length
    const begins = /-----BEGIN [A-Z ]*$/.test(text.slice(Math.max(0, label - 40), label))
    KEY_END.lastIndex = from
    const body = begins ? text.slice(from, KEY_END.exec(text)?.index) : ''
    if (body.trim() !== '' && !wasMasked(body)) found({ from, to: from + body.length, length: body.length })
    label = text.indexOf(KEY_LABEL, from + body.length)
  }
}

const KEY_LABEL = 'PRIVATE KEY-----'
const KEY_END = /-----(?:BEGIN|END)|"|$/g

/** `code` is ambiguous: error types and status numbers also use it. */
const isNoSecret = (name: string, value: string): boolean =>
  value === '' ||
  /^(null|undefined|true|false)$/.test(value) ||
  (name.toLowerCase() === 'code' &&
    value.length <= LONGEST_NAME &&
    /^([A-Za-z]{2,}([_-][A-Za-z]{2,})*|-?\d{1,5})$/.test(value))

const wordBefore = (text: string, end: number): string => {
  let from = end
  while (from > 0 && end - from <= LONGEST_NAME && isWord(text.charCodeAt(from - 1))) from--
  return text.slice(from, end)
}

const isWord = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x30 && unit <= 0x39) ||
  unit === 0x5f ||
  unit === 0x2d

const isSpace = (unit: number): boolean => unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
