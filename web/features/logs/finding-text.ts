/** What findings of this folder say: in any language with its catalogue, in English for the lint. */
import type { Translation } from '../../ui/index.svelte.ts'
import { LEVELS, type LogMark } from './logs-fold.ts'
import type en from './text/en.ts'

type Texts = Translation<typeof en>

/** @param found what stands where the level is due @param least what was asked for */
export const markText = ({ code, rule }: LogMark, found: string, least: number, t: Texts): string => {
  switch (code) {
    case 'unknown-level':
      return t.markUnknownLevel(found)
    case 'no-data':
      return t.markNoData
    case 'bad-logger':
      return t.markBadLogger
    case 'no-params':
      return t.markNoParams
    case 'below':
      return rule === 'SF-LOG-03' ? t.markBelowRequest : t.markBelow(LEVELS[least] ?? '?')
    case 'unasked':
      return t.markUnasked
  }
}
