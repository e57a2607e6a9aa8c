/** How two identifiers that should be equal differ (AU-ASM-06, AU-FLOW-09). */
import { percentDecoded } from '../../json/index.ts'

/** The kind of difference between two texts, if it is the only one. */
export type Difference = 'slash' | 'case' | 'space' | 'port' | 'percent' | 'other'

interface Compared {
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
  if (by(percentDecoded)) return 'percent'
  return 'other'
}

const withoutPort = (text: string): string =>
  text.replace(/^(https:\/\/[^/?#:]+):443(?=[/?#]|$)/i, '$1').replace(/^(http:\/\/[^/?#:]+):80(?=[/?#]|$)/i, '$1')
