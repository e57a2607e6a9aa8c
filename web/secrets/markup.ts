/** Secrets in XML and HTML, by the name of an element or by the attributes of a tag, and in YAML below a name. */
import type { FoundInText } from './found-in-text.ts'
import { areWordsInPlace, chosenLikeness } from './chosen-words.ts'
import { isPlaceholder, isSecretOf, looksSecret } from './heuristics.ts'
import { isIdOfSecret } from './references.ts'
import type { NameRule, Names } from './secret-names.ts'

/** XML and HTML: an element of that name, or a name and a value in one element. */
export const elementsIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 1: name = '', 2: value = '', index, 0: all } of text.matchAll(
    /<([\p{L}_][\p{L}\p{M}\p{N}_:.-]{1,60})(?:\s[^<>]{0,200})?>(?:\s*<!\[CDATA\[)?\s*([^<>\s][^<>]{0,2000}?)\s*(?:\]\]>\s*)?<\//gu,
  )) {
    const rule = names.of(name, 'key')
    if (!rule || isPlaceholder(value, name) || !isSecretOf(rule, value)) continue
    const from = index + all.lastIndexOf(value)
    found({ from, to: from + value.length, rule: rule.id })
  }
  // `<entry key="db.password">…<`.
  for (const { 1: name = '', 2: value = '', index, 0: all } of text.matchAll(
    /<[A-Za-z][\w:.-]{0,40}\s[^<>]{0,200}?(?:name|key|id|property)\s*=\s*["']([^"'<>]{2,80})["'][^<>]{0,100}>\s*([^<>\s][^<>]{0,2000}?)\s*</g,
  )) {
    const rule = names.of(name, 'key')
    if (!rule || isPlaceholder(value, name) || !isSecretOf(rule, value)) continue
    const from = index + all.lastIndexOf(value)
    found({ from, to: from + value.length, rule: rule.id })
  }
  // Property lists: `<key>Password</key> <string>…</string>`.
  for (const { 1: name = '', 2: value = '', index, 0: all } of text.matchAll(
    /<key>([^<>]{2,80})<\/key>\s{0,40}<string>([^<>]{1,2000})<\/string>/g,
  )) {
    const rule = names.of(name, 'key')
    if (!rule || isPlaceholder(value, name) || !isSecretOf(rule, value)) continue
    const from = index + all.lastIndexOf(value)
    found({ from, to: from + value.length, rule: rule.id })
  }
  labelsIn(text, names, found)
  fieldsIn(text, names, found)
  tagsIn(text, names, found)
}

/** `<dt>رمز عبور</dt><dd><code>…`: a label in one element and its value in the next one. */
const labelsIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 1: label = '', 2: between = '', 3: value = '', index, 0: all } of text.matchAll(
    />\s{0,40}([^<>\s][^<>]{0,59}?)\s{0,40}((?:<\/?[A-Za-z][^<>]{0,200}>[\s:：]{0,60}){2,6})([^<>\s][^<>]{2,199}?)(?=\s{0,40}<\/)/g,
  )) {
    // An element of its own begins between them.
    if (!/<[A-Za-z]/.test(between) || !/<\//.test(between)) continue
    const name = label.replace(/[\s:：*]+$/, '')
    const rule = names.of(name, 'key')
    if (!rule || isPlaceholder(value, name) || names.isName(value)) continue
    if (!isSecretOf(rule, value) && !(rule.id === 'name:password' && chosenLikeness(value) > 0)) continue
    const shown = /<(?:code|kbd|samp|tt|output|td|dd|pre)\b[^<>]*>[\s:：]*$/i.test(between)
    const isWord = /^\p{L}[\p{L}\p{M}]*[?!…]?$/u.test(value)
    if (
      !looksSecret(value) &&
      chosenLikeness(value) === 0 &&
      !(rule.digits && /\p{Nd}{3}/u.test(value)) &&
      (!shown || /\s/.test(value) || (isWord && !/<(?:code|kbd|samp|tt)\b/i.test(between)))
    )
      continue
    const from = index + all.length - value.length
    found({ from, to: from + value.length, rule: rule.id })
  }
}

/** `<td>Senha do portal</td><td><input … value="…">`: a label, and its value in a field behind it. */
const fieldsIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 1: label = '', 2: between = '', 3: value = '', index, 0: all } of text.matchAll(
    />\s{0,40}([^<>\s][^<>]{0,59}?)\s{0,40}((?:<\/?[A-Za-z][^<>]{0,200}>[\s:：]{0,60}){1,5})<input\s[^<>]{0,300}?\bvalue\s{0,3}=\s{0,3}["']([^"'<>]{3,200})(?=["'])/gi,
  )) {
    // A field of its own, or another text, stands between them.
    if (/<input/i.test(between)) continue
    const name = label.replace(/[\s:：*]+$/, '')
    const rule = names.of(name, 'key')
    if (!rule || isPlaceholder(value, name) || names.isName(value)) continue
    if (/\btype\s?=\s?["']?(?:submit|button|reset|checkbox|radio|image)\b/i.test(all.slice(all.lastIndexOf('<input'))))
      continue
    if (isSecretOf(rule, value) || (rule.id === 'name:password' && chosenLikeness(value) > 0))
      found({ from: index + all.length - value.length, to: index + all.length, rule: rule.id })
  }
}

const LONGEST_TAG = 4000
const ATTRIBUTE = /([A-Za-z_:@][\w:.-]{0,60})\s{0,4}=\s{0,4}(?:"([^"]*)"|'([^']*)'|([^\s"'<>=]+))/g
const FIELD: NameRule = { id: 'name:password' }
const HIDDEN: NameRule = { id: 'name:token', ambiguous: true }

