/** Labels for the codes of this feature, in the current language. */
import { LEVELS } from './logs-fold.ts'
import { texts } from './text/texts.svelte.ts'

/** @param level index in `LEVELS` */
export const levelText = (level: number): string => {
  const name = LEVELS[level]
  return name === undefined ? texts.t.levelUnknown : texts.t[`level-${name}`]
}

/** A class of base.css, as redundant cue to the word and the icon. */
export const levelTone = (level: number): string =>
  level < 0 ? 'warn-ink' : level === 0 ? 'dim3' : level < 3 ? 'dim' : level === 3 ? 'warn-ink' : 'bad-ink'
