/** Labels of missing values, and focusing their fields. */
import { tick } from 'svelte'
import { loadOnce } from '../../ui/index.ts'
import type { Placeholder } from './placeholders.ts'
import { texts } from '../text/texts.svelte.ts'

export const placeWord = ({ place, name = '' }: Placeholder): string => {
  const { t } = texts
  return {
    url: t.placeUrl,
    header: t.placeHeader(name),
    command: t.placeCommand,
    argument: t.placeArgument,
    variable: t.placeVariable(name),
    directory: t.placeDirectory,
  }[place]
}

/** The fields for missing values, in a chunk of their own because most connections don't need them. */
export const loadFillIn = loadOnce(() => import('./FillIn.svelte'))

/** Focuses the field of the first missing value once it is on screen. */
export const focusMissingWhenShown = async (): Promise<void> => {
  await loadFillIn()
  await tick()
  focusMissing()
}

/** Focuses the field of the first missing value. @returns whether there is one on screen */
export const focusMissing = (within: ParentNode = document): boolean => {
  const field = within.querySelector<HTMLElement>('[data-testid=fill-value][data-state=missing]')
  field?.focus()
  return field !== null
}
