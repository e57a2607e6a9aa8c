/**
 * Finds assignments in text: `password=…`, `"api_key": "…"`, `Authorization: Bearer …`, `--token …`, `?code=…`. In
 * prose and source code, an ordinary word often follows such a name, so the value must look generated.
 */
import { isPlaceholder, looksMade, schemeLength } from './looks.ts'
import type { Names, Where } from './names.ts'

export interface Assigned {
  readonly from: number
  readonly to: number
  readonly rule: string
  /** It is in the position of a secret but may be an ordinary word: report it without removing it. */
  readonly doubtful?: true
}

/** Longest name to search for backwards, in characters. */
const LONGEST_NAME = 64
const LONGEST_VALUE = 16_384
const PARAMETER = /[^&#\s"'<>\\`]+/y
const BARE = /[^\s"'`<>,;(){}[\]|&\\]+/y
const COOKIES = /[^\r\n"\\]+/y
const COOKIE = /[\w!#$%&*.^|~+-]{1,80}=\S/y

export const assignedIn = (text: string, names: Names, found: (one: Assigned) => void): void => {
  if (!names.hint?.test(text)) return
  const form = /^[\w.~%+[\]-]{1,120}=[^\s<>{}"]*$/.test(text)
  for (let at = nextSign(text, 0); at >= 0;) {
    const one = assigned(text, at, names, form)
    if (one) found(one)
    at = nextSign(text, Math.max(at + 1, one?.to ?? 0))
  }
  if (!text.includes('-')) return
  for (const { 1: name = '', 2: value = '', index, 0: all } of text.matchAll(
    /(?:^|\s)--?([\w-]{2,40}) +([^\s"'-][^\s"']*)/g,
  )) {
    const rule = names.ruleOf(name, 'variable')
    if (rule === undefined || !looksMade(value) || isPlaceholder(value, name)) continue
    found({ from: index + all.length - value.length, to: index + all.length, rule })
  }
}

const nextSign = (text: string, from: number): number => {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x3a || unit === 0x3d) return at
  }
  return -1
}

const isName = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x30 && unit <= 0x39) ||
  unit === 0x5f ||
  unit === 0x2d ||
  unit === 0x2e ||
  unit > 0x2fff

const assigned = (text: string, sign: number, names: Names, form: boolean): Assigned | undefined => {
  let end = sign
  while (end > 0 && sign - end < 3 && /[ \t:]/.test(text.charAt(end - 1))) end--
  const quote = /["'`]/.test(text.charAt(end - 1)) ? text.charAt(--end) : ''
  let begin = end
  while (begin > 0 && end - begin < LONGEST_NAME && isName(text.charCodeAt(begin - 1))) begin--
  if (begin === end || (quote !== '' && text.charAt(begin - 1) !== quote)) return undefined
  const name = text.slice(begin, end)
  const before = text.charAt(begin - 1)
  const equals = text[sign] === '='
  const parameter = equals && quote === '' && (/[?&#;]/.test(before) || (form && begin === 0))
  const where: Where = parameter && before !== ';' ? 'parameter' : quote === '' ? 'variable' : 'key'
  const rule = names.ruleOf(name, where)
  if (rule === undefined) return undefined
  let from = sign + 1
  if (/[=>:]/.test(text.charAt(from))) return undefined
  while (from - sign <= 4 && /[ \t\n\r]/.test(text.charAt(from))) from++
  const apart = from > sign + 1 || end + quote.length < sign
  const delimiter = /^(?:"|'|`|\\")/.exec(text.slice(from, from + 2))?.[0]
  if (delimiter !== undefined) return quoted(text, from + delimiter.length, delimiter, name, rule)
  from += schemeLength(text.slice(from, from + 24))
  COOKIE.lastIndex = from
  const pattern = /cookie$/i.test(name) && COOKIE.test(text) ? COOKIES : parameter ? PARAMETER : BARE
  pattern.lastIndex = from
  const value =
    pattern
      .exec(text)?.[0]
      .slice(0, LONGEST_VALUE)
      .replace(/[.,:!?]+$/, '') ?? ''
  if (value === '' || isPlaceholder(value, name)) return undefined
  const one = { from, to: from + value.length, rule }
  if (pattern === COOKIES) return one
  // `code` and `key` in a URL are ambiguous words.
  if (parameter) return names.ruleOf(name, 'key') !== undefined || looksMade(value) ? one : undefined
  if (looksMade(value)) return isPath(value) ? undefined : one
  // `DB_PASSWORD=sunshine`, `--password=sunshine`; in source code it would be a variable.
  const given = equals && !apart && (/^[A-Z][A-Z\d_]*_[A-Z\d_]+$/.test(name) || name.startsWith('-'))
  if (given && !isPath(value) && text.charAt(from + value.length) !== '(') return one
  const alone = /^\s*(?:[\r\n]|$)/.test(text.slice(from + value.length, from + value.length + 40))
  const first = /(?:^|[\r\n])[ \t-]*$/.test(text.slice(Math.max(0, begin - 40), begin))
  return alone && first && value.length >= 6 && !isPath(value) ? { ...one, doubtful: true } : undefined
}

/** A property path in source code: `process.env.TOKEN1`. */
const isPath = (value: string): boolean =>
  /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) && value.split('.').every((part) => part.length < 20)

const quoted = (text: string, from: number, delimiter: string, name: string, rule: string): Assigned | undefined => {
  let to = from
  while (to < text.length && to - from < LONGEST_VALUE && !text.startsWith(delimiter, to))
    to += text[to] === '\\' && delimiter.length === 1 ? 2 : 1
  to = Math.min(to, text.length)
  const scheme = schemeLength(text.slice(from, from + 24))
  const value = text.slice(from + scheme, to)
  return isPlaceholder(value, name) ? undefined : { from: from + scheme, to, rule }
}
