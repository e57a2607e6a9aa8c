/** Labels for missing values, and focusing their fields. */
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

/** The fields for missing values: a chunk of their own, since most connections need none. */
export const loadFillIn = loadOnce(() => import('./FillIn.svelte'))

/** Moves the focus to the first missing value once its field is on the screen. */
export const focusMissingWhenShown = async (): Promise<void> => {
  await loadFillIn()
  await tick()
  focusMissing()
}

/** Moves the focus to the first value that is missing. @returns whether there is one on the screen */
export const focusMissing = (within: ParentNode = document): boolean => {
  const field = within.querySelector<HTMLElement>('[data-testid=fill-value][data-state=missing]')
  field?.focus()
  return field !== null
}
