/**
 * Numbers that identify a person, behind their name without a colon: `Passport no. C03005988`, `PESEL 85010112345`, in a
 * sentence, a list or a table.
 */
import type { FoundInText } from './found-in-text.ts'
import { isSecretOf } from './heuristics.ts'
import type { Names } from './secret-names.ts'

/** At least so many digits, in groups, with few letters: no year, amount or telephone number follows such a name. */
const NUMBER =
  /(?<=[\s.:：#№°º–])(?=(?:[^\p{Nd}\n]{0,3}\p{Nd}){6})[A-Z]{0,4}[ -]?\p{Nd}(?:[ ./-]?[\p{Nd}A-Z]){5,22}(?![\p{L}\p{Nd}])|(?<=[\s.:：#№°º–])(?=(?:[A-Z]{0,6}\d){5})[A-Z\d]{8,18}(?![\p{L}\p{Nd}])/gu
/** The words in front of it. */
const FRONT = /(?:[\p{L}\p{M}.'’-]{1,20}[ \t]){0,3}[\p{L}\p{M}.'’-]{2,24}[ \t]?(?:n[°ºr]\.?|№|#)?[:：]?[ \t]{1,4}$/u
const MOST = 500

export const identityNumbersIn = (text: string, names: Names, found: FoundInText): void => {
  let count = 0
  for (const { 0: value, index } of text.matchAll(NUMBER)) {
    if (++count > MOST) return
    const front = FRONT.exec(text.slice(Math.max(0, index - 90), index))?.[0]
    if (front === undefined) continue
    const words = front.replace(/[:：#№\s]+$/, '').split(/[ \t]+/)
    for (let at = Math.max(0, words.length - 4); at < words.length; at++) {
      const name = words.slice(at).join(' ')
      // A word such as `tin` or `pan` has other meanings in a sentence, unless it is written in capitals.
      if (!/\s/.test(name) && name.length < 5 && /^\P{Lu}+$/u.test(name)) continue
      const rule = names.of(name, 'variable')
      if (rule?.id !== 'name:identity' || !isSecretOf(rule, value)) continue
      found({ from: index, to: index + value.length, rule: rule.id })
      break
    }
  }
}
