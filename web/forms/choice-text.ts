/** A choice in words. Among values of other types a text has its quotes: `1` and `"1"` are different choices. */
import type { Choice } from './choices.ts'
import { shorten } from './explain.ts'
import { brief } from './long.ts'

/** Looked at to see whether all are texts. */
const SEEN = 1000

export const choiceText = (choices: readonly Choice[], { value, title }: Choice): string => {
  const texty = typeof value === 'string' && choices.slice(0, SEEN).every((each) => typeof each.value === 'string')
  const text = texty && value !== '' ? value : brief(value, 120)
  return shorten(title === undefined ? text : `${title} (${text})`)
}