/** `<add key="Password" value="…"/>`, `<meta content="…" name="api-token">`, `<input type="password" value="…">`. */
const tagsIn = (text: string, names: Names, found: FoundInText): void => {
  for (let open = text.indexOf('<'); open >= 0; open = text.indexOf('<', open + 1)) {
    if (!/[A-Za-z]/.test(text.charAt(open + 1))) continue
    const close = text.slice(open, open + LONGEST_TAG).indexOf('>')
    if (close < 0) continue
    const tag = text.slice(open, open + close)
    if (!/(?:value|content)\s{0,4}=/.test(tag)) continue
    let rule: NameRule | undefined
    let place: readonly [from: number, value: string] | undefined
    let hidden = false
    let of = ''
    for (const match of tag.matchAll(ATTRIBUTE)) {
      const name = match[1]!.toLowerCase()
      const value = match[2] ?? match[3] ?? match[4] ?? ''
      if (name === 'type' && value === 'password') rule = FIELD
      else if (name === 'type' && /^hidden$/i.test(value)) hidden = true
      else if (/^(?:name|key|id|property|http-equiv|autocomplete|itemprop)$/.test(name)) {
        rule ??= names.of(value, 'key')
        if (name === 'name') of = value
      } else if (/^(?:default)?(?:value|content)$/.test(name) && value !== '')
        place = [open + match.index + match[0].lastIndexOf(value), value]
    }
    // What a form sends back, so that nobody else can send it.
    if ((!rule || rule.random) && hidden && /(?:csrf|xsrf|forgery|nonce|token|key)_?$/i.test(of)) rule = HIDDEN
    if (
      rule &&
      place &&
      !isPlaceholder(place[1]) &&
      (isSecretOf(rule, place[1]) ||
        (rule === HIDDEN && /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+/=-]{16,}$/.test(place[1])))
    )
      found({ from: place[0], to: place[0] + place[1].length, rule: rule.id })
  }
}

const MOST_LINES = 100
/** Lines of words below a name. */
const MOST_OF_WORDS = 4

/** `kennwort: >-`, and words in the deeper lines below it. @returns whether all of them were found */
const wordsBelow = (text: string, begin: number, depth: number, rule: NameRule, found: FoundInText): boolean => {
  const lines: { readonly from: number; readonly value: string }[] = []
  for (let at = begin; at < text.length;) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end < 0 ? text.length : end)
    const own = /^[ \t]*/.exec(line)![0].length
    if (line.trim() !== '' && own <= depth) break
    if (lines.length >= MOST_OF_WORDS || line.length > 200) return false
    if (line.trim() !== '') lines.push({ from: at + own, value: line.trim() })
    if (end < 0) break
    at = end + 1
  }
  if (!areWordsInPlace(rule, lines.map(({ value }) => value).join(' '))) return false
  for (const { from, value } of lines) found({ from, to: from + value.length, rule: rule.id })
  return true
}

/** YAML: a block below a name (`|-`), a list below a plural, a pair of `name` and `value`. */
export const blocksIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 1: indent = '', 2: name = '', 3: sign, index, 0: all } of text.matchAll(
    /^([ \t]*)(?:- )?["']?([\p{L}_][\p{L}\p{M}\p{N}_. -]{1,60}?)["']?[ \t]*[:：][ \t]*(?:\*\*)?[ \t]*([|>][-+\d]{0,2})?[ \t]*\r?\n/gmu,
  )) {
    const rule = names.of(name, 'key')
    if (!rule) continue
    let at = index + all.length
    if (sign !== undefined && wordsBelow(text, at, indent.length, rule, found)) continue
    for (let count = 0; count < MOST_LINES && at < text.length; count++) {
      const end = text.indexOf('\n', at)
      const line = text.slice(at, end < 0 ? text.length : end)
      const bullet = sign ? '' : (/^[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t]+/.exec(line)?.[0] ?? '')
      const depth = /^[ \t]*/.exec(line)![0].length
      const value = line
        .slice(bullet.length)
        .trim()
        .replace(/^["'`]|["'`],?$/g, '')
      if (sign ? depth <= indent.length : bullet === '' || value === '') break
      if (value.length > 3 && !/\s/.test(value) && !/^[\w.-]+:$/.test(value) && !isPlaceholder(value, name)) {
        // `secrets:` of a service or a workflow names those that it reads.
        const refers =
          sign === undefined && rule.id !== 'name:password' && isIdOfSecret(value) && chosenLikeness(value) < 2
        const fits =
          isSecretOf(rule, value) && !refers && (sign !== undefined || /s$/i.test(name) || looksSecret(value))
        const from = at + line.indexOf(value)
        if (fits) found({ from, to: from + value.length, rule: rule.id })
      }
      if (end < 0) break
      at = end + 1
    }
  }
  for (const { 1: name = '', 3: value = '', index, 0: all } of text.matchAll(
    /(?<![\p{L}\p{N}])(?:\w{0,30}_?)(?:name|key|header|variable)["']?[ \t]{0,8}[:=][ \t]{0,8}["']?([\w.-]{2,80})["']?[ \t]{0,4}(?:[,;][ \t]{0,4}|,?\r?\n[ \t]{0,80})["']?\w{0,30}(?:value|default)["']?[ \t]{0,8}[:=][ \t]{0,8}(["']?)([^\s"',;}]{3,2000})\2/giu,
  )) {
    const rule = names.of(name, 'key')
    if (!rule || isPlaceholder(value, name) || !isSecretOf(rule, value)) continue
    const from = index + all.lastIndexOf(value)
    found({ from, to: from + value.length, rule: rule.id })
  }
}
