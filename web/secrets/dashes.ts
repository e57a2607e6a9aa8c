/** `prieigos raktas – SVsz…`: a name, a dash and a value, as people write them in sentences of any language. */
import { chosenLikeness } from './chosen-words.ts'
import type { FoundInText } from './found-in-text.ts'
import { isPlace, isPlaceholder, isSecretOf, looksSecret } from './heuristics.ts'
import type { Names } from './secret-names.ts'

/** Longer texts are documents. */
const LONGEST = 60_000
const MOST = 200
/** Characters of a name. */
const LONGEST_NAME = 60
const NAME = /(?:^|[\n.,;:!?()•*|]\s{0,4})(\p{L}[\p{L}\p{M}\p{N} _'’/-]{1,50})$/u

export const behindDashesIn = (text: string, names: Names, found: FoundInText): void => {
  if (text.length > LONGEST) return
  let count = 0
  for (const { 0: dash, index } of text.matchAll(/ [–—] ["'“„«‘]?(?=\S{4})/g)) {
    if (++count > MOST) return
    const name = NAME.exec(text.slice(Math.max(0, index - LONGEST_NAME), index))?.[1]
    const rule = name === undefined ? undefined : names.of(name, 'variable')
    if (!rule || rule.random) continue
    const from = index + dash.length
    const value =
      /^[^\s"'`“”„«»‘’<>,;(){}]{4,300}/.exec(text.slice(from, from + 300))?.[0].replace(/[.:!?]+$/, '') ?? ''
    if (isPlaceholder(value, name) || isPlace(value) || !isSecretOf(rule, value)) continue
    if (looksSecret(value) || chosenLikeness(value) > 1 || (rule.digits && /^\p{Nd}[\p{Nd}-]{3,11}[#*]?$/u.test(value)))
      found({ from, to: from + value.length, rule: rule.id })
  }
}
