/** The labels of choices and alternatives. */
import type { BranchName } from './branches.ts'
import type { Choice } from './choices.ts'
import { shorten, type Texts } from './explain.ts'
import { brief } from './long.ts'
import type { Branch } from './model.ts'

/**
 * Labels the choices of one field; created once, not for each of 10^5 choices. If any choice isn't a string, strings are quoted:
 * `1` and `"1"` are different choices.
 */
export const choiceTexts = (choices: readonly Choice[]): ((choice: Choice) => string) => {
  const texty = choices.every(({ value }) => typeof value === 'string')
  return ({ value, title }) => {
    const text = texty && value !== '' ? (value as string) : brief(value, 120)
    return shorten(title === undefined ? text : `${title} (${text})`)
  }
}

const LONGEST = 60

/** One label per alternative; identical ones are numbered. */
export const branchTexts = (branches: readonly Branch[], t: Texts): readonly string[] => {
  const texts = branches.map(({ name }, at) => textOf(name, at, t))
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const used = new Map<string, number>()
  return texts.map((text) => {
    if (counts.get(text) === 1) return text
    const number = (used.get(text) ?? 0) + 1
    used.set(text, number)
    return t.numbered(text, number)
  })
}

const textOf = (name: BranchName, at: number, t: Texts): string => {
  switch (name.by) {
    case 'title':
    case 'type':
      return shorten(name.text, LONGEST)
    case 'constant':
      return shorten(
        `${name.key}: ${typeof name.value === 'string' && name.value !== '' ? name.value : brief(name.value, LONGEST)}`,
        LONGEST,
      )
    case 'value':
      return shorten(brief(name.value, LONGEST), LONGEST)
    case 'keys':
      return shorten(name.keys.slice(0, 5).join(', '), LONGEST)
    case 'position':
      return t.alternative(at + 1)
  }
}
