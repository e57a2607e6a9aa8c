/** What the sides of a comparison are called: in their choice, in messages, and above their responses. */
import { markHidden } from '../../ui/index.ts'
import type { Side } from './comparing.svelte.ts'
import { texts } from './text/texts.svelte.ts'

const plainLabel = ({ name, at, group, server: of }: Side): string => {
  if (at !== undefined) return texts.t.compareDay(new Date(at))
  const label = markHidden(name).text
  return group === 'recorded' && of ? `${label} · ${texts.t.compareDay(new Date(of.trace.begunAt))}` : label
}

/** Two servers may have the same name: the second gets a number. */
export const sideLabels = (sides: readonly Side[]): readonly string[] => {
  const plain = sides.map(plainLabel)
  return plain.map((label, index) => {
    const before = plain.slice(0, index).filter((other) => other === label).length
    return before === 0 ? label : `${label} (${before + 1})`
  })
}
