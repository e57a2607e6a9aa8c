/** Choices in words. Among values of other types a text has its quotes: `1` and `"1"` are different choices. */
import type { Choice } from './choices.ts'
import { shorten } from './explain.ts'
import { brief } from './long.ts'

/** Looked at once, and not for each of 10^5 choices. */
export const choiceTexts = (choices: readonly Choice[]): ((choice: Choice) => string) => {
  const texty = choices.every(({ value }) => typeof value === 'string')
  return ({ value, title }) => {
    const text = texty && value !== '' ? (value as string) : brief(value, 120)
    return shorten(title === undefined ? text : `${title} (${text})`)
  }
}
