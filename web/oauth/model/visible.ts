/**
 * Texts that somebody else wrote, so that all of them can be seen: what has no picture of its own, or changes how the
 * rest reads, stands as its number. And two texts that should be one, side by side (AU-ASM-06, AU-FLOW-09).
 */

import { visible } from '../../ui/index.ts'

export { visible, visibleLines } from '../../ui/index.ts'

const OPEN = '\ue000'
const CLOSE = '\ue001'

/** A value within a sentence: `spans` finds it again. Nothing in the value can pose as the end of it. */
export const marked = (value: string): string => `${OPEN}${visible(value)}${CLOSE}`

export interface Span {
  readonly text: string
  /** A value of the wire, not words of ours. */
  readonly value: boolean
}

export const spans = (sentence: string): readonly Span[] =>
  sentence
    .split(/(\ue000[^\ue000\ue001]*\ue001)/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(OPEN) ? { text: part.slice(1, -1), value: true } : { text: part, value: false }))

/** In what two texts differ, where that is all of it. */
export type Difference = 'slash' | 'case' | 'space' | 'port' | 'percent' | 'other'

export interface Compared {
  /** What both begin with. */
  readonly same: string
  /** What each goes on with; the first character of it is the first difference. '' where it ends. */
  readonly rest: readonly [string, string]
  readonly difference: Difference
}

/** @returns `undefined` where they are the same, letter by letter */
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
