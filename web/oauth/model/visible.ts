/**
 * Makes every character of third-party text visible: invisible characters, and those that change how the rest reads,
 * are written as their code point. Also compares two strings that should be equal (AU-ASM-06, AU-FLOW-09).
 */

import { visible } from '../../ui/index.ts'

export { visible, visibleLines } from '../../ui/index.ts'

const OPEN = '\ue000'
const CLOSE = '\ue001'

/** Marks a value within a sentence, so that `spans` can find it. A value can't fake its end mark. */
export const marked = (value: string): string => `${OPEN}${visible(value)}${CLOSE}`

export interface Span {
  readonly text: string
  /** A value from the wire rather than our own words. */
  readonly value: boolean
}

export const spans = (sentence: string): readonly Span[] =>
  sentence
    .split(/(\ue000[^\ue000\ue001]*\ue001)/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(OPEN) ? { text: part.slice(1, -1), value: true } : { text: part, value: false }))

/** The kind of difference between two texts, if it is the only one. */
export type Difference = 'slash' | 'case' | 'space' | 'port' | 'percent' | 'other'

export interface Compared {
  /** The common prefix. */
  readonly same: string
  /** The remainders, beginning with the first difference; '' if a text ends there. */
  readonly rest: readonly [string, string]
  readonly difference: Difference
}

/** @returns `undefined` if they are identical */
export const compare = (one: string, other: string): Compared | undefined => {
  if (one === other) return undefined
  const [a, b] = [[...one], [...other]]
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return {
    same: a.slice(0, at).join(''),
    rest: [a.slice(at).join(''), b.slice(at).join('')],
    difference: differenceOf(one, other),
  }
}

const differenceOf = (one: string, other: string): Difference => {
  const by = (same: (text: string) => string) => same(one) === same(other)
  if (by((text) => text.replace(/\/$/, ''))) return 'slash'
  if (by((text) => text.replace(/\s/g, ''))) return 'space'
  if (by((text) => text.toLowerCase())) return 'case'
  if (by(withoutPort)) return 'port'
  if (by(withoutPercent)) return 'percent'
  return 'other'
}

const withoutPort = (text: string): string =>
  text.replace(/^(https:\/\/[^/?#:]+):443(?=[/?#]|$)/i, '$1').replace(/^(http:\/\/[^/?#:]+):80(?=[/?#]|$)/i, '$1')

const withoutPercent = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
